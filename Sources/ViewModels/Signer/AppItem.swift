public import NostrCore
internal import NostrNIPs
public import NostrSigner

/// An app that is paired with the signer, as screens show it.
public struct AppItem: Hashable, Sendable, Identifiable {
    /// Its name in addresses and forms.
    public let word: String
    /// What to call it: its owner's name for it, else its claim, else the start of its key or its origin; one line.
    public let title: String
    /// Whether ``title`` is only what the app says of itself.
    public let isTitleClaimed: Bool
    /// The name it claims, where its owner calls it something else.
    public let claimedName: String?
    /// The page it claims to have; shown as text.
    public let claimedPage: String?
    /// What it cannot borrow from another app: the start of its key, or where its links lead.
    public let mark: String
    /// Whether it asks by links on this machine.
    public let isLink: Bool
    /// Whether it can be told from other apps; a link without a callback comes from nobody in particular.
    public let isKnown: Bool
    /// How far it is trusted: `full`, `medium`, `low`.
    public let trust: String
    /// The same for a person.
    public let trustTitle: String
    /// When it was paired.
    public let connected: Timestamp
    /// When it last asked for anything.
    public let lastSeen: Timestamp?
    /// How many requests it made.
    public let requests: Int

    /// Whether it was ever heard; one that was invited, or whose invitation was taken, may never answer.
    public var hasAnswered: Bool { lastSeen != nil || isLink }

    public var id: String { word }

    /// The apps that are paired with a signer, the one seen last first.
    public static func all(of signer: any AppKeeping) async throws(Trouble) -> [AppItem] {
        do { return try await signer.clients().map(AppItem.init) } catch { throw Trouble(error) }
    }

    /// Reads what a screen needs from an app.
    public init(_ client: SignerClient) {
        word = client.app.text
        mark = client.app.mark
        if case .remote = client.app { isLink = false } else { isLink = true }
        isKnown = client.app.isKnown
        let shown = oneLine(client.title, limit: 60)
        title = shown.isEmpty ? mark : shown
        isTitleClaimed = client.isTitleClaimed && !shown.isEmpty
        let claimed = oneLine(client.claims.name ?? "", limit: 60)
        claimedName = claimed.isEmpty || claimed == title ? nil : claimed
        claimedPage = client.claims.url.map { oneLine($0, limit: 100) }.flatMap { $0.isEmpty ? nil : $0 }
        trust = client.trust.rawValue
        trustTitle = client.trust.title
        connected = client.connected
        lastSeen = client.lastSeen
        requests = client.requests
    }
}

extension RequestingApp {
    /// What it cannot borrow from another app, short.
    var mark: String {
        switch self {
        case .remote(let key): SignerWords.key(key)
        case .link(let destination) where isWholeSite: SignerWords.wholeSite(oneLine(destination, limit: 60))
        case .link(let destination): oneLine(destination, limit: 60)
        case .anonymousLink: SignerWords.nobodyInParticular
        }
    }
}
