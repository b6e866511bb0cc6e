/// MP3 files: frames, and tags of others before and behind them.
///
/// Source: ISO 11172-3; ID3v2.4.0; APEv2.
enum MP3 {
    /// The frames alone.
    static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
        var start = 0
        while bytes.has("ID3", at: start), let length = tagLength(bytes, at: start) {
            start = min(bytes.count, start + length)
        }
        // Some encoders fill up to the first frame.
        while start < bytes.count, bytes[start] == 0 { start += 1 }
        var end = bytes.count
        if bytes.has("TAG", at: end - 128), end - 128 >= start { end -= 128 }
        if bytes.has("APETAGEX", at: end - 32), let length = apeLength(bytes, before: end), end - length >= start {
            end -= length
        }
        guard isFrame(bytes, at: start), start < end else { return nil }
        return Array(bytes[start..<end])
    }

    /// Whether a frame of layer III begins there.
    static func isFrame(_ bytes: [UInt8], at place: Int) -> Bool {
        guard place >= 0, place + 4 <= bytes.count, bytes[place] == 0xFF else { return false }
        let (second, third) = (bytes[place + 1], bytes[place + 2])
        return second & 0xE6 == 0xE2 && second & 0x18 != 0x08 && third & 0xF0 != 0xF0 && third & 0x0C != 0x0C
    }

    private static func tagLength(_ bytes: [UInt8], at place: Int) -> Int? {
        guard place + 10 <= bytes.count else { return nil }
        let content = bytes[place + 6..<place + 10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        return content + (bytes[place + 5] & 0x10 == 0 ? 10 : 20)
    }

    /// The bytes of a tag whose last 32 end at a place.
    private static func apeLength(_ bytes: [UInt8], before end: Int) -> Int? {
        let place = end - 32
        guard place >= 0 else { return nil }
        let content = bytes[place + 12..<place + 16].reversed().reduce(0) { $0 << 8 | Int($1) }
        return content + (bytes[place + 23] & 0x80 == 0 ? 0 : 32)
    }
}

/// FLAC files: blocks that tell of the sound, then the sound.

///

/// Source: RFC 9639.
enum FLAC {
    private static let streamInformation: UInt8 = 0, seekTable: UInt8 = 3

    static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.has("fLaC", at: 0) else { return nil }
        var blocks: [[UInt8]] = []
        var place = 4
        while true {
            guard let length = bytes.number(at: place + 1, 3), place + 4 + length <= bytes.count else { return nil }
            let isLast = bytes[place] & 0x80 != 0
            let kind = bytes[place] & 0x7F
            if kind == streamInformation || kind == seekTable, blocks.count < 2 {
                blocks.append([kind] + bytes[place + 1..<place + 4 + length])
            }
            place += 4 + length
            if isLast { break }
        }
        guard let first = blocks.first, first[0] == streamInformation, place + 1 < bytes.count,
            bytes[place] == 0xFF, bytes[place + 1] & 0xFC == 0xF8
        else { return nil }
        blocks[blocks.count - 1][0] |= 0x80
        return Array(bytes[..<4]) + blocks.joined() + bytes[place...]
    }
}
