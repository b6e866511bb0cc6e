internal import NostrCore
internal import NostrNIPs

/// What rests of one rumor: the rumor itself, or the mark that it was here.
///
/// A mark stays where a message was taken back, removed or has expired, so that a copy that comes again under another
/// wrap is known and not shown. Shape, before sealing: a byte for the version, a byte for what it is, the moment it
/// came (8 bytes, big endian), the number of wraps in one byte, their ids, then the rumor as JSON; for one that was
/// taken back its id, author and moment instead.
struct RumorRecord: Hashable, Sendable {
    /// What is left of it.
    enum Content: Hashable, Sendable {
        /// All of it.
        case held(Rumor)
        /// Taken back by its author; the text is gone.
        case retracted(id: EventID, author: PublicKey, createdAt: Timestamp)
        /// Removed here, or expired: as if it had never been.
        case removed
    }

    /// More wraps around one rumor than this are somebody's game, and not remembered.
    static let mostWraps = 8
    private static let version: UInt8 = 1

    var content: Content
    /// When it came; for what was written here, when that was.
    let arrivedAt: Timestamp
    /// Wraps addressed to the account itself that hold it, for asking relays to delete them.
    var wraps: [EventID]
    /// When it disappears (NIP-40), with whatever its wraps said.
    var expiration: Timestamp?

    /// A rumor that has just come.
    init(_ rumor: Rumor, arrivedAt: Timestamp, wraps: [EventID], expiration: Timestamp?) {
        content = .held(rumor)
        self.arrivedAt = arrivedAt
        self.wraps = wraps
        self.expiration = expiration ?? rumor.tags.expiration
    }

    /// Reads one back; `nil` for what this version cannot read.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard reader.byte() == Self.version, let state = reader.byte(), let arrived = reader.integer(),
            let expires = reader.integer(), let count = reader.byte()
        else { return nil }
        arrivedAt = Timestamp(seconds: arrived)
        expiration = expires == 0 ? nil : Timestamp(seconds: expires)
        wraps = []
        for _ in 0..<count {
            guard let wrap = reader.bytes32() else { return nil }
            wraps.append(EventID(wrap))
        }
        switch state {
        case 0:
            // It was sealed by us; what does not parse was damaged before.
            guard let rumor = try? Rumor(json: String(decoding: reader.rest, as: UTF8.self)) else { return nil }
            content = .held(rumor)
        case 1:
            guard let id = reader.bytes32(), let author = reader.bytes32(), let moment = reader.integer() else {
                return nil
            }
            content = .retracted(
                id: EventID(id), author: PublicKey(author), createdAt: Timestamp(seconds: moment))
        case 2: content = .removed
        default: return nil
        }
    }

    /// The bytes to seal.
    var bytes: [UInt8] {
        var out: [UInt8] = [Self.version, state]
        out.append(bigEndian: arrivedAt.seconds)
        out.append(bigEndian: expiration?.seconds ?? 0)
        let kept = wraps.prefix(Self.mostWraps)
        out.append(UInt8(kept.count))
        for wrap in kept { out += wrap.bytes.array }
        switch content {
        case .held(let rumor): out += Array(rumor.json.utf8)
        case .retracted(let id, let author, let createdAt):
            out += id.bytes.array + author.bytes.array
            out.append(bigEndian: createdAt.seconds)
        case .removed: break
        }
        return out
    }

    private var state: UInt8 {
        switch content {
        case .held: 0
        case .retracted: 1
        case .removed: 2
        }
    }

    /// The rumor, while it is here.
    var rumor: Rumor? { if case .held(let rumor) = content { rumor } else { nil } }

    /// Takes the text away and leaves the mark that its author took it back.
    mutating func retract() {
        guard let rumor else { return }
        content = .retracted(id: rumor.id, author: rumor.pubkey, createdAt: rumor.createdAt)
    }
}

extension RumorRecord {
    /// The id of its rumor, while it is known.
    var id: EventID? {
        switch content {
        case .held(let rumor): rumor.id
        case .retracted(let id, _, _): id
        case .removed: nil
        }
    }
}
