public import NostrCore

/// A question that is answered by paying: kind 6969.
///
/// No NIP describes it; this is the form that is found on relays. Votes are receipts of payments (NIP-57) whose request
/// names an answer with `poll_option`.
public struct ZapPoll: Hashable, Sendable {
    /// The kind of a zap poll.
    public static let kind: Kind = 6969
    /// Polls with more answers than this are not read as polls.
    public static let mostRead = 64
    /// The tag of a request (kind 9734) that says what the payment is for.
    public static let optionTag = "poll_option"

    /// One answer to pay for.
    public struct Option: Hashable, Sendable {
        /// Its number, as the author wrote it.
        public let index: Int
        /// What it says.
        public let label: String

        /// An answer with its number.
        public init(index: Int, label: String) {
            self.index = index
            self.label = label
        }
    }

    /// The poll's own id.
    public let id: EventID
    /// Who asks, and is paid.
    public let author: PublicKey
    /// The answers, in the author's order, each number once.
    public let options: [Option]
    /// The smallest payment that counts, in satoshis.
    public let minimum: Int64?
    /// The largest payment that counts, in satoshis.
    public let maximum: Int64?
    /// The share of all money that an answer needs to have won, in per cent, 0 to 100.
    public let threshold: Int?
    /// The last second in which a payment counts; `nil` for a poll without end.
    public let closedAt: Timestamp?
    /// Where receipts are to be published.
    public let relays: [RelayURL]

    /// Reads an event; `nil` unless it is of kind 6969 and has at least two answers.
    ///
    /// Numbers that are none are as good as missing; a threshold beyond 0 to 100 is brought into it.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        var seen: Set<Int> = []
        let options = event.tags.named(Self.optionTag).compactMap { tag -> Option? in
            guard let index = tag[1].flatMap({ Int(decimal: $0) }), seen.insert(index).inserted else { return nil }
            return Option(index: index, label: tag[2] ?? "")
        }
        guard (2...Self.mostRead).contains(options.count) else { return nil }
        id = event.id
        author = event.pubkey
        self.options = options
        minimum = event.tags.firstValue("value_minimum").flatMap { Int64(decimal: $0) }
        maximum = event.tags.firstValue("value_maximum").flatMap { Int64(decimal: $0) }
        threshold = event.tags.firstValue("consensus_threshold").flatMap(Self.share)
        closedAt = event.tags.firstValue("closed_at").flatMap { Int64(decimal: $0) }.map { Timestamp(seconds: $0) }
        relays = Array(
            event.tags.named("relay").prefix(64).compactMap { $0.relay(at: 1) }.withoutDuplicates()
                .prefix(Poll.mostRelays))
    }

    /// Whether no payment counts any more.
    public func hasEnded(at now: Timestamp) -> Bool { closedAt.map { $0 < now } ?? false }

    /// What a request to pay (kind 9734) chooses; `nil` where it chooses nothing.
    public static func option(of request: Event) -> Int? {
        request.tags.firstValue(optionTag).flatMap { Int(decimal: $0) }
    }

    /// Digits, with a sign before them: what is below 0 is 0, what is above 100 is 100.
    private static func share(_ text: String) -> Int? {
        let isNegative = text.hasPrefix("-")
        guard let number = Int(decimal: isNegative ? String(text.dropFirst()) : text) else { return nil }
        return isNegative ? 0 : min(number, 100)
    }
}
