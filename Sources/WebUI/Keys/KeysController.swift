internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The key of the open account: locking, passphrase, export, backup, burning; nothing of it is ever cached.
struct KeysController {
    let pages: PageRenderer
    let keys: any KeyKeeping
    let opening: any AccountOpening
    let sessions: Sessions

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/keys", use: show)
        router.post("/keys/:act", use: act)
    }

    @Sendable private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        try await keysPage(try await load(context), request, context)
    }

    @Sendable private func act(_ request: Request, _ context: WebContext) async throws -> Response {
        var page = try await load(context)
        await page.perform(try asked(try context.parameters.require("act"), context.form), in: keys)
        if page.isBurnt { return await leave(page.key) }
        if case .backup(let file) = page.shown { return download(file, of: page.key) }
        if let done = page.done {
            try context.requireSession().browser.leave(Notice(sentence: done))
            return redirect(to: "/keys")
        }
        return try await keysPage(page, request, context)
    }

    private func load(_ context: WebContext) async throws -> KeysPage {
        let account = try context.requireAccount()
        // The page must also open when the list of accounts cannot be read; the person's name serves then.
        let kept = (try? await opening.accounts())?.first { $0.key == account.publicKey }?.name ?? ""
        let name = kept.isEmpty ? await PersonItem.own(of: account).name : kept
        return try await .load(account.publicKey, name: name, from: keys)
    }

    private func asked(_ act: String, _ form: Form) throws -> KeysPage.Act {
        switch act {
        case "auto-lock": return .setAutoLock(Int64(form["after"]).flatMap { $0 > 0 ? .seconds($0) : nil })
        case "passphrase": return .changePassphrase(from: form["old"], to: form["passphrase"], again: form["again"])
        case "encrypted": return .showEncrypted
        case "words": return .showWords(passphrase: form["passphrase"])
        case "backup": return .backup(passphrase: form["passphrase"], again: form["again"])
        case "burn": return .burn(name: form["name"], passphrase: form["passphrase"])
        default: throw HTTPError(.notFound)
        }
    }

    /// Takes every browser away from an account that was burnt.
    private func leave(_ key: PublicKey) async -> Response {
        await sessions.leave(key)
        var response = redirect(to: "/welcome")
        // What scripts kept in this browser goes too: texts begun and not sent.
        if let name = HTTPField.Name("Clear-Site-Data") { response.headers[name] = "\"cache\", \"storage\"" }
        return response
    }

    private func download(_ file: [UInt8], of key: PublicKey) -> Response {
        let name = "linnet-\(key.npub.prefix(12))-\(utc(pages.now).prefix(10)).backup"
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/octet-stream", .contentDisposition: "attachment; filename=\"\(name)\"",
                .cacheControl: "no-store",
            ], body: .init(byteBuffer: .init(bytes: file)))
    }

    private func keysPage(
        _ page: KeysPage, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let view = KeysView(
            state: page, npub: page.key.npub, token: try context.requireSession().formToken)
        var response = try await pages.page(
            title: "Keys and backup", at: .more, keysView(view), request: request, context: context,
            status: page.problem == nil ? .ok : .unprocessableContent)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
