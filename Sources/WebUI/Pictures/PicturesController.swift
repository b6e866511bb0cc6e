internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrNIPs
internal import ViewModels

/// Pictures of others that this program fetches for its pages, and how many of them are kept.
struct PicturesController {
    /// How long a browser keeps one: people change theirs.
    private static let age: Duration = .seconds(86_400)

    let pages: PageRenderer
    let personal: any PersonalSettingsKeeping

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/picture/:size", use: picture)
        router.get("/settings/pictures", use: show)
        router.post("/settings/pictures", use: save)
        router.post("/settings/pictures/clear", use: clear)
    }

    /// Gives a picture out; to pages of this program alone, so that no other has this machine ask a server.
    @Sendable private func picture(_ request: Request, _ context: WebContext) async throws -> Response {
        let (address, said) = (request.query["url"], request.query["x"])
        let hash = BlobHash(hex: said)
        guard isFromHere(request), let size = PictureSize(rawValue: try context.parameters.require("size")),
            context.personal.fetchesPictures, pages.noteStyle(context).loadsSomewhere(address),
            let pictures = try context.requireAccount().pictures,
            said.isEmpty || hash != nil,
            let file = try await pictures.picture(at: address, size, hash: hash), file.type.hasPrefix("image/"),
            let answer = fileResponse(file, to: request, keptFor: Self.age)
        else {
            // A browser shows the drawn feathers below it; a page of words would be for nobody.
            return Response(status: .notFound, headers: [.cacheControl: "no-store"])
        }
        return answer
    }

    @Sendable private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        let view = PictureSettingsView(
            page: try await PictureSettings.load(of: try context.requireAccount(), context.personal),
            token: try context.requireSession().formToken)
        return try await pages.page(
            title: "Pictures of others", at: .settings, pictureSettingsView(view), request: request, context: context)
    }

    @Sendable private func save(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        try await PictureSettings.setLimit(megabytes: context.form["limit"], of: account)
        var chosen = context.personal
        chosen.fetchesPictures = context.form.has("fetched")
        do { try await personal.keep(chosen, of: account.publicKey) } catch { throw Trouble(error) }
        try context.requireSession().browser.leave(Notice(sentence: PictureWords.saved))
        return redirect(to: "/settings/pictures")
    }

    @Sendable private func clear(_ request: Request, _ context: WebContext) async throws -> Response {
        try await PictureSettings.clear(of: try context.requireAccount())
        try context.requireSession().browser.leave(Notice(sentence: PictureWords.cleared))
        return redirect(to: "/settings/pictures")
    }
}
