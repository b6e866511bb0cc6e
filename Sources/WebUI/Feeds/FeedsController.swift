internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// Feeds beside home: of relays, of lists of people, notes and topics, one's own and others', of a hashtag, of what is
/// trending; and choosing one.
struct FeedsController {
    let pages: PageRenderer
    let personal: any PersonalSettingsKeeping

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.post("/feeds", use: choose)
        router.get("/relays/notes", use: ofRelay)
        router.get("/lists/:kind/notes", use: ofList)
        router.get("/people/:key/lists/:kind", use: ofSharedList)
        router.get("/tags/:tag", use: ofTopic)
        router.get("/trending", use: trending)
    }

    /// Keeps what was chosen, and goes there.
    @Sendable private func choose(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let form = context.form
        let choice = form.has("written") ? FeedChoice(written: form["written"]) : FeedChoice(word: form["feed"])
        guard let choice else {
            try context.requireSession().browser.leave(Notice(sentence: FeedChooser.notWritten, isProblem: true))
            return redirect(to: context.back(else: "/home"))
        }
        var chosen = context.personal
        chosen.feed = choice
        do { try await personal.keep(chosen, of: account.publicKey) } catch { throw Trouble(error) }
        return redirect(to: feedPath(choice))
    }

    @Sendable private func ofRelay(_ request: Request, _ context: WebContext) async throws -> Response {
        let written = request.query["relay"]
        guard let relay = try RelayFeed.one(written).relays.first else { throw HTTPError(.notFound) }
        return try await page(
            .relay(relay), at: Path("/relays/notes").with("relay", written), back: "/relays", entry: .relays,
            request, context)
    }

    @Sendable private func ofList(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let number = UInt16(try context.parameters.require("kind")) else { throw HTTPError(.notFound) }
        let choice = FeedChoice.list(Kind(number), identifier: request.query["d"])
        let isOfRelays = FeedChoice.content(of: Kind(number)) == .relays
        return try await page(
            choice, at: feedPath(choice), back: listPath(Kind(number), request.query["d"]),
            entry: isOfRelays ? .relays : .none, request, context)
    }

    @Sendable private func ofSharedList(_ request: Request, _ context: WebContext) async throws -> Response {
        let owner = try context.requirePerson()
        guard let number = UInt16(try context.parameters.require("kind")) else { throw HTTPError(.notFound) }
        let choice = FeedChoice.shared(
            EventAddress(kind: Kind(number), author: owner, identifier: request.query["d"]))
        return try await page(
            choice, at: feedPath(choice), back: "/people/\(owner)", entry: .none, request, context)
    }

    @Sendable private func ofTopic(_ request: Request, _ context: WebContext) async throws -> Response {
        let topic = decodePercent(try context.parameters.require("tag")).lowercased()
        return try await page(.topic(topic), at: "/tags/\(topic)", back: nil, entry: .none, request, context)
    }

    @Sendable private func trending(_ request: Request, _ context: WebContext) async throws -> Response {
        let query = request.query
        let server = context.personal.trendingServer.relay
        let choice = TrendingPage.choice(
            measure: query["by"], span: query["within"], counter: query["from"], server: server)
        return try await page(
            .trending, at: trendingPath(choice), back: nil, entry: .none, trending: choice, request, context)
    }

    private func page(
        _ choice: FeedChoice, at path: Path, back: Path?, entry: NavigationEntry,
        trending: TrendingChoice = TrendingChoice(.reactions, .today), _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let account = try context.requireAccount()
        let token = try context.requireSession().formToken
        let feed = try await Feed.load(choice, of: account, trending: trending)
        let state = await timeline(feed.source, of: account, request)
        let list = noteListView(
            NoteList(state: state, path: path, token: token, style: pages.noteStyle(context)))
        if isFragment(request) { return list.response() }
        let asking = feed.relays.isEmpty ? 0 : try await self.asking(feed.relays, account)
        let view = FeedView(
            feed: feed, path: path, back: back, asking: asking,
            trending: choice == .trending
                ? TrendingPage(trending, server: context.personal.trendingServer.relay) : nil,
            chooser: feedChooserView(
                await .load(at: choice, called: feed.title, of: account), back: path, token))
        return try await pages.page(
            title: feed.title, at: entry, feedView(view, list), beside: feedAside(feed.source),
            parts: [.notes, .sheets], request: request, context: context)
    }

    /// How many of some relays wait for an answer before they show anything.
    private func asking(_ relays: Set<RelayURL>, _ account: any Account) async throws -> Int {
        let questions = try await RelayConsentPage.load(from: account).questions
        return relays.filter { relay in questions.contains { $0.address == relay.text } }.count
    }
}

/// A part of a timeline: from its top or below a place; or what a page does not show yet, for its script.
func timeline(_ source: TimelineSource, of account: any Account, _ request: Request) async -> TimelineState {
    guard request.query.has("above") else {
        return await ScreenModel(source, of: account).send(.opened(below: request.timelineMark))
    }
    return await news(source, of: account, request)
}

/// What came since a page was drawn: the newest above a place, without the notes that it shows.
func news(_ source: TimelineSource, of account: any Account, _ request: Request) async -> TimelineState {
    let query = request.query
    let shown = ShownNotes(above: query["above"], words: query["shown"])
    return await ScreenModel(source, of: account, elsewhere: shown).send(
        .showWaiting(count: Int(query["count"]) ?? 0))
}

/// The address of a feed.
func feedPath(_ choice: FeedChoice) -> Path {
    switch choice {
    case .following: return "/home"
    case .relay(let relay): return Path("/relays/notes").with("relay", relay.text)
    case .topic(let topic): return "/tags/\(topic)"
    case .trending: return "/trending"
    case .shared(let address):
        let path: Path = "/people/\(address.author)/lists/\(address.kind.rawValue)"
        return address.identifier.isEmpty ? path : path.with("d", address.identifier)
    case .list(let kind, let identifier):
        let path: Path = "/lists/\(kind.rawValue)/notes"
        return identifier.isEmpty ? path : path.with("d", identifier)
    }
}

/// The address of one sort of trending notes.
func trendingPath(_ choice: TrendingChoice) -> Path {
    let path: Path = "/trending?by=\(choice.measure.rawValue)&within=\(choice.span.rawValue)"
    return choice.server == nil ? path : path.with("from", "server")
}
