import MediaFormats
import Testing

@Suite("What is done to a picture")
struct PicturePlanTests {
    @Test(
        "small ones keep their size, large ones lose it, those that move are left alone",
        arguments: [
            (MediaFormat.jpeg, 200_000, 4000, 3000, 1, false, PicturePlan.cleaned),
            (.jpeg, 200_000, 4000, 3000, 6, false, .rewritten(longest: 4000)),
            (.jpeg, 200_000, 9000, 9000, 1, false, .rewritten(longest: 2048)),
            (.jpeg, 300_000, 4000, 3000, 1, false, .rewritten(longest: 2048)),
            (.jpeg, 300_000, 640, 480, 0, false, .rewritten(longest: 2048)),
            (.heic, 100_000, 640, 480, 1, false, .rewritten(longest: 640)),
            (.gif, 9_000_000, 640, 480, 1, false, .cleaned), (.webp, 9_000_000, 640, 480, 1, true, .cleaned),
            (.png, 9_000_000, 640, 480, 1, true, .cleaned), (.png, 262_143, 640, 480, 1, false, .cleaned),
            (.png, 262_144, 640, 480, 1, false, .rewritten(longest: 2048)),
        ])
    func plans(
        _ format: MediaFormat, bytes: Int, width: Int, height: Int, orientation: Int, moves: Bool, plan: PicturePlan
    ) {
        #expect(
            PicturePlan(
                format, bytes: bytes, width: width, height: height, orientation: orientation, isAnimated: moves) == plan
        )
    }

    @Test(
        "what can be seen through stays so, the rest becomes JPEG",
        arguments: [
            (MediaFormat.png, 300_000, true, MediaFormat.png), (.png, 300_000, false, .jpeg), (.png, 9, false, .png),
            (.webp, 300_000, true, .webp), (.webp, 300_000, false, .jpeg), (.heic, 9, false, .jpeg),
            (.avif, 300_000, true, .png), (.jpeg, 300_000, false, .jpeg),
        ])
    func targets(_ format: MediaFormat, bytes: Int, isTransparent: Bool, target: MediaFormat) {
        #expect(
            PicturePlan.target(of: format, bytes: bytes, width: 9, height: 9, isTransparent: isTransparent) == target)
    }

    @Test(
        "a type is believed where the bytes leave it open",
        arguments: [
            (MediaFormat.film, "audio/mp4", "audio/mp4"), (.film, "image/png", "video/mp4"),
            (.matroska, "Audio/WebM; codecs=opus", "audio/webm"), (.jpeg, "", "image/jpeg"),
        ])
    func types(_ format: MediaFormat, said: String, type: String) {
        #expect(format.type(said: said) == type)
    }
}
