internal import NostrClient
internal import NostrCore

/// What was said about one line of a circle: which reactions and deletions name it, each in a line record of its own.
///
/// Shape: 65 bytes for each: what it is, its author's key, its id.
struct LineNotes: Hashable, Sendable {
    /// More reactions to one line are not shown: each new one writes all of them.
    static let mostReactions = 2048

    enum Kind: UInt8, Sendable {
        case reaction = 1, deletion
    }

    struct Note: Hashable, Sendable {
        let kind: Kind
        let author: PublicKey
        let id: EventID
    }

    private(set) var notes: [Note] = []

    init() {}

    /// Reads what rests; nil for what is damaged.
    init?(_ bytes: [UInt8]) {
        guard bytes.count.isMultiple(of: 65) else { return nil }
        for start in stride(from: 0, to: bytes.count, by: 65) {
            guard let kind = Kind(rawValue: bytes[start]), let id = EventID(part: bytes[start + 33..<start + 65]),
                let author = try? PublicKey(hex: encodeHex(Array(bytes[start + 1..<start + 33])))
            else { return nil }
            notes.append(Note(kind: kind, author: author, id: id))
        }
    }

    var bytes: [UInt8] {
        notes.flatMap { [$0.kind.rawValue] + $0.author.bytes.array + $0.id.bytes.array }
    }

    /// Notes a reaction or a deletion; of one author one deletion is enough.
    mutating func add(_ line: CircleChat.Line) {
        guard let kind = line.noteKind, !notes.contains(where: { $0.id == line.id }) else { return }
        switch kind {
        case .reaction: guard notes.count(where: { $0.kind == .reaction }) < Self.mostReactions else { return }
        case .deletion: guard !notes.contains(where: { $0.kind == kind && $0.author == line.author }) else { return }
        }
        notes.append(Note(kind: kind, author: line.author, id: line.id))
    }
}

extension EventID {
    /// An id from the 32 bytes of a key or a note.
    init?(part bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard let whole = try? Bytes32(bytes.span) else { return nil }
        self.init(whole)
    }
}

// MARK: - Lines in an index

extension CircleChat.Line {
    /// What it is for other lines; nil for one that is shown itself.
    var noteKind: LineNotes.Kind? {
        switch message?.body {
        case .reaction: .reaction
        case .deletion: .deletion
        default: nil
        }
    }

    /// Which lines it is about; none for one that is shown itself.
    var targets: [EventID] {
        switch message?.body {
        case .reaction(_, let target): [target]
        case .deletion(let targets): targets
        default: []
        }
    }

    /// Its place among all lines that are shown, compared byte by byte as ``CircleLineRecord/precedes(_:)`` compares;
    /// nil for what is not shown.
    ///
    /// Shape: 8 bytes of the moment, 8 of the epoch, 1 that is 0 for a change, 32 of the author, 5 of the generation, 32
    /// of the id.
    var indexKey: [UInt8]? {
        guard isShown else { return nil }
        var key = Self.indexKey(at: Timestamp(seconds: record.createdAt))
        key.append(bigEndian: record.epoch)
        key.append(record.change == nil ? 1 : 0)
        key += author.bytes.array
        // A line without a generation stands before the first.
        key.append(record.generation == nil ? 0 : 1)
        for shift in stride(from: UInt32(24), through: 0, by: -8) {
            key.append(UInt8(truncatingIfNeeded: (record.generation ?? 0) >> shift))
        }
        return key + id.bytes.array
    }

    /// What stands before the keys of all lines of a moment, and behind those of earlier ones.
    static func indexKey(at moment: Timestamp) -> [UInt8] {
        var key: [UInt8] = []
        key.append(bigEndian: UInt64(bitPattern: moment.seconds ^ .min))
        return key
    }
}

extension MessageCursor {
    /// The place of a line that stands at a key of an index; nil for what no line has.
    init?(lineKey key: [UInt8]) {
        guard key.count == 86, let id = EventID(part: key.suffix(32)) else { return nil }
        let moment = key.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        self.init(createdAt: Timestamp(seconds: Int64(bitPattern: moment) ^ .min), id: id)
    }
}

extension [UInt8] {
    /// Adds 8 bytes, big endian.
    fileprivate mutating func append(bigEndian value: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) { append(UInt8(truncatingIfNeeded: value >> shift)) }
    }
}
