internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The key of the open account: locking, passphrase, export, backup, burning; nothing of it is ever cached.
struct KeysController {
    let pages: PageRenderer
    let keys: any KeyKeeping
    let opening: any AccountOpening
    let sessions: SessionBook

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/keys", use: show)
        router.post("/keys/:act", use: act)
    }

    @Sendable private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        try await keysPage(await (try await model(context)).send(.opened), request, context)
    }

    @Sendable private func act(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try await model(context)
        await model.send(.opened)
        let state = await model.send(try input(try context.parameters.require("act"), context.form))
        let own = try context.requireDesk().own
        if state.isBurnt { return leave(own) }
        if case .backup(let file) = state.shown { return download(file, of: own) }
        if let done = state.done {
            try context.requireSession().browser.leave(Notice(sentence: done))
            return redirect(to: "/keys")
        }
        return try await keysPage(state, request, context)
    }

    private func model(_ context: WebContext) async throws -> ScreenModel<KeysState> {
        let desk = try context.requireDesk()
        // The page must also open when the list of accounts cannot be read; the person's name serves then.
        let kept = (try? await opening.accounts())?.first { $0.key == desk.own }?.name ?? ""
        let name = kept.isEmpty ? await desk.ownPerson().name : kept
        return ScreenModel(keys, of: desk.own, name: name)
    }

    private func input(_ act: String, _ form: Form) throws -> KeysState.Input {
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
    private func leave(_ key: PublicKey) -> Response {
        sessions.leave(key)
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
        _ state: KeysState, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        if case .failed(let trouble) = state.phase { throw trouble }
        let view = KeysView(
            state: state, npub: try context.requireDesk().own.npub, token: try context.requireSession().formToken)
        var response = try await pages.page(
            title: "Keys and backup", at: .more, keysView(view), request: request, context: context,
            status: state.problem == nil ? .ok : .unprocessableContent)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
