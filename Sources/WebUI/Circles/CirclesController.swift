internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// Private circles: the list, making one, joining one, and invitations nobody asked for.
struct CirclesController {
    private let circles: CirclePages
    private let cookies: SessionCookies
    private let tiles: (any MapPictures)?

    /// - Parameter tiles: pictures for maps; `nil` where maps are drawn without.
    init(pages: PageRenderer, cookies: SessionCookies, tiles: (any MapPictures)?) {
        self.cookies = cookies
        circles = CirclePages(mail: MailRenderer(pages: pages, section: .circles))
        self.tiles = tiles
    }

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/circles", use: list)
        router.post("/circles/invitable", use: becomeInvitable)
        router.get("/circles/alerts", use: alerts)
        router.get("/circles/new", use: new)
        router.post("/circles/new", use: make)
        router.post("/circles/join", use: join)
        router.get("/circles/invitations/:id/shown", use: invitation)
        router.post("/circles/invitations/:id/accept", use: accept)
        router.post("/circles/invitations/:id/decline", use: decline)
        router.post("/circles/asked/:id/withdraw", use: withdraw)
        CircleChatController(circles: circles).addRoutes(to: router)
        CirclePeopleController(circles: circles, cookies: cookies).addRoutes(to: router)
        CirclePicturesController().addRoutes(to: router)
        CircleBurningController(circles: circles).addRoutes(to: router)
        CircleMapController(circles: circles, tiles: tiles).addRoutes(to: router)
    }

    @Sendable private func list(_ request: Request, _ context: WebContext) async throws -> Response {
        let view = await CirclesView.load(of: try context.requireAccount())
        let list = try circles.list(view, open: nil, context)
        if isFragment(request) { return list.response() }
        if let gate = try await circles.mail.gate(view.access, "Circles", back: "/circles", request, context) {
            return gate
        }
        return try await circles.mail.page("Circles", list: list, circlesWelcome, isOpen: false, request, context)
    }

    /// What a page that nobody looks at tells, for its script.
    @Sendable private func alerts(_ request: Request, _ context: WebContext) async throws -> Response {
        let alerts = await CircleAlert.load(of: try context.requireAccount())
        let list: HTML = """
            <ul>\(each: alerts, { alert in
                "<li data-alert=\"\(alert.id)\" data-page=\"\(alertPath(alert))\">\(alert.sentence)</li>"
            })</ul>
            """
        return list.response()
    }

    @Sendable private func becomeInvitable(_ request: Request, _ context: WebContext) async throws -> Response {
        try await circles.actions(context).becomeInvitable()
        try context.requireSession().browser.leave(Notice(sentence: CircleWords.invitable))
        return redirect(to: "/circles")
    }

    @Sendable private func new(_ request: Request, _ context: WebContext) async throws -> Response {
        // A link of an invitation leads here; what stands behind # a script puts in.
        let pasted = request.query["invitation"]
        if let page = admission(pasted) { return page }
        return try await newPage(NewCircle(invitation: pasted), nil, request, context)
    }

    @Sendable private func make(_ request: Request, _ context: WebContext) async throws -> Response {
        let name = context.form["name"]
        do {
            let word = try await circles.actions(context).makeCircle(name, about: "")
            return redirect(to: "/circles/\(word)/invitations")
        } catch let trouble as Trouble {
            return try await newPage(NewCircle(name: name), trouble, request, context)
        }
    }

    @Sendable private func join(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        if let page = admission(form["invitation"]) { return page }
        do {
            try await circles.actions(context).askToJoin(form["invitation"], name: form["called"])
            try context.requireSession().browser.leave(Notice(sentence: CircleWords.asked))
            return redirect(to: "/circles")
        } catch let trouble as Trouble {
            let filled = NewCircle(invitation: form["invitation"], called: form["called"])
            return try await newPage(filled, trouble, request, context)
        }
    }

    /// Where an admin is asked about somebody whose link to be let in they were handed; nil for any other text.
    private func admission(_ pasted: String) -> Response? {
        CircleActions.newcomer(by: pasted).map { one in
            let path: Path = "/circles/\(one.circle)/invitations"
            return redirect(to: path.with("add", one.person.npub))
        }
    }

    /// An invitation whose name is muted, for whoever asks to see it.
    @Sendable private func invitation(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let word = try context.parameters.require("id")
        let view = await CirclesView.load(of: account)
        let path: Path = "/circles/invitations/\(word)/shown"
        if let gate = try await circles.mail.gate(view.access, "Circles", back: path, request, context) { return gate }
        guard let item = try await CirclesView.unveiledInvitation(to: word, of: account) else {
            throw HTTPError(.notFound, message: CircleWords.noInvitation)
        }
        return try await circles.mail.page(
            "Invitation", list: try circles.list(view, open: "", context),
            unveiledInvitation(item, try context.requireSession().formToken), isOpen: true, request, context)
    }

    @Sendable private func accept(_ request: Request, _ context: WebContext) async throws -> Response {
        try await circles.actions(context).answerInvitation(to: try circles.id(context), yes: true)
        return redirect(to: "/circles/\(try context.parameters.require("id"))")
    }

    @Sendable private func decline(_ request: Request, _ context: WebContext) async throws -> Response {
        try await circles.actions(context).answerInvitation(to: try circles.id(context), yes: false)
        return redirect(to: "/circles")
    }

    @Sendable private func withdraw(_ request: Request, _ context: WebContext) async throws -> Response {
        try await circles.actions(context).withdraw(try circles.id(context))
        return redirect(to: "/circles")
    }

    private func newPage(
        _ filled: NewCircle, _ trouble: Trouble?, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let account = try context.requireAccount()
        let view = await CirclesView.load(of: account)
        if let gate = try await circles.mail.gate(view.access, "New circle", back: "/circles/new", request, context) {
            return gate
        }
        var filled = filled
        if filled.called == nil { filled.called = await PersonItem.own(of: account).name }
        let main = newCircleView(
            filled, isInvitable: view.isInvitable, problem: trouble?.sentence,
            try context.requireSession().formToken)
        return try await circles.mail.page(
            "New circle", list: try circles.list(view, open: "", context), main, isOpen: true, request, context,
            status: trouble == nil ? .ok : .unprocessableContent)
    }
}
