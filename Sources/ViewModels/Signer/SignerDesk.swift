internal import NostrClient
public import NostrCore
internal import NostrSigner

/// An account's signer as a face meets it: makes its screens.
public struct SignerDesk: Sendable {
    let service: any SigningService
    let account: any Account

    init(_ service: any SigningService, of account: any Account) {
        self.service = service
        self.account = account
    }

    /// What waits.
    public func requests(now: Timestamp) -> ScreenModel<RequestsState> {
        ScreenModel(requestsOf: service, account, now: now)
    }
    /// One request in full.
    public func request(_ id: EventID, now: Timestamp) -> ScreenModel<RequestState> {
        ScreenModel(request: id, of: service, account, now: now)
    }
    /// The apps.
    public func apps() -> ScreenModel<AppsState> { ScreenModel(appsOf: service) }
    /// One app; `nil` for what names none.
    ///
    /// - Parameter word: its ``AppItem/word``.
    public func app(_ word: String, now: Timestamp) -> ScreenModel<AppState>? {
        RequestingApp(word).map { ScreenModel(app: $0, of: service, now: now) }
    }
    /// The log.
    public func activity(_ search: ActivityState.Search) -> ScreenModel<ActivityState> {
        ScreenModel(activity: search, of: service)
    }
    /// Pairing with an app.
    public func connect(now: Timestamp) -> ScreenModel<ConnectState> { ScreenModel(connect: service, now: now) }
    /// The relays.
    public func relays() -> ScreenModel<SignerRelaysState> { ScreenModel(signerRelaysOf: service) }
    /// What holds for all apps.
    public func settings() -> ScreenModel<SignerSettingsState> { ScreenModel(signerSettingsOf: service) }

    // Reading on the spot

    /// How much waits; nothing when that cannot be told now.
    public func backlog() async -> BacklogItem {
        // A page without a badge is better than no page.
        BacklogItem((try? await service.backlog()) ?? SigningBacklog())
    }

    /// A part of the log as JSON lines, newest first, for export.
    ///
    /// - Returns: the lines with their ends, and where the next part begins; `nil` at the end.
    public func activityLines(
        _ search: ActivityState.Search
    ) async throws(Trouble) -> (text: String, next: Int64?) {
        let limit = 500
        do {
            let entries = try await service.activity(search.query(limit: limit))
            let text = entries.map { $0.json + "\n" }.joined()
            return (text, entries.count == limit ? entries.last?.id : nil)
        } catch {
            throw Trouble(error)
        }
    }

    /// Listens for one open page.
    public func feed() async -> SignerFeed { SignerFeed(await service.changes()) }
}

extension Desk {
    /// The signer of this account; `nil` where there is none.
    public func signer(_ signers: (any SignerHosting)?) async -> SignerDesk? {
        await signers?.signer(of: own).map { SignerDesk($0, of: account) }
    }
}

/// How much waits for the person, for a badge and a notification.
public struct BacklogItem: Hashable, Sendable {
    /// How many requests wait.
    public let count: Int
    /// What the apps are called that ask, one line each, at most ``mostTitles``.
    public let titles: [String]

    /// How many apps are named.
    public static let mostTitles = 5

    init(_ backlog: SigningBacklog) {
        count = backlog.requests
        titles = backlog.titles.prefix(Self.mostTitles).map { oneLine($0, limit: 60) }
    }
}
