public import NostrClient
public import NostrCore
internal import NostrRelay

/// How much of what relays hold is here, in a sentence: of one person, of everybody followed, or of what others sent.
public struct CompletenessItem: Hashable, Sendable {
    /// How it stands.
    public let sentence: String
    /// Whether all that was asked for is here.
    public let isComplete: Bool
    /// From when on what relays hold was asked for; `nil` where that is not one moment.
    public let since: Timestamp?
    /// Until when all of it was here, where relays have not given it since the start; `nil` otherwise.
    public let heardUntil: Timestamp?

    /// What is here of one person; `nil` where no relay was ever asked.
    public init?(_ coverage: AuthorCoverage) {
        let relays = Set(coverage.asked.isEmpty ? Array(coverage.heardUntil.keys) : Array(coverage.asked.keys))
        guard !relays.isEmpty else { return nil }
        let open = relays.filter { coverage.asked[$0] != .some(.some(.complete)) }
        sentence = InboundWords.sentence(complete: relays.count - open.count, of: relays.count)
        isComplete = open.isEmpty
        since = relays.compactMap { coverage.heardSince[$0] }.max()
        heardUntil = open.compactMap { coverage.heardUntil[$0] }.min()
    }

    /// What is here of those the account follows; `nil` where that is nobody.
    public init?(_ home: HomeCompleteness) {
        guard home.people > 0 else { return nil }
        sentence = InboundWords.home(home)
        isComplete = home.inFull == home.people
        (since, heardUntil) = (nil, nil)
    }

    /// What is here of what others sent.
    init(_ summary: InboundSummary) {
        sentence = summary.sentence
        isComplete = summary.relays.allSatisfy(\.isComplete)
        since = nil
        heardUntil = summary.relays.compactMap(\.heardUntil).min()
    }

    /// What is here of one person; `nil` for somebody who is not followed, of whom relays are asked as one looks.
    public static func ofPerson(_ key: PublicKey, of account: any Account) async -> CompletenessItem? {
        // A page is of use without it, here and below.
        guard let coverage = try? await account.network.coverage(of: key) else { return nil }
        return CompletenessItem(coverage)
    }

    /// What is here of those the account follows.
    public static func ofHome(of account: any Account) async -> CompletenessItem? {
        guard let home = try? await account.network.completeness() else { return nil }
        return CompletenessItem(home)
    }

    /// What is here of what others sent.
    public static func ofInbound(_ sort: InboundCoverage.Sort, of account: any Account) async -> CompletenessItem? {
        await InboundSummary.load(from: account.network).first { $0.sort == sort }.map { CompletenessItem($0) }
    }
}
