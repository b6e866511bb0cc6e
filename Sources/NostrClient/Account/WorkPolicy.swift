internal import NostrCore
internal import NostrNIPs

/// How much work (NIP-13) goes into what the account publishes.
///
/// Unit: leading zero bits of the id, 0 for none, at most ``/NostrNIPs/ProofOfWork/mostBits``; one bit more takes
/// twice as long. Kept per account.
public struct WorkPolicy: Hashable, Sendable {
    /// For notes, replies, quotes and comments.
    public var notes: Int
    /// For reactions.
    public var reactions: Int
    /// For each gift wrap of a private message: one per recipient and one for the account itself.
    ///
    /// NIP-59 leaves it to the sender; see ``usualForWraps``.
    public var wraps: Int

    /// What goes into gift wraps while the account says nothing of it.
    ///
    /// Inbox relays that anybody may write to ask for some, since a wrap's key says nothing of its sender; 12 bits are what
    /// other programs put in, and a few thousand hashes.
    public static let usualForWraps = 12

    /// A policy in leading zero bits; what is out of range is brought into it.
    public init(notes: Int = 0, reactions: Int = 0, wraps: Int = 0) {
        func clamped(_ bits: Int) -> Int { max(0, min(bits, ProofOfWork.mostBits)) }
        self.notes = clamped(notes)
        self.reactions = clamped(reactions)
        self.wraps = clamped(wraps)
    }

    /// Whether a policy can ask for work on this kind at all.
    static func concerns(_ kind: Kind) -> Bool {
        WorkPolicy(notes: 1, reactions: 1).bits(for: kind) > 0
    }

    /// The bits a draft of this kind gets.
    func bits(for kind: Kind) -> Int {
        switch kind {
        case 1, Comment.kind: notes
        case Reaction.kind: reactions
        default: 0
        }
    }
}

extension WorkPolicy {
    /// Where it is kept.
    static let table = "work"
    /// Under which name.
    static let key = "policy"

    /// The bytes to keep.
    var record: [UInt8] { Array("1 \(notes) \(reactions) \(wraps)".utf8) }

    /// Reads what was kept; `nil` for bytes of another form.
    init?(record: [UInt8]) {
        let words = String(decoding: record, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        guard words.count == 4, words[0] == 1 else { return nil }
        self.init(notes: words[1], reactions: words[2], wraps: words[3])
    }
}

/// Work that is being put into an event right now.
public struct WorkInProgress: Hashable, Sendable {
    /// The bits asked for.
    public var bits: Int
    /// How many nonces were tried.
    public var hashes: UInt64
    /// Hashes per second; 0 in the first moments.
    public var rate: Double
    /// How much longer it takes on average, however long it has gone on; `nil` when that cannot be said.
    public var remaining: Duration?

    /// Work that has just begun; how fast it goes is known after its first report.
    public init(bits: Int, hashes: UInt64 = 0, rate: Double = 0, remaining: Duration? = nil) {
        self.bits = bits
        self.hashes = hashes
        self.rate = rate
        self.remaining = remaining
    }
}
