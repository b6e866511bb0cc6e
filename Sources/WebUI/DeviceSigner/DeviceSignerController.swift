internal import AsyncPrimitives
internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ServiceLifecycle
internal import ViewModels

/// A signer on the person's own device, asked by links: the door it opens, what an open account asks of it, and answers.
struct DeviceSignerController {
    let pages: PageRenderer
    let device: DeviceSigners
    let elsewhere: any SigningElsewhere
    let opening: any AccountOpening
    let keys: (any KeyKeeping)?
    let sessions: Sessions

    /// Where signers bring answers; without a session, since what counts is the id that nobody guesses.
    func addOpenRoutes(to router: some RouterMethods<WebContext>) {
        router.post("/device-signer/answer", use: receivePosted)
    }

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/device-signer", use: choose)
        router.get("/device-signer/answer", use: receiveLinked)
        router.post("/device-signer/login", use: logIn)
        router.post("/device-signer/choice", use: remember)
        router.get("/device-signer/requests", use: requests)
        router.get("/device-signer/asked/:id", use: asked)
    }

    // MARK: - Asking

    @Sendable private func choose(_ request: Request, _ context: WebContext) async throws -> Response {
        let session = try context.requireSession()
        let isOpen =
            if let key = session.account?.publicKey {
                await elsewhere.standing(of: key)?.isInBrowser == true
            } else { false }
        let view = deviceSignerChoice(
            await device.choices(), chosen: Self.chosen(request), isOpen: isOpen, session.formToken)
        return page(view, context)
    }

    @Sendable private func logIn(_ request: Request, _ context: WebContext) async throws -> Response {
        let app = context.form["app"]
        let challenge = browserChallenge(try context.requireSession())
        let origin = sessions.cookies.origin(of: request)
        guard
            let asked = device.askForProof(
                of: challenge, at: origin + "/welcome/browser", by: app, callback: Self.callback(origin))
        else { throw HTTPError(.badRequest) }
        var response = redirect(to: "/device-signer/asked/\(asked.id)")
        response.headers[.setCookie] = Self.cookie(app)
        return response
    }

    /// Remembers which signer an open account asks.
    @Sendable private func remember(_ request: Request, _ context: WebContext) async throws -> Response {
        let app = context.form["app"]
        guard await device.choices().contains(where: { $0.id == app }) else { throw HTTPError(.badRequest) }
        var response = redirect(to: "/home")
        response.headers[.setCookie] = Self.cookie(app)
        return response
    }

    /// What an open account asks, as links for its pages to show; waits a while when there is nothing new.
    @Sendable private func requests(_ request: Request, _ context: WebContext) async throws -> Response {
        let name = String((request.uri.queryParameters["page"] ?? "").prefix(64))
        guard isFragment(request), !name.isEmpty, let account = try context.requireSession().account else {
            throw HTTPError(.badRequest)
        }
        guard let app = Self.chosen(request) else { return deviceSignerMissing().response() }
        let callback = Self.callback(sessions.cookies.origin(of: request))
        let waiting = await cancelWhenGracefulShutdown {
            await elsewhere.browserRequests(of: account.publicKey, page: name)
        }
        for one in waiting { _ = device.ask(one, of: account.publicKey, by: app, callback: callback) }
        return deviceSignerRequests(device.open(of: account.publicKey)).response()
    }

    // MARK: - Answers

    @Sendable private func asked(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let (asked, answer) = device.asked(try context.parameters.require("id")) else {
            throw HTTPError(.notFound, message: SignerWords.forgottenLink)
        }
        switch answer {
        case nil:
            return page(deviceSignerWaiting(asked), context, refresh: 3)
        case .refused(let sentence):
            return page(deviceSignerRefused(sentence), context)
        case .result(let text):
            // What an account asked has gone to it already.
            guard try context.requireSession().account == nil || asked.method == "sign_event" else {
                return page(deviceSignerDone(), context)
            }
            return try await enter(text, context)
        }
    }

    /// Opens the account whose key was proved; a signature for anything else proves nothing, and is told so.
    private func enter(_ proof: String, _ context: WebContext) async throws -> Response {
        let session = try context.requireSession()
        let model = ScreenModel(opening, keys: keys, elsewhere: elsewhere, now: pages.time.now) { account in
            session.browser.open(account)
        }
        await model.send(.opened)
        let state = await model.send(.browser(proof: proof, challenge: browserChallenge(session)))
        if state.entered != nil { return redirect(to: "/home") }
        if session.account != nil { return page(deviceSignerDone(), context) }
        return page(deviceSignerRefused(state.problem?.sentence ?? ""), context)
    }

    @Sendable private func receiveLinked(_ request: Request, _ context: WebContext) async throws -> Response {
        try await arrived(sessions.cookies.origin(of: request) + (request.head.path ?? ""))
    }

    /// An answer too long for an address, posted by the signer's page (NIP-155, "Large Payloads").
    @Sendable private func receivePosted(_ request: Request, _ context: WebContext) async throws -> Response {
        let body = try await request.body.collect(upTo: 2 << 20)
        let query = request.uri.query.map { $0 + "&" } ?? ""
        return try await arrived(
            sessions.cookies.origin(of: request) + "/device-signer/answer?" + query + String(buffer: body))
    }

    private func arrived(_ url: String) async throws -> Response {
        guard let id = await receiveAnswer(url) else {
            throw HTTPError(.notFound, message: SignerWords.forgottenLink)
        }
        return redirect(to: "/device-signer/asked/\(id)")
    }

    /// Passes an answer on to the request that waits for it.
    ///
    /// - Returns: what it answers; `nil` when nothing waits for it.
    func receiveAnswer(_ url: String) async -> String? {
        guard let arrival = device.receive(url) else { return nil }
        if let request = arrival.request, let account = arrival.account {
            let reply: BrowserReply =
                switch arrival.answer {
                case .result(let text): .result(text)
                case .refused(let sentence): .failure(sentence)
                }
            await elsewhere.browserAnswer(request, reply, of: account)
        }
        return arrival.id
    }

    // MARK: - Here

    /// Where answers come: here where browsers reach these pages by https, else to the program, by the desktop.
    private static func callback(_ origin: String) -> String {
        origin.hasPrefix("https://") ? origin + "/device-signer/answer" : DeviceSigners.ownCallback
    }

    private static let cookieName = "linnet_device_signer"

    private static func cookie(_ app: String) -> String {
        "\(cookieName)=\(encodePercent(app)); Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"
    }

    /// The signer that was chosen last in this browser.
    private static func chosen(_ request: Request) -> String? {
        for part in (request.headers[.cookie] ?? "").split(separator: ";") {
            let pair = part.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if pair.count == 2, pair[0] == cookieName { return String(pair[1].prefix(32)) }
        }
        return nil
    }

    private func page(_ body: HTML, _ context: WebContext, refresh: Int? = nil) -> Response {
        var response = pages.bare(title: "Your signer", body, context)
        response.headers[.cacheControl] = "no-store"
        if let refresh, let name = HTTPField.Name("Refresh") { response.headers[name] = "\(refresh)" }
        return response
    }
}
