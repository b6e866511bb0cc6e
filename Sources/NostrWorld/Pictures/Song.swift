/// A little song of the world as a sound file, from its own address: the same address always sounds the same.
struct Song {
    /// The song as a WAV file: one channel, 8 bits, 8000 samples a second.
    let wav: [UInt8]

    /// How long each lasts, in seconds.
    static let seconds = 2

    /// The address of one, from the root of the host.
    static func path(_ number: Int) -> String { "/song/\(number).wav" }

    /// Reads an address such as `/song/7.wav`.
    init?(path: String) {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        guard parts.count == 2, parts[0] == "song", parts[1].hasSuffix(".wav"), let name = UInt32(parts[1].dropLast(4))
        else { return nil }
        var dice = Dice(seed: 0x50_4E6 ^ UInt64(name))
        var samples: [UInt8] = []
        for _ in 0..<16 {
            let period = dice.whole(4...14)
            for place in 0..<1000 {
                let phase = place % period * 64 / period
                let loudness = min(place, 1000 - place) / 5
                samples.append(UInt8(clamping: 128 + (min(phase, 64 - phase) - 16) * loudness / 50))
            }
        }
        wav = Self.head(count: samples.count) + samples
    }

    /// Source: RIFF; WAVE with uncompressed samples.
    private static func head(count: Int) -> [UInt8] {
        func number(_ value: Int, _ bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let form = number(16, 4) + number(1, 2) + number(1, 2) + number(8000, 4) + number(8000, 4)
        return Array("RIFF".utf8) + number(36 + count, 4) + Array("WAVEfmt ".utf8) + form + number(1, 2)
            + number(8, 2) + Array("data".utf8) + number(count, 4)
    }
}
