public import NostrClient
public import NostrCore

/// What one relay gave of what others sent to the account, as a screen shows it.
public struct InboundItem: Hashable, Sendable, Identifiable {
    /// The relay's address.
    public let address: String
    /// Its address without the scheme.
    public let name: String
    /// What was sent.
    public let sort: InboundCoverage.Sort
    /// Whether all it holds is here.
    public let isComplete: Bool
    /// How it stands, in a few words.
    public let words: String
    /// Until when all it holds has come, where it gives nothing now; `nil` otherwise.
    public let heardUntil: Timestamp?
    /// How many events came from there.
    public let received: Int

    public var id: String { sort.rawValue + " " + address }

    /// Reads a coverage.
    public init(_ coverage: InboundCoverage) {
        address = coverage.relay.text
        name = shortAddress(coverage.relay)
        sort = coverage.sort
        isComplete = coverage.standing == .complete
        words = InboundWords.standing(coverage.standing)
        heardUntil = isComplete ? nil : coverage.heardUntil
        received = coverage.received
    }
}

/// How complete messages, or notifications, are over all relays that may hold some.
public struct InboundSummary: Hashable, Sendable, Identifiable {
    /// What it is about.
    public let sort: InboundCoverage.Sort
    /// What that is called.
    public let title: String
    /// How it stands, in a sentence.
    public let sentence: String
    /// The relays, in the order of the list they stand on.
    public let relays: [InboundItem]

    public var id: InboundCoverage.Sort { sort }

    /// One summary for each sort that has a relay.
    public static func all(_ coverages: [InboundCoverage]) -> [InboundSummary] {
        InboundCoverage.Sort.allCases.compactMap { sort in
            let relays = coverages.filter { $0.sort == sort }.map(InboundItem.init)
            guard !relays.isEmpty else { return nil }
            return InboundSummary(
                sort: sort, title: InboundWords.title(sort),
                sentence: InboundWords.sentence(complete: relays.count { $0.isComplete }, of: relays.count),
                relays: relays)
        }
    }

    /// How complete messages and notifications are; nothing where that cannot be read now.
    public static func load(from network: any NetworkReporting) async -> [InboundSummary] {
        // The other figures are of use without these.
        all((try? await network.inbound()) ?? [])
    }
}
