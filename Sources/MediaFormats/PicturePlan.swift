/// What is done to a picture, and what it becomes.
public enum PicturePlan: Equatable, Sendable {
    /// It stays as it is, but for its metadata.
    case cleaned
    /// It is written anew, upright, with no side longer than so many dots.
    case rewritten(longest: Int)

    /// The longest side of a picture that is made smaller.
    public static let longest = 2048
    /// A picture of fewer bytes keeps its size.
    public static let smallBytes = 256 << 10
    /// Of more dots than these nothing is prepared: it would need too much memory here, and then at everybody who sees it.
    public static let mostDots = 100_000_000
    /// A small file of more dots than these is made smaller as a large one is.
    public static let mostDotsOfSmall = 24_000_000
    /// Of 100.
    public static let quality = 85

    /// Decides, by what a picture's head says.
    ///
    /// - Parameters:
    ///   - bytes: how long the file is.
    ///   - orientation: 1 to 8 as in EXIF; the other seven turn or mirror it.
    ///   - isAnimated: whether it moves; then nothing of it is written anew.
    public init(
        _ format: MediaFormat, bytes: Int, width: Int, height: Int, orientation: Int, isAnimated: Bool
    ) {
        if format == .gif || isAnimated {
            self = .cleaned
            return
        }
        let isSmall = Self.isSmall(bytes: bytes, width: width, height: height)
        if isSmall, orientation <= 1, format != .heic, format != .avif {
            self = .cleaned
        } else {
            self = .rewritten(longest: isSmall ? max(width, height) : Self.longest)
        }
    }

    /// What a picture that is written anew becomes: JPEG, but for what can be seen through and for what is small.
    public static func target(
        of format: MediaFormat, bytes: Int, width: Int, height: Int, isTransparent: Bool
    ) -> MediaFormat {
        switch format {
        case .png, .webp:
            isTransparent || isSmall(bytes: bytes, width: width, height: height) ? format : .jpeg
        default: isTransparent ? .png : .jpeg
        }
    }

    private static func isSmall(bytes: Int, width: Int, height: Int) -> Bool {
        bytes < smallBytes && width * height <= mostDotsOfSmall
    }
}
