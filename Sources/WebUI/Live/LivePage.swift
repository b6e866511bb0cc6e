internal import AsyncPrimitives
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ServiceLifecycle
internal import ViewModels

/// What the open pages of one browser are sent, from its first words until they close.
///
/// It sleeps until its bell rings: something happened, the pages were closed, or the program ends. While nothing happens
/// it wakes for the heartbeat alone.
struct LivePage: Sendable {
    /// After so long without a word the page is told that the line still stands.
    static let heartbeat = Duration.seconds(15)
    /// What happens within this time of the first change goes out with it.
    static let gathering = Duration.milliseconds(250)

    private let account: any Account
    private let opening: any AccountOpening
    private let clock: any Clock<Duration>
    private let bell: Doorbell
    let feed: LiveFeed
    private let signing: LiveSigning?

    /// Listens from here on.
    ///
    /// - Parameters:
    ///   - account: whose news.
    ///   - signer: its signer, where it has one.
    ///   - opening: knows whether the account is locked.
    ///   - clock: what heartbeats go by.
    ///   - bell: rung by the session when the stream is closed.
    init(
        of account: any Account, signer: AccountSigner?, opening: any AccountOpening,
        clock: any Clock<Duration>, bell: Doorbell
    ) async {
        self.account = account
        self.opening = opening
        self.clock = clock
        self.bell = bell
        feed = await LiveFeed(account, bell: bell)
        signing = if let signer { await LiveSigning(signer, bell) } else { nil }
    }

    /// Sends what happens, until the page is closed, the task is cancelled, or the program ends.
    @concurrent
    func run(to writer: inout any ResponseBodyWriter, while isOpen: @Sendable () -> Bool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await feed.run() }
            group.addTask { await signing?.feed.run() }
            group.addTask {
                // A page that is closed first needs no waking.
                guard (try? await gracefulShutdown()) != nil else { return }
                bell.ring()
            }
            try await deliver(to: &writer, while: isOpen)
            group.cancelAll()
        }
    }

    @concurrent
    private func deliver(to writer: inout any ResponseBodyWriter, while isOpen: () -> Bool) async throws {
        var isLocked = await opening.isLocked(account.publicKey)
        let standing =
            await connectionMessage(account) + messagingMessage(account) + lockMessage(isLocked)
            + notificationsMessage(account)
        try await writer.write(ByteBuffer(string: "retry: 2000\n\n" + standing))
        if let signing { try await writer.write(ByteBuffer(string: await signing.message([]))) }
        while isOpen(), !Task.isCancelled, !Task.isShuttingDownGracefully {
            let text = await news(&isLocked)
            if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
            if await withDeadline(Self.heartbeat, on: clock, { await bell.wait() }) == nil {
                try await writer.write(ByteBuffer(string: ": still here\n\n"))
            } else if isOpen() {
                try await clock.sleep(for: Self.gathering)
            }
        }
    }

    /// What gathered since the last time, as events; empty when nothing did.
    private func news(_ isLocked: inout Bool) async -> String {
        var text = ""
        if let changes = signing?.feed.takeChanges(), !changes.isEmpty { text += await signing?.message(changes) ?? "" }
        guard let digest = feed.takeDigest() else { return text }
        text += messages(digest)
        if digest.messagingChanged || digest.missed { text += await messagingMessage(account) }
        if digest.notificationsChanged || digest.missed { text += await notificationsMessage(account) }
        if digest.connectionChanged || digest.missed { text += await connectionMessage(account) }
        if digest.lockChanged || digest.missed {
            let before = isLocked
            isLocked = await opening.isLocked(account.publicKey)
            if isLocked != before { text += lockMessage(isLocked) }
        }
        return text
    }
}

/// The signer of an account, for one open page.
private struct LiveSigning: Sendable {
    let feed: SignerFeed
    private let signer: AccountSigner

    init(_ signer: AccountSigner, _ bell: Doorbell) async {
        self.signer = signer
        feed = await SignerFeed(of: signer, bell: bell)
    }

    /// How many requests wait, what changed, and the apps that ask.
    func message(_ changes: [String]) async -> String {
        let backlog = await BacklogItem.load(of: signer)
        let words = [String(backlog.count), changes.joined(separator: ",")] + backlog.titles.map(encodePercent)
        return "event: signer\ndata: \(words.joined(separator: " "))\n\n"
    }
}

private func messages(_ digest: LiveDigest) -> String {
    var text = ""
    if !digest.homeNotes.isEmpty {
        text += "event: notes\ndata: \(digest.homeNotes.map(\.mark).sorted().joined(separator: " "))\n\n"
    }
    for (feed, notes) in digest.feedNotes.sorted(by: { $0.key < $1.key }) {
        text += "event: feed\ndata: \(([feed] + notes.map(\.mark).sorted()).joined(separator: " "))\n\n"
    }
    if !digest.touched.isEmpty { text += "event: touched\ndata: \(words(digest.touched))\n\n" }
    if !digest.receipts.isEmpty { text += "event: receipts\ndata: \(words(digest.receipts))\n\n" }
    if !digest.conversations.isEmpty {
        text += "event: conversation\ndata: \(digest.conversations.sorted().joined(separator: " "))\n\n"
    }
    if !digest.streams.isEmpty {
        text += "event: stream\ndata: \(digest.streams.sorted().joined(separator: " "))\n\n"
    }
    if digest.circlesChanged {
        // Browsers drop an event without a word: the list itself is the first.
        text += "event: circle\ndata: \((["list"] + digest.circles.sorted()).joined(separator: " "))\n\n"
    }
    if digest.olderCame { text += "event: older\ndata: 1\n\n" }
    if digest.searchAnswered { text += "event: search\ndata: 1\n\n" }
    if digest.listsChanged { text += "event: lists\ndata: 1\n\n" }
    if digest.missed { text += "event: missed\ndata: 1\n\n" }
    return text
}

private func words(_ ids: Set<EventID>) -> String {
    ids.sorted().map(\.hex).joined(separator: " ")
}

private func lockMessage(_ isLocked: Bool) -> String { "event: locked\ndata: \(isLocked)\n\n" }

private func connectionMessage(_ account: any Account) async -> String {
    let html = connectionView(ConnectionItem(await account.network.connection()))
    return "event: connection\ndata: \(html.text.replacing("\n", with: " "))\n\n"
}

/// How much concerns the account and is unread, and the date of the newest that came while the program runs, 0 for none;
/// nothing for an account that has no notifications.
private func notificationsMessage(_ account: any Account) async -> String {
    let actions = NotificationActions(of: account)
    guard let unread = await actions.unread() else { return "" }
    return "event: notifications\ndata: \(unread) \(actions.newest?.seconds ?? 0)\n\n"
}

/// Whether messages can be read, and how many conversations wait: known ones, then requests.
private func messagingMessage(_ account: any Account) async -> String {
    let unread = await MessageActions(of: account).unread()
    return "event: messaging\ndata: \(unread.access.word) \(unread.known) \(unread.requests)\n\n"
}
