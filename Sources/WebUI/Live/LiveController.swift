internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ServiceLifecycle
internal import ViewModels

/// Live updates over server-sent events: short hints, on which the page's script fetches the parts that changed.
///
/// Bounded: a session has at most ``BrowserSession/mostStreams`` open, each keeps one small digest.
struct LiveController {
    let opening: any AccountOpening
    let signers: (any SignerHosting)?
    let clock: WebClock

    func addRoutes(to router: some RouterMethods<WebContext>) {
        // Asked by a script while somebody reads; the guard has noted it by then.
        router.get("/present") { _, _ in Response(status: .noContent) }
        router.get("/events", use: events)
    }

    @Sendable private func events(_ request: Request, _ context: WebContext) async throws -> Response {
        let browser = try context.requireSession().browser
        let desk = try context.requireDesk()
        let newest = request.uri.queryParameters["newest"].flatMap { TimelinePlace(mark: String($0)) }
        let account = request.uri.queryParameters["for"].map(String.init) ?? desk.own.hex
        // A page of an account that is no longer open is told not to ask again.
        guard account == desk.own.hex, let stream = browser.beginStream(of: desk.own) else {
            return Response(status: .noContent)
        }
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                defer { browser.endStream(stream) }
                try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    let feed = await desk.liveFeed(newest: newest)
                    group.addTask { await feed.run() }
                    let signer = await LiveSigning(desk, signers)
                    group.addTask { await signer?.feed.run() }
                    try await deliver(feed, signer, desk, to: &writer) { browser.isOpen(stream: stream) }
                    group.cancelAll()
                }
                try await writer.finish(nil)
            })
    }

    @concurrent
    private func deliver(
        _ feed: LiveFeed, _ signer: LiveSigning?, _ desk: Desk, to writer: inout any ResponseBodyWriter,
        while isOpen: () -> Bool
    ) async throws {
        try await writer.write(ByteBuffer(string: await connectionMessage(desk) + messagingMessage(desk)))
        if let signer { try await writer.write(ByteBuffer(string: await signer.message([]))) }
        var silence = 0
        var round = 0
        var isLocked: Bool?
        while isOpen(), !Task.isCancelled, !Task.isShuttingDownGracefully {
            if round % lockRounds == 0 {
                let locked = await opening.isLocked(desk.own)
                if locked != isLocked {
                    try await writer.write(ByteBuffer(string: "event: locked\ndata: \(locked)\n\n"))
                }
                isLocked = locked
            }
            round += 1
            try await clock.sleep(deliveryPause)
            if let changes = signer?.feed.takeChanges(), !changes.isEmpty, let text = await signer?.message(changes) {
                silence = 0
                try await writer.write(ByteBuffer(string: text))
            }
            if let digest = feed.takeDigest() {
                silence = 0
                let text = await message(digest, desk)
                if !text.isEmpty { try await writer.write(ByteBuffer(string: text)) }
            } else {
                silence += 1
                if silence % silentRounds == 0 { try await writer.write(ByteBuffer(string: ": still here\n\n")) }
            }
        }
    }

    private func message(_ digest: LiveDigest, _ desk: Desk) async -> String {
        var text = messages(digest)
        if digest.messagingChanged || digest.missed { text += await messagingMessage(desk) }
        if digest.connectionChanged || digest.missed { text += await connectionMessage(desk) }
        return text
    }
}

/// How often what gathered is delivered, and how many silent rounds lead to a heartbeat.
private let deliveryPause = Duration.milliseconds(250)
private let silentRounds = 60
/// How often it is looked whether the key is still open.
private let lockRounds = 4

/// The signer of an account, for one open page.
private struct LiveSigning {
    let feed: SignerFeed
    private let signer: AccountSigner

    init?(_ desk: Desk, _ signers: (any SignerHosting)?) async {
        guard let signer = await signers?.signer(of: desk.own) else { return nil }
        self.signer = signer
        feed = await SignerFeed(of: signer)
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
    if let waiting = digest.waitingNotes { text += "event: waiting\ndata: \(waiting)\n\n" }
    if !digest.touched.isEmpty { text += "event: touched\ndata: \(words(digest.touched))\n\n" }
    if !digest.receipts.isEmpty { text += "event: receipts\ndata: \(words(digest.receipts))\n\n" }
    if !digest.conversations.isEmpty {
        text += "event: conversation\ndata: \(digest.conversations.sorted().joined(separator: " "))\n\n"
    }
    if digest.circlesChanged {
        // Browsers drop an event without a word: the list itself is the first.
        text += "event: circle\ndata: \((["list"] + digest.circles.sorted()).joined(separator: " "))\n\n"
    }
    if digest.olderCame { text += "event: older\ndata: 1\n\n" }
    if digest.searchAnswered { text += "event: search\ndata: 1\n\n" }
    if digest.missed { text += "event: missed\ndata: 1\n\n" }
    return text
}

private func words(_ ids: Set<EventID>) -> String {
    ids.sorted().map(\.hex).joined(separator: " ")
}

private func connectionMessage(_ desk: Desk) async -> String {
    let html = connectionView(await desk.connection())
    return "event: connection\ndata: \(html.text.replacing("\n", with: " "))\n\n"
}

/// Whether messages can be read, and how many conversations wait: known ones, then requests.
private func messagingMessage(_ desk: Desk) async -> String {
    let unread = await desk.unread()
    return "event: messaging\ndata: \(unread.access.word) \(unread.known) \(unread.requests)\n\n"
}
