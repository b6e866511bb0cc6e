internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrNIPs
internal import ViewModels

/// The first run: the steps that lead a new key to a home page worth reading, and what is found of a key that was brought.
struct FirstStepsController {
    private typealias Step = FirstRunSteps.Step

    let pages: PageRenderer
    let keys: (any KeyKeeping)?
    let outgoing: OutgoingNotes

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/start", use: resume)
        router.post("/start/skip", use: skip)
        router.post("/start/leave", use: leave)
        router.get("/start/:step", use: show)
        router.post("/start/:step", use: act)
        router.get("/start/:step/state", use: state)
        router.get("/arriving", use: arriving)
        router.get("/arriving/state", use: arrivingState)
    }

    // MARK: Going on

    @Sendable private func resume(_ request: Request, _ context: WebContext) async throws -> Response {
        let step = await FirstRunSteps.load(of: try context.requireAccount())?.current
        return redirect(to: step.map(path) ?? "/home")
    }

    @Sendable private func skip(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let step = Step(rawValue: context.form["step"]) else { throw HTTPError(.badRequest) }
        return try await go(on: .skipped(step), context)
    }

    @Sendable private func leave(_ request: Request, _ context: WebContext) async throws -> Response {
        try await go(on: .left, context)
    }

    private func go(on input: FirstRunProgress.Input, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        _ = try await troubled { try await account.firstRun?.apply(input) }
        return redirect(to: "/start")
    }

    private func path(_ step: Step) -> Path { "/start/\(step.rawValue)" }

    // MARK: Steps

    @Sendable private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        guard let step = Step(rawValue: try context.parameters.require("step")) else { throw HTTPError(.notFound) }
        switch step {
        case .key: return try await keyPage(try await key(account, showsKey: true), context)
        case .relays: return try await relaysPage(try await .load(of: account), context)
        case .profile:
            var form = try await ProfileForm.load(of: account)
            form.suggest(["display_name": await FirstRunSteps.load(of: account)?.name ?? ""])
            return try await page(.profile, profileStepView(form), problem: nil, context)
        case .people: return try await peoplePage(await .load(of: account), context)
        case .topics: return try await topicsPage(await .load(of: account), context)
        case .note:
            return try await page(
                .note, noteStepView(FirstNote(), undo: context.personal.undoTime), problem: nil, context)
        }
    }

    @Sendable private func act(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        guard let step = Step(rawValue: try context.parameters.require("step")) else { throw HTTPError(.notFound) }
        switch step {
        case .key: return try await actOnKey(account, context)
        case .relays: return try await chooseRelays(account, context)
        case .profile: return try await saveProfile(account, context)
        case .people: return try await follow(account, context)
        case .topics: return try await chooseTopics(account, context)
        case .note: return try await publish(account, context)
        }
    }

    // MARK: The key

    /// The key, shown as long as its step is open.
    private func key(_ account: any Account, showsKey: Bool) async throws -> KeysPage? {
        guard let keys, let steps = await FirstRunSteps.load(of: account) else { return nil }
        var page = try await KeysPage.load(account.publicKey, name: steps.name, from: keys)
        if showsKey, steps.current == .key { await page.perform(.showEncrypted, in: keys) }
        return page
    }

    private func actOnKey(_ account: any Account, _ context: WebContext) async throws -> Response {
        switch context.form["do"] {
        case "words":
            guard let keys, var page = try await key(account, showsKey: false) else { return redirect(to: "/start") }
            await page.perform(.showWords(passphrase: context.form["passphrase"]), in: keys)
            return try await keyPage(page, context)
        case "file":
            guard let page = try await key(account, showsKey: true), case .encrypted(let text) = page.shown else {
                return redirect(to: "/start")
            }
            let name = "linnet-\(account.publicKey.npub.prefix(12)).ncryptsec.txt"
            return Response(
                status: .ok,
                headers: [
                    .contentType: "text/plain; charset=utf-8", .contentDisposition: "attachment; filename=\"\(name)\"",
                    .cacheControl: "no-store",
                ], body: .init(byteBuffer: .init(string: text + "\n")))
        default: return try await go(on: .finished(.key), context)
        }
    }

    private func keyPage(_ key: KeysPage?, _ context: WebContext) async throws -> Response {
        guard let key else { return redirect(to: "/start") }
        return try await page(
            .key, keyStepView(key, try context.requireSession().formToken), problem: key.problem?.sentence, context)
    }

    // MARK: Relays

    private func chooseRelays(_ account: any Account, _ context: WebContext) async throws -> Response {
        let form = context.form
        if form["do"] == "again" {
            await account.firstRun?.search(.findRelays)
            return redirect(to: "/start/relays")
        }
        var choice = try await RelaySelection.load(of: account)
        var uses: [String: OwnRelaysEditor.Use] = [:]
        for field in form.all where field.name.hasPrefix("relay-") {
            uses[field.value] = OwnRelaysEditor.Use(rawValue: form["use-" + field.name.dropFirst(6)])
        }
        await choice.publish(uses, adding: form["added"], of: account)
        if choice.problem == nil { return redirect(to: "/start/relays") }
        return try await relaysPage(choice, context)
    }

    private func relaysPage(_ choice: RelaySelection, _ context: WebContext) async throws -> Response {
        try await page(
            .relays, relaysStepView(choice, written: context.form["added"]), status: choice.sentence,
            isWaiting: choice.isWaiting, problem: choice.problem, context)
    }

    // MARK: Profile, people, topics

    private func saveProfile(_ account: any Account, _ context: WebContext) async throws -> Response {
        var form = try await ProfileForm.load(of: account)
        var filled = Dictionary(context.form.all.map { ($0.name, $0.value) }) { first, _ in first }
        filled["name"] = filled["display_name"]
        await form.save(filled.filter { ProfileForm.fieldNames.contains($0.key) }, in: account.profile)
        if form.isSaved { return try await go(on: .finished(.profile), context) }
        return try await page(.profile, profileStepView(form), problem: form.problems[""] ?? "", context)
    }

    private func follow(_ account: any Account, _ context: WebContext) async throws -> Response {
        if context.form["do"] == "again" {
            await account.firstRun?.search(.findPeople)
            return redirect(to: "/start/people")
        }
        var choice = await PeopleChoice.load(of: account)
        let named = context.form.all.filter { $0.name.hasPrefix("follow-") }.map { String($0.name.dropFirst(7)) }
        await choice.follow(context.form["do"] == "all" ? nil : Set(named), of: account)
        if choice.problem == nil { return redirect(to: "/start") }
        return try await peoplePage(choice, context)
    }

    private func peoplePage(_ choice: PeopleChoice, _ context: WebContext) async throws -> Response {
        try await page(
            .people, peopleStepView(choice, pages.noteStyle(context)), status: choice.sentence,
            isWaiting: choice.isSearching, problem: choice.problem, context)
    }

    private func chooseTopics(_ account: any Account, _ context: WebContext) async throws -> Response {
        var choice = await TopicChoice.load(of: account)
        let chosen = context.form.all.filter { $0.name.hasPrefix("topic-") }.map(\.value)
        await choice.publish(chosen, adding: context.form["written"], of: account)
        if choice.problem == nil { return redirect(to: "/start") }
        return try await topicsPage(choice, context)
    }

    private func topicsPage(_ choice: TopicChoice, _ context: WebContext) async throws -> Response {
        try await page(
            .topics, topicsStepView(choice, written: context.form["written"]), status: choice.sentence,
            isWaiting: choice.isSearching, problem: choice.problem, context)
    }

    // MARK: The first note

    private func publish(_ account: any Account, _ context: WebContext) async throws -> Response {
        let note = await FirstNote(context.form["text"], of: account)
        let personal = context.personal
        guard let composed = note.composed,
            let id = await outgoing.hold(
                composed, undo: personal.undoTime, client: personal.client,
                signsAtOnce: await pages.elsewhere?.standing(of: account.publicKey) == nil, of: account)
        else {
            return try await page(
                .note, noteStepView(note, undo: personal.undoTime), problem: note.problem, context)
        }
        _ = try await troubled { try await account.firstRun?.apply(.finished(.note)) }
        return redirect(to: Path("/home").with("held", id))
    }

    // MARK: Drawing

    private func page(
        _ step: Step, _ body: HTML, status: String = "", isWaiting: Bool = false, problem: String?,
        _ context: WebContext
    ) async throws -> Response {
        let session = try context.requireSession()
        guard let steps = await FirstRunSteps.load(of: try context.requireAccount()) else {
            return redirect(to: "/home")
        }
        let view = FirstStepsView(
            steps: steps, step: step, status: status, isWaiting: isWaiting, problem: problem,
            isLocked: session.isLocked, isDemo: pages.isDemo, token: session.formToken)
        var response = pages.bare(
            title: view.title, firstStepsView(view, body), context, script: "start-first.js",
            refresh: isWaiting ? 3 : nil, styles: ["first"], status: problem == nil ? .ok : .unprocessableContent)
        response.headers[.cacheControl] = "no-store"
        return response
    }

    /// How a step stands, for its script: whether it still waits, and a sentence.
    @Sendable private func state(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let (isWaiting, sentence): (Bool, String) =
            switch Step(rawValue: try context.parameters.require("step")) {
            case .relays:
                try await { ($0.isWaiting, $0.sentence) }(RelaySelection.load(of: account))
            case .people: await { ($0.isSearching, $0.sentence) }(PeopleChoice.load(of: account))
            case .topics: await { ($0.isSearching, $0.sentence) }(TopicChoice.load(of: account))
            default: (false, "")
            }
        return plainText((isWaiting ? "waiting" : "over") + "\n" + sentence)
    }

    // MARK: A key that was brought

    @Sendable private func arriving(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let page = try await ArrivalPage.load(of: try context.requireAccount()) else {
            return redirect(to: "/home")
        }
        return pages.bare(
            title: "Finding what is yours", arrivalPageView(page), context, script: "start-first.js",
            refresh: page.isWaiting ? 3 : nil, styles: ["first"])
    }

    @Sendable private func arrivingState(_ request: Request, _ context: WebContext) async throws -> Response {
        let page = try await ArrivalPage.load(of: try context.requireAccount())
        return plainText((page?.isWaiting ?? false ? "waiting" : "over") + "\n" + (page?.summary ?? ""))
    }
}
