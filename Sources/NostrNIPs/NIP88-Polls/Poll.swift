public import NostrCore

/// A question with answers to choose from: kind 1068.
///
/// Source: NIP-88.
public struct Poll: Hashable, Sendable {
    /// The kind of a poll.
    public static let kind: Kind = 1068
    /// Polls with more answers than this are not read as polls.
    public static let mostRead = 64
    /// How many answers are written.
    public static let written = 2...10
    /// The longest identifier of an answer that is read, in bytes.
    static let longestIdentifier = 64
    /// The most relays that are read.
    static let mostRelays = 20

    /// One answer to choose.
    public struct Option: Hashable, Sendable {
        /// What votes name it by; others' text, seldom meant for people.
        public let id: String
        /// What it says.
        public let label: String

        /// An answer with its identifier.
        public init(id: String, label: String) {
            self.id = id
            self.label = label
        }
    }

    /// How many answers a person may choose.
    public enum Choice: String, Hashable, Sendable {
        /// One; also what holds where a poll says nothing.
        case single = "singlechoice"
        /// Any number.
        case multiple = "multiplechoice"
    }

    /// The poll's own id.
    public let id: EventID
    /// Who asks.
    public let author: PublicKey
    /// The answers, in the author's order, each identifier once.
    public let options: [Option]
    /// How many a person may choose.
    public let choice: Choice
    /// The last second in which a vote counts; `nil` for a poll without end.
    public let endsAt: Timestamp?
    /// Where votes are to be published, in the author's order.
    public let relays: [RelayURL]

    /// Reads an event; `nil` unless it is of kind 1068 and has at least two answers.
    ///
    /// An end that is no number is no end, and a type that is unknown is ``Choice/single``.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        var seen: Set<String> = []
        let options = event.tags.named("option").compactMap { tag -> Option? in
            guard let id = tag.text(at: 1), id.utf8.count <= Self.longestIdentifier, seen.insert(id).inserted else {
                return nil
            }
            return Option(id: id, label: tag[2] ?? "")
        }
        guard (2...Self.mostRead).contains(options.count) else { return nil }
        id = event.id
        author = event.pubkey
        self.options = options
        choice = event.tags.firstValue("polltype").flatMap(Choice.init(rawValue:)) ?? .single
        endsAt = event.tags.firstValue("endsAt").flatMap { Int64(decimal: $0) }.map { Timestamp(seconds: $0) }
        relays = Array(
            event.tags.named("relay").prefix(64).compactMap { $0.relay(at: 1) }.withoutDuplicates()
                .prefix(Self.mostRelays))
    }

    /// Whether no vote counts any more.
    public func hasEnded(at now: Timestamp) -> Bool { endsAt.map { $0 < now } ?? false }

    /// The tags that make a note a poll.
    ///
    /// - Parameter options: with identifiers that differ; see ``identifiers(_:using:)``.
    public static func tags(
        options: [Option], choice: Choice, endsAt: Timestamp?, relays: [RelayURL]
    ) -> [Tag] {
        var tags = options.map { Tag(["option", $0.id, $0.label]) }
        tags += relays.map { Tag(["relay", $0.text]) }
        tags.append(["polltype", choice.rawValue])
        if let endsAt { tags.append(["endsAt", String(endsAt.seconds)]) }
        return tags
    }

    /// New identifiers that differ: nine characters of `a-z0-9`.
    public static func identifiers(_ count: Int, using random: inout some RandomNumberGenerator) -> [String] {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
        var found: [String] = []
        while found.count < count {
            let id = String((0..<9).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
            if !found.contains(id) { found.append(id) }
        }
        return found
    }
}
