/// GIF files: blocks of blocks.
///
/// Source: GIF89a.
enum GIF {
    /// With pictures, their times and how often they play; without comments, texts and applications' blocks.
    static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0), bytes.count >= 13 else { return nil }
        var place = 13 + colours(bytes[10])
        guard place <= bytes.count else { return nil }
        var out = Array(bytes[..<place])
        out.reserveCapacity(bytes.count)
        var hasPicture = false
        while place < bytes.count {
            switch bytes[place] {
            case 0x21:
                guard let block = block(bytes, at: &place) else { return ended(out, hasPicture) }
                out += block
            case 0x2C:
                guard let picture = picture(bytes, at: &place) else { return ended(out, hasPicture) }
                out += picture
                hasPicture = true
            default: return ended(out, hasPicture)
            }
        }
        return ended(out, hasPicture)
    }

    private static func ended(_ out: [UInt8], _ hasPicture: Bool) -> [UInt8]? { hasPicture ? out + [0x3B] : nil }

    /// Bytes of a table of colours.
    private static func colours(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    /// A picture with its own colours and what is packed of it; `nil` when it is cut before that.
    private static func picture(_ bytes: [UInt8], at place: inout Int) -> ArraySlice<UInt8>? {
        let start = place
        guard start + 10 <= bytes.count else { return nil }
        let packed = start + 10 + colours(bytes[start + 9]) + 1
        guard packed <= bytes.count, let end = skip(bytes, from: packed) else { return nil }
        place = end
        return bytes[start..<end]
    }

    /// What stays of an extension; `nil` when it is cut.
    private static func block(_ bytes: [UInt8], at place: inout Int) -> [UInt8]? {
        let start = place
        guard start + 2 <= bytes.count, let end = skip(bytes, from: start + 2) else { return nil }
        place = end
        switch bytes[start + 1] {
        // A time has a form of its own, and nothing behind it.
        case 0xF9: return end == start + 8 && bytes[start + 2] == 4 ? Array(bytes[start..<end]) : []
        case 0xFF where isLoop(bytes, at: start + 2):
            guard end >= start + 19, bytes[start + 14] == 3, bytes[start + 15] == 1 else { return [] }
            return Array(bytes[start..<start + 18]) + [0]
        default: return []
        }
    }

    private static func isLoop(_ bytes: [UInt8], at place: Int) -> Bool {
        bytes[place] == 11 && (bytes.has("NETSCAPE2.0", at: place + 1) || bytes.has("ANIMEXTS1.0", at: place + 1))
    }

    /// Where blocks that each say how long they are end; `nil` when they do not.
    private static func skip(_ bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while place < bytes.count {
            let length = Int(bytes[place])
            if length == 0 { return place + 1 }
            place += 1 + length
        }
        return nil
    }
}
