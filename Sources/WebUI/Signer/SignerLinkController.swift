internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The page of a signer link: what it asks, the answer, and the way back to the app.
///
/// The answer leaves by a link and a script, never by a form: the policy lets forms go nowhere but here.
struct SignerLinkController {
    let pages: PageRenderer
    let links: SignerLinks

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/signer/link/:id") { try await page(try await item($1), $1) }
        router.post("/signer/link/:id/decide", use: decide)
        router.post("/signer/link/:id/account", use: choose)
        router.post("/signer/link/:id/unlock", use: unlock)
    }

    @Sendable private func decide(_ request: Request, _ context: WebContext) async throws -> Response {
        let item = try await item(context)
        guard item.stage == .asking, let model = try await model(item, context.form) else { return back(to: item) }
        let form = context.form
        let choice = try requestChoice(form)
        // Without a callback nobody knows who asks, so there is no app that could be allowed anything from now on.
        guard !item.usesClipboard || choice == .once || choice == .refuse else { throw HTTPError(.badRequest) }
        let state = await model.send(decision(choice, form, about: await model.send(.opened)))
        guard state.done != nil else { return try await page(item, context, deciding: state) }
        _ = await links.settled(item.id, within: .seconds(10))
        return back(to: item)
    }

    @Sendable private func choose(_ request: Request, _ context: WebContext) async throws -> Response {
        let item = try await item(context)
        guard let key = try? PublicKey(hex: context.form["key"]) else { throw HTTPError(.badRequest) }
        await links.choose(key, for: item.id)
        return back(to: item)
    }

    @Sendable private func unlock(_ request: Request, _ context: WebContext) async throws -> Response {
        let item = try await item(context)
        guard let account = item.account else { throw forgotten }
        _ = try await pages.opening.unlock(account, passphrase: context.form["passphrase"])
        return back(to: item)
    }

    /// The link that an address names.
    private func item(_ context: WebContext) async throws -> LinkItem {
        guard let item = await links.item(try context.parameters.require("id")) else { throw forgotten }
        return item
    }

    private func back(to item: LinkItem) -> Response { redirect(to: linkPath(item)) }

    private func model(_ item: LinkItem, _ form: Form = Form()) async throws -> ScreenModel<RequestReview>? {
        guard let key = item.account else { return nil }
        return await links.request(
            item.id, of: try await pages.opening.open(key), typing: form["passphrase"], now: pages.now)
    }

    private func page(
        _ item: LinkItem, _ context: WebContext, deciding state: RequestReview? = nil
    ) async throws -> Response {
        let token = try context.requireSession().formToken
        let style = pages.noteStyle(context)
        var isReady = true
        var policy: String?
        let body: HTML
        switch item.stage {
        case .choosing(let keys): body = linkChoice(item, await accounts(keys), token, style)
        case .asking:
            var state = state
            if state == nil { state = await (try await model(item))?.send(.opened) }
            isReady = state?.detail != nil
            let asked = await asked(item, state, token)
            body = linkQuestion(asked, style)
        case .open(let url): body = linkAnswer(item, ForeignURL(signerAnswer: url))
        case .post(let answer):
            body = linkPost(item, answer)
            // The form of this page goes to where the link's results go, and nowhere else.
            policy = contentPolicy(
                context.personal.remoteMedia, pictureHosts: pages.pictureHosts, forms: answer.origin)
        case .offer(let url): body = linkOffer(item.problem, url)
        case .copy(let text): body = linkCopy(text)
        case .over: body = linkOver(item.problem)
        }
        var response = pages.bare(title: "Signer link", signerLinkPage(body), context)
        response.headers[.cacheControl] = "no-store"
        response.headers[.contentSecurityPolicy] = policy
        // The request shows itself once the signer has looked at it.
        if !isReady, let name = HTTPField.Name("Refresh") { response.headers[name] = "1" }
        return response
    }

    private func asked(_ item: LinkItem, _ state: RequestReview?, _ token: FormToken) async -> LinkQuestion {
        var name = ""
        var asksForPassphrase = false
        if let key = item.account {
            name = await accounts([key])[0].name
            asksForPassphrase = await pages.opening.asksForPassphrase(key)
        }
        return LinkQuestion(
            item: item, review: state, name: name, asksForPassphrase: asksForPassphrase, token: token)
    }

    private func accounts(_ keys: [PublicKey]) async -> [LinkAccount] {
        // The page must also show when the list of accounts cannot be read.
        let known = (try? await pages.opening.accounts()) ?? []
        var accounts: [LinkAccount] = []
        for key in keys {
            let name = known.first { $0.key == key }?.shownName ?? String(key.npub.prefix(16))
            accounts.append(LinkAccount(key: key, name: name, person: await pages.opening.person(of: key)))
        }
        return accounts
    }
}

private let forgotten = HTTPError(.notFound, message: SignerWords.forgottenLink)
