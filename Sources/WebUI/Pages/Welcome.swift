internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// The first screen, and changing accounts.
func addWelcome(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/") { _, context in
        redirect(to: try context.requireSession().desk == nil ? "/welcome" : "/home")
    }
    router.get("/welcome") { _, context in
        try await welcome(.opened, house, context)
    }
    router.post("/welcome/:door") { _, context in
        let form = context.form
        // What is no key is refused below, as any other wrong field.
        let key = try? PublicKey(hex: form["key"])
        let input: FirstRunState.Input? =
            switch try context.parameters.require("door") {
            case "create": .create(name: form["name"], passphrase: form["passphrase"], again: form["again"])
            case "bring": .bring(secret: form["secret"], passphrase: form["passphrase"])
            case "read": .read(form["public"])
            case "bunker": .bunker(token: form["token"], passphrase: form["passphrase"])
            case "invite": .invite(passphrase: form["passphrase"])
            case "browser":
                .browser(proof: form["proof"], challenge: browserChallenge(try context.requireSession()))
            case "demo": .demo
            case "open": key.map(FirstRunState.Input.open)
            case "unlock": key.map { .unlock($0, passphrase: form["passphrase"]) }
            default: nil
            }
        guard let input else { throw HTTPError(.notFound) }
        return try await welcome(input, house, context)
    }
    router.get("/unlock") { _, context in
        guard let desk = try context.requireSession().desk else { return redirect(to: "/welcome") }
        let values: [String: Any] = [
            "csrf": try context.requireSession().formToken, "key": desk.own.hex, "name": await desk.ownPerson().name,
            "hasProblem": false, "asksForPassphrase": await house.asksForPassphrase(desk.own),
        ]
        return house.bare(title: "Unlock", house.templates.render("unlock", values), context)
    }
    router.post("/lock") { _, context in
        if let desk = try context.requireSession().desk { await house.keys?.lock(desk.own) }
        return redirect(to: backPath(context, else: "/home"))
    }
    router.post("/logout") { request, context in
        if let word = house.cookie(of: request) { house.sessions.close(word) }
        var response = redirect(to: "/login")
        response.headers[.setCookie] = "\(house.cookieName(request))=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict"
        return response
    }
}

private func welcome(_ input: FirstRunState.Input, _ house: House, _ context: WebContext) async throws -> Response {
    let session = try context.requireSession()
    let model = ScreenModel(
        house.opening, keys: house.keys, elsewhere: house.elsewhere, now: house.clock.now
    ) { desk in session.browser.sit(at: desk) }
    await model.send(.opened)
    let state = await model.send(input)
    if let id = state.pairing { return redirect(to: "/pairing/" + id) }
    if state.entered != nil { return redirect(to: backPath(context, else: "/home")) }
    var values: [String: Any] = [
        "csrf": session.formToken, "offersDemo": state.offersDemo && !state.accounts.contains { $0.custody == .demo },
        "hasAccounts": !state.accounts.isEmpty,
        "shortest": FirstRunState.shortestPassphrase, "name": context.form["name"],
        "public": context.form["public"], "hasDesk": session.desk != nil,
        "hasElsewhere": house.elsewhere != nil, "challenge": browserChallenge(session),
    ]
    values["accounts"] = state.accounts.map { account -> [String: Any] in
        [
            "key": account.key.hex, "name": account.name.isEmpty ? String(account.key.hex.prefix(8)) : account.name,
            "hasKey": account.custody == .key || account.custody == .elsewhere, "kind": account.custody.words,
            "asksForPassphrase": account.asksForPassphrase,
        ]
    }
    for door in FirstRunState.Door.allCases {
        values["problem_" + door.rawValue] = state.problem?.door == door ? state.problem?.sentence : nil
        values["open_" + door.rawValue] = state.problem?.door == door
    }
    return house.bare(
        title: "Welcome", house.templates.render("welcome", values), context, script: "welcome.js",
        status: state.problem == nil ? .ok : .unprocessableContent)
}

extension House {
    /// Whether only a passphrase opens an account; one that cannot be looked up now is taken to need it.
    func asksForPassphrase(_ key: PublicKey) async -> Bool {
        (try? await opening.accounts())?.first { $0.key == key }?.asksForPassphrase ?? true
    }
}

extension AccountSummary.Custody {
    /// How it is kept, in as few words as fit beside a name.
    var words: String {
        switch self {
        case .key: "your key"
        case .elsewhere: "signer elsewhere"
        case .browser: "key in the browser"
        case .readOnly: "read-only"
        case .demo: "demo"
        }
    }
}
