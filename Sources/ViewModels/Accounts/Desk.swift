public import NostrClient
public import NostrCore

/// An open account as a face meets it: makes its screens and does what a person asks for on the spot.
public struct Desk: Sendable {
    /// The account, for what controllers ask of its features.
    public let account: any Account

    /// Sits down at an account.
    public init(_ account: any Account) {
        self.account = account
    }

    /// Whose.
    public var own: PublicKey { account.publicKey }
    /// Whether there is a key to sign with.
    public var canSign: Bool { account.canSign }

    /// Whether there are lists and drafts to look at.
    public var hasLists: Bool { account.lists != nil }
    /// Whether earlier versions are kept.
    public var hasHistory: Bool { account.history != nil }

    // Screens

    /// The notes of the people one follows.
    public func home(newest: TimelineCursor? = nil) -> ScreenModel<TimelineState> {
        ScreenModel(.home, of: account, newest: newest)
    }
    /// The notes with a hashtag.
    public func hashtag(_ tag: String) -> ScreenModel<TimelineState> {
        ScreenModel(.hashtag(tag.lowercased()), of: account)
    }
    /// One's own profile under the pen.
    public func profileEdit() -> ScreenModel<ProfileEdit> {
        ScreenModel(editing: account)
    }
    /// A page to write on.
    public func compose(replyTo: EventID?, quote: EventID?, keptAs: String? = nil) -> ScreenModel<ComposeState> {
        ScreenModel(replyTo: replyTo, quote: quote, keptAs: keptAs, of: account)
    }

    // Reading on the spot

    /// Oneself.
    public func ownPerson() async -> PersonItem {
        // A page without one's own picture is better than no page.
        PersonItem((try? await account.people.person(own)) ?? Person(key: own))
    }
    /// One note.
    public func note(_ id: EventID) async -> NoteItem? {
        // A note nobody has is no note; the page says so.
        (try? await account.timeline.thread(id, hints: []))?.focus.flatMap { NoteItem($0, own: own) }
    }
    /// Where one's own note was offered.
    public func receipts(of id: EventID) async throws(Trouble) -> [ReceiptItem] {
        do { return try await account.publishing.receipts(for: id).map(ReceiptItem.init) } catch {
            throw Trouble(error)
        }
    }
    /// How the network stands.
    public func connection() async -> ConnectionItem { ConnectionItem(await account.network.connection()) }
    /// What completes the word under the caret.
    public func completions(_ word: String) async -> [Completion] { await Completion.matching(word, of: account) }

    // Acting

    /// Likes a note.
    public func like(_ id: EventID) async throws(Trouble) {
        try await act { _ = try await $0.publishing.react(to: id, with: "+") }
    }
    /// Reposts a note.
    public func repost(_ id: EventID) async throws(Trouble) { try await act { _ = try await $0.publishing.repost(id) } }
    /// Asks relays to delete one's own note.
    public func delete(_ id: EventID) async throws(Trouble) {
        try await act { _ = try await $0.publishing.delete([id]) }
    }
    /// Follows or unfollows.
    public func setFollowing(_ key: PublicKey, _ following: Bool) async throws(Trouble) {
        try await act { _ = try await $0.follows.set(key, following) }
    }
    /// Hands what was written over, to go out after a moment.
    public func hold(
        _ composed: ComposeState, in outgoing: OutgoingNotes, signsAtOnce: Bool = false
    ) async -> String? {
        guard let composition = composed.handedOver else { return nil }
        return await outgoing.hold(
            composition, draft: composed.draft, keptAs: composed.keptAs, signsAtOnce: signsAtOnce, of: account)
    }

    func act(_ body: (any Account) async throws -> Void) async throws(Trouble) {
        do { try await body(account) } catch { throw Trouble(error) }
    }
}

/// How the network stands, in one line.
public struct ConnectionItem: Hashable, Sendable {
    /// Relays connected, of those wanted.
    public let connected: Int, wanted: Int
    /// Own events waiting to be delivered.
    public let queued: Int

    /// Reads a summary.
    public init(_ summary: ConnectionSummary) {
        connected = summary.connected
        wanted = summary.wanted
        queued = summary.queued
    }
}
