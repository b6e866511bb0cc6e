internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Notes as relays give them out: of one relay, of a set, of the favourites.
struct RelayFeedController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/relays/notes", use: ofRelay)
        router.get("/lists/:kind/notes", use: ofList)
    }

    @Sendable private func ofRelay(_ request: Request, _ context: WebContext) async throws -> Response {
        let relay = request.query["relay"]
        return try await page(
            try .one(relay), at: Path("/relays/notes").with("relay", relay), back: "/relays", request, context)
    }

    @Sendable private func ofList(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let number = UInt16(try context.parameters.require("kind")) else { throw HTTPError(.notFound) }
        let (kind, identifier) = (Kind(number), request.query["d"])
        let path: Path = "/lists/\(number)/notes"
        return try await page(
            try await .list(kind, identifier, of: try context.requireAccount()),
            at: identifier.isEmpty ? path : path.with("d", identifier), back: listPath(kind, identifier),
            request, context)
    }

    private func page(
        _ feed: RelayFeed, at path: Path, back: Path, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let account = try context.requireAccount()
        let state = await ScreenModel(feed.source, of: account).send(.opened(below: request.timelineMark))
        let list = noteListView(
            NoteList(
                state: state, path: path, token: try context.requireSession().formToken,
                style: pages.noteStyle(context)))
        if isFragment(request) { return list.response() }
        let questions = try await RelayConsentPage.load(from: account).questions
        let asking = feed.relays.filter { relay in questions.contains { $0.address == relay.text } }.count
        return try await pages.page(
            title: feed.title, at: .relays, relayFeedView(feed, list, back: back, asking: asking),
            beside: relayFeedAside,
            parts: [.notes, .sheets], request: request, context: context)
    }
}

/// The main column of a feed of relays.
///
/// - Parameter asking: how many of the relays show notes only to people they know, and wait for an answer.
func relayFeedView(_ feed: RelayFeed, _ list: HTML, back: Path, asking: Int) -> HTML {
    """
    <div class="head"><a class="back" href="\(back)" aria-label="Back">\(icon(.back))</a><h1>\(feed.title)</h1></div>
    <p class="list-lead">Everything that comes from \(feed.words), also by people you do not follow.\(some: feed.left, { " \($0)" })</p>
    \(if: asking > 0, "<p class=\"strip\">\(if: feed.relays.count == 1, "This relay shows its notes", else: "\(asking) of these relays show their notes") only to people \(if: feed.relays.count == 1, "it knows", else: "they know"). <a href=\"/relays/auth\">Answer</a></p>")
    \(list)
    """
}

/// What stands beside a feed of relays.
private let relayFeedAside: HTML = """
    <section class="side"><h2>How to read this</h2><p>A relay shows what it likes to. These notes are checked for who wrote them, and nothing else: whom you mute stays hidden, strangers do not.</p></section>
    """
