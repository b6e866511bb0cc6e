internal import AsyncPrimitives
internal import Crypto
internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// The first screen, changing accounts, unlocking and locking.
struct FirstRunController {
    let pages: PageRenderer
    let opening: any AccountOpening
    let keys: (any KeyKeeping)?
    let elsewhere: (any SigningElsewhere)?
    /// Whether signers of the person's own device can be asked.
    let hasDeviceSigners: Bool
    let time: Time<Timestamp>

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/", use: first)
        router.get("/welcome", use: show)
        router.post("/welcome/:door", use: enter)
        router.get("/unlock", use: unlock)
        router.post("/lock", use: lock)
    }

    @Sendable private func first(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let account = try context.requireSession().account else { return redirect(to: "/welcome") }
        if await FirstRunSteps.load(of: account) != nil { return redirect(to: "/start") }
        // The feed that was chosen last, unless its list is gone.
        let feed = context.personal.feed
        return redirect(to: await FeedChooser.isThere(feed, of: account) ? feedPath(feed) : "/home")
    }

    /// Where somebody goes on who just came in: a new key through the first run, a key from elsewhere to what is found of it.
    private func landing(_ input: FirstRunState.Input, _ account: (any Account)?) async -> Path {
        if let account, await FirstRunSteps.load(of: account) != nil { return "/start" }
        if case .bring = input { return "/arriving" }
        return "/home"
    }

    @Sendable private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        try await welcome(.opened, context)
    }

    @Sendable private func enter(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let input = try input(try context.parameters.require("door"), context) else { throw HTTPError(.notFound) }
        return try await welcome(input, context)
    }

    @Sendable private func unlock(_ request: Request, _ context: WebContext) async throws -> Response {
        let session = try context.requireSession()
        guard let account = session.account else { return redirect(to: "/welcome") }
        let view = UnlockView(
            key: account.publicKey, name: await PersonItem.own(of: account).name,
            asksForPassphrase: await opening.asksForPassphrase(account.publicKey), token: session.formToken)
        return pages.bare(title: "Unlock", unlockView(view), context)
    }

    @Sendable private func lock(_ request: Request, _ context: WebContext) async throws -> Response {
        if let account = try context.requireSession().account { await keys?.lock(account.publicKey) }
        return redirect(to: context.back(else: "/home"))
    }

    private func input(_ door: String, _ context: WebContext) throws -> FirstRunState.Input? {
        let form = context.form
        // What is no key is refused by the screen, as any other wrong field.
        let key = try? PublicKey(hex: form["key"])
        return switch door {
        case "create": .create(name: form["name"], passphrase: form["passphrase"], again: form["again"])
        case "bring": .bring(secret: form["secret"], passphrase: form["passphrase"], again: form["again"])
        case "read": .read(form["public"])
        case "bunker": .bunker(token: form["token"], passphrase: form["passphrase"], again: form["again"])
        case "invite": .invite(passphrase: form["passphrase"], again: form["again"])
        case "browser":
            .browser(proof: form["proof"], challenge: browserChallenge(try context.requireSession()))
        case "demo": .demo
        case "open": key.map(FirstRunState.Input.open)
        case "unlock": key.map { .unlock($0, passphrase: form["passphrase"]) }
        default: nil
        }
    }

    private func welcome(_ input: FirstRunState.Input, _ context: WebContext) async throws -> Response {
        let session = try context.requireSession()
        let model = ScreenModel(opening, keys: keys, elsewhere: elsewhere, now: time.now) { account in
            session.browser.open(account)
        }
        await model.send(.opened)
        let state = await model.send(input)
        if let id = state.pairing { return redirect(to: "/pairing/\(id)") }
        if state.entered != nil {
            return redirect(to: context.back(else: await landing(input, session.browser.now.account)))
        }
        let view = FirstRunView(
            state: state, name: context.form["name"], publicKey: context.form["public"],
            hasOpenAccount: session.account != nil, challenge: elsewhere == nil ? nil : browserChallenge(session),
            hasDeviceSigners: hasDeviceSigners,
            token: session.formToken)
        return pages.bare(
            title: "Welcome", firstRunView(view), context, script: "welcome.js",
            status: state.problem == nil ? .ok : .unprocessableContent)
    }
}

/// What a browser's extension has to sign to prove its key to this session; tells nothing of the session's own secret.
func browserChallenge(_ session: Session) -> String {
    encodeHex(Array(SHA256.hash(data: Array("linnet browser login \(session.formToken.secret)".utf8))))
}
