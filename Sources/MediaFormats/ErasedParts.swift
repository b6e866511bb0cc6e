/// What is overwritten in a film to take out its metadata, so that all else stays where it is.
///
/// A film says in many places where its pieces are; what is cut out of it would move them. So what must go is overwritten,
/// and its name becomes one that players skip.
///
/// Source: ISO 14496-12, 8.1.2 (`free`); RFC 8794, 11.3.2 (`Void`).
public struct ErasedParts: Equatable, Sendable {
    /// Bytes that stand in place of others.
    public struct Patch: Equatable, Sendable {
        /// Where they begin.
        public let place: Int64
        /// The bytes.
        public let bytes: [UInt8]
    }

    /// What becomes zeros; done before the patches.
    public internal(set) var blanks: [Range<Int64>] = []
    /// Names, lengths and times that change.
    public internal(set) var patches: [Patch] = []
    /// Where the file ends; what is behind is cut off.
    public internal(set) var end: Int64 = 0
    /// Dots from left to right as the film is shown; `nil` for a sound.
    public internal(set) var width: Int?
    /// Dots from top to bottom as the film is shown.
    public internal(set) var height: Int?
    /// How long it plays, as far as its head says.
    public internal(set) var milliseconds: Int?

    /// Looks for what must go.
    ///
    /// - Returns: `nil` when the file is not of this format, or hides what is in it: then nothing of it can be published.
    public init?(in file: some ReadableBytes, as format: MediaFormat) {
        var parts = ErasedParts()
        switch format {
        case .film:
            var walk = BoxWalk(file)
            guard walk.run() else { return nil }
            parts = walk.parts
        case .matroska:
            var walk = ElementWalk(file)
            guard walk.run() else { return nil }
            parts = walk.parts
        default: return nil
        }
        self = parts
    }

    init() {}

    /// The same file without them, for one that is in memory.
    public func erased(from bytes: [UInt8]) -> [UInt8] {
        var out = Array(bytes.prefix(Int(end)))
        for range in blanks {
            for place in range.clamped(to: 0..<Int64(out.count)) { out[Int(place)] = 0 }
        }
        for patch in patches where patch.place >= 0 && patch.place + Int64(patch.bytes.count) <= Int64(out.count) {
            let start = Int(patch.place)
            out.replaceSubrange(start..<start + patch.bytes.count, with: patch.bytes)
        }
        return out
    }
}

/// Bytes that are read here and there: those of a file, or of memory.
public protocol ReadableBytes {
    /// How many there are.
    var byteCount: Int64 { get }
    /// So many from a place on, or fewer at the end.
    func bytes(at place: Int64, count: Int) -> [UInt8]
}

extension [UInt8]: ReadableBytes {
    public var byteCount: Int64 { Int64(count) }

    public func bytes(at place: Int64, count: Int) -> [UInt8] {
        guard place >= 0, place < byteCount, count > 0 else { return [] }
        return Array(self[Int(place)..<Swift.min(self.count, Int(place) + Swift.min(count, self.count))])
    }
}
