internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// Settings, accounts and help.
struct SettingsController {
    let pages: PageRenderer
    let personal: any PersonalSettingsKeeping
    let settings: any SettingsKeeping
    let sessions: Sessions
    /// The program's version.
    let version: String
    /// Which pages of their own there are beside this one.
    let doors: SettingsDoors
    /// Where other devices reach the pages, for a port; `nil` where only this machine does.
    let addressForDevices: @Sendable (Int) -> String?

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/settings", use: show)
        router.post("/settings", use: save)
        router.post("/settings/look", use: saveLook)
        router.post("/settings/link", use: makeLink)
        router.post("/settings/work", use: setWork)
        router.post("/settings/trending", use: saveTrending)
        router.post("/settings/home", use: saveHome)
        router.get("/shortcuts", use: shortcuts)
    }

    @Sendable private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        try await settingsPage(request, context)
    }

    @Sendable private func save(_ request: Request, _ context: WebContext) async throws -> Response {
        var chosen = context.personal
        chosen.remoteMedia = PersonalSettings.RemoteMedia(rawValue: context.form["media"]) ?? chosen.remoteMedia
        // Until something else is chosen, links are previewed of whom media is loaded.
        let previews = PersonalSettings.RemoteMedia(rawValue: context.form["previews"])
        if let previews, previews != context.personal.linkPreviews { chosen.linkPreviews = previews }
        chosen.autoplay = context.form["autoplay"] == "1"
        chosen.sounds = context.form["sounds"] == "1"
        chosen.namesClient = context.form["client"] == "1"
        let undo = Int(context.form["undo"]).map { Duration.seconds($0) }
        if let undo, PersonalSettings.undoChoices.contains(undo) { chosen.undoTime = undo }
        if context.form.has("polls") { chosen.hidesPollResults = context.form["polls"] == "hidden" }
        let handler = context.form["handler"]
        if context.form.has("handler"), !chosen.openUnknownKinds(at: handler) {
            return try await settingsPage(request, context, shown: chosen, refusedHandler: handler)
        }
        try await keep(chosen, context)
        return redirect(to: "/settings?saved=1")
    }

    @Sendable private func saveTrending(_ request: Request, _ context: WebContext) async throws -> Response {
        var chosen = context.personal
        chosen.trendingServer = try TrendingServer(form: context.form["server"], isUsed: context.form.has("used"))
        try await keep(chosen, context)
        return redirect(to: "/settings?saved=1")
    }

    @Sendable private func saveHome(_ request: Request, _ context: WebContext) async throws -> Response {
        let chosen = HomeChoice(
            articles: context.form.has("articles"), films: context.form.has("films"),
            comments: context.form.has("comments"))
        try await chosen.keep(in: try context.requireAccount().timeline)
        return redirect(to: "/settings?saved=1")
    }

    @Sendable private func saveLook(_ request: Request, _ context: WebContext) async throws -> Response {
        var chosen = context.personal
        do throws(Trouble) {
            chosen.look = try Look(context.form, before: chosen.look)
        } catch {
            return try await settingsPage(request, context, problem: error.sentence)
        }
        try await keep(chosen, context)
        let isForAll = context.form.has("login")
        if isForAll || isBeforeLogin(context) {
            var program = await settings.settings()
            program.look = isForAll ? chosen.look : Look()
            do { try await settings.keep(program) } catch { throw Trouble(error) }
        }
        return redirect(to: "/settings?saved=1")
    }

    /// Whether the pages before a login have the account's look, as somebody chose.
    private func isBeforeLogin(_ context: WebContext) -> Bool {
        context.settings.look == context.personal.look && context.settings.look != Look()
    }

    private func keep(_ chosen: PersonalSettings, _ context: WebContext) async throws {
        let account = try context.requireAccount().publicKey
        do { try await personal.keep(chosen, of: account) } catch { throw Trouble(error) }
    }

    @Sendable private func makeLink(_ request: Request, _ context: WebContext) async throws -> Response {
        let path = "/login?token=" + sessions.makeToken()
        // The same link by the address at which a phone reaches this home; it works once, whoever follows it.
        let port = Int(hostPort(request.head.authority ?? "")) ?? 80
        return try await settingsPage(
            request, context, link: sessions.cookies.origin(of: request) + path,
            deviceLink: addressForDevices(port).map { $0 + path })
    }

    @Sendable private func setWork(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let bits = { (name: String) in Int(form[name]) ?? 0 }
        try await WorkChoice(notes: bits("notes"), reactions: bits("reactions"), messages: bits("messages"))
            .keep(in: try context.requireAccount().mining)
        return redirect(to: "/settings?saved=1")
    }

    @Sendable private func shortcuts(_ request: Request, _ context: WebContext) async throws -> Response {
        try await pages.page(
            title: "Keyboard shortcuts", at: .none, shortcutsView, request: request, context: context)
    }

    private func settingsPage(
        _ request: Request, _ context: WebContext, link: String? = nil, deviceLink: String? = nil,
        problem: String? = nil, shown: PersonalSettings? = nil, refusedHandler: String? = nil
    ) async throws -> Response {
        let session = try context.requireSession()
        let account = try context.requireAccount()
        let shown = shown ?? context.personal
        var view = SettingsView(
            remoteMedia: shown.remoteMedia, autoplay: shown.autoplay, sounds: shown.sounds,
            undoTime: shown.undoTime, namesClient: shown.namesClient,
            kindHandler: refusedHandler ?? shown.kindHandler,
            kindHandlerProblem: refusedHandler.map { _ in SettingsWords.noHandler },
            trending: shown.trendingServer, hidesPollResults: shown.hidesPollResults,
            linkPreviews: account.previews == nil ? nil : shown.linkPreviews,
            look: LookView(
                look: context.personal.look, isBeforeLogin: isBeforeLogin(context), problem: problem),
            isSaved: request.uri.queryParameters["saved"] != nil,
            account: SettingsView.Account(
                name: await PersonItem.own(of: account).name, npub: account.publicKey.npub, canSign: account.canSign,
                isLocked: session.isLocked),
            work: account.canSign ? try await .load(from: account.mining) : nil, link: link, version: version,
            doors: doors,
            token: session.formToken, deviceLink: deviceLink, hasFiles: account.files != nil,
            hasGifs: account.gifs != nil && account.canSign, hasPictures: account.pictures != nil)
        view.home = try await .load(from: account.timeline)
        return try await pages.page(
            title: "Settings", at: .settings, settingsView(view), request: request, context: context,
            status: problem == nil && refusedHandler == nil ? .ok : .unprocessableContent)
    }
}

/// The pages of their own that settings lead to.
struct SettingsDoors {
    let hasKeys: Bool
    let hasMaps: Bool
    let hasPlace: Bool
}
