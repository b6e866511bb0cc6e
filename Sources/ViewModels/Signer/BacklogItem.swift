public import NostrSigner

/// The signer of an account, as faces pass it around.
public typealias AccountSigner = any SigningService

/// How much waits for the person, for a badge and a notification.
public struct BacklogItem: Hashable, Sendable {
    /// How many requests wait.
    public let count: Int
    /// What the apps are called that ask, one line each, at most ``mostTitles``.
    public let titles: [String]

    /// How many apps are named.
    public static let mostTitles = 5

    /// Reads how much waits; nothing when that cannot be told now.
    public static func load(of signer: any RequestDeciding) async -> BacklogItem {
        // A page without a badge is better than no page.
        BacklogItem((try? await signer.backlog()) ?? SigningBacklog())
    }

    init(_ backlog: SigningBacklog) {
        count = backlog.requests
        titles = backlog.titles.prefix(Self.mostTitles).map { oneLine($0, limit: 60) }
    }
}
