internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The account's emoji: its packs, making one, and one pack by its address.
struct EmojiController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/emoji") { try await emoji($0, $1, looks: false) }
        router.post("/emoji", use: make)
        router.get("/emoji/find") { try await emoji($0, $1, looks: true) }
        router.post("/emoji/adopt") { try await set(true, $0, $1) }
        router.post("/emoji/leave") { try await set(false, $0, $1) }
        router.get("/emoji/:pack", use: pack)
    }

    @Sendable private func make(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        do {
            let identifier = try await EmojiPage.makePack(
                title: form["title"], about: form["about"], of: try context.requireAccount())
            return redirect(to: identifier.isEmpty ? "/emoji" : listPath(.emojiSets, identifier))
        } catch let trouble as Trouble {
            return try await emoji(request, context, looks: false, problem: trouble.sentence)
        }
    }

    private func set(_ isAdopted: Bool, _ request: Request, _ context: WebContext) async throws -> Response {
        do {
            let sentence = try await EmojiPage.setAdopted(
                context.form["pack"], isAdopted, of: try context.requireAccount())
            try context.requireSession().browser.leave(Notice(sentence: sentence))
            return redirect(to: context.back(else: "/emoji"))
        } catch let trouble as Trouble {
            return try await emoji(request, context, looks: false, problem: trouble.sentence)
        }
    }

    @Sendable private func pack(_ request: Request, _ context: WebContext) async throws -> Response {
        let code = try context.parameters.require("pack")
        guard packPath(code) != nil else { throw HTTPError(.notFound, message: ReactionWords.noPack) }
        let pack = try await EmojiPage.pack(code, of: try context.requireAccount())
        let view = EmojiView(
            token: try context.requireSession().formToken, style: pages.noteStyle(context),
            canChange: try context.requireAccount().lists != nil)
        return try await pages.page(
            title: pack.title, at: .more, packPage(pack, view), request: request, context: context)
    }

    private func emoji(
        _ request: Request, _ context: WebContext, looks: Bool, problem: String? = nil
    ) async throws -> Response {
        let account = try context.requireAccount()
        let page = try await EmojiPage.load(looking: looks, of: account)
        let view = EmojiView(
            token: try context.requireSession().formToken, style: pages.noteStyle(context),
            canChange: account.lists != nil)
        return try await pages.page(
            title: "Emoji", at: .more, emojiPage(page, problem: problem, view), request: request, context: context,
            status: problem == nil ? .ok : .unprocessableContent)
    }
}

/// The page of a pack of emoji; `nil` for a text that is no address of one.
func packPath(_ text: String) -> Path? {
    let code = text.hasPrefix("nostr:") ? String(text.dropFirst(6)) : text
    // What does not decode is no address.
    guard case .naddr(let pointer)? = try? NostrEntity(code), pointer.address.kind == .emojiSets else { return nil }
    return "/emoji/\(code)"
}
