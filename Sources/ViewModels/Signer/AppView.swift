internal import NostrClient
public import NostrCore
internal import NostrNIPs
public import NostrSigner

/// One app: what it is called, how far it is trusted, what it may, and what it did.
public struct AppView: Hashable, Sendable {
    /// The app.
    public let app: AppItem
    /// What its owner calls it; empty until they do.
    public let name: String
    /// What it may, and what it asked for beside that.
    public let permissions: [PermissionItem]
    /// How often per hour it may use the key without being asked about.
    public let perHour: Int?
    /// When it may use the key without being asked about, as `HH:MM` each; `nil` for always.
    public let hours: Hours?
    /// Where it listens.
    public let relays: [String]
    /// Takes the passphrase with a change that gives it more of what is protected; `nil` where none needs it.
    public let passphrase: PassphraseItem?
    /// What it did last, newest first.
    public let history: [ActivityItem]

    /// A part of the day, as a form writes it: `HH:MM`.
    public struct Hours: Hashable, Sendable {
        /// Where it begins and ends.
        public let from: String, until: String
    }

    /// How many lines of its history are shown.
    public static let shownHistory = 20
    /// The longest name, in characters.
    public static let longestName = 60

    /// Reads an app; `nil` when none of that name is paired.
    ///
    /// - Parameter word: its ``AppItem/word``.
    public static func load(
        _ word: String, of signer: any SigningService, now: Timestamp
    ) async throws(Trouble) -> AppView? {
        guard let id = RequestingApp(word) else { return nil }
        do {
            guard let client = try await signer.client(id) else { return nil }
            var query = ActivityQuery(limit: shownHistory)
            query.app = id
            let history = try await signer.activity(query).map(ActivityItem.init)
            return AppView(
                client, try await signer.settings(), history, PassphraseItem(try await signer.passphraseAsking()),
                now: now)
        } catch {
            throw Trouble(error)
        }
    }

    init(
        _ client: SignerClient, _ settings: SignerSettings, _ history: [ActivityItem],
        _ passphrase: PassphraseItem? = nil, now: Timestamp
    ) {
        self.passphrase = passphrase
        app = AppItem(client)
        name = client.name ?? ""
        permissions = permissionItems(of: client, settings, at: now)
        perHour = client.perHour
        hours = client.hours.map { Hours(from: DayHours.text($0.from), until: DayHours.text($0.until)) }
        relays = client.relays.map(\.text)
        self.history = history
    }

    /// The levels of trust there are.
    public var trustChoices: [TrustChoice] { TrustChoice.all(chosen: app.trust) }
}
