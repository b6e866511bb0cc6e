internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The key of the open account: locking, passphrase, export, backup, burning; nothing of it is ever cached.
func addKeys(to router: some RouterMethods<WebContext>, _ house: House) {
    guard let keys = house.keys else { return }
    router.get("/keys") { request, context in
        let model = try await keysModel(keys, context, house)
        return try await keysPage(await model.send(.opened), request, context, house)
    }
    router.post("/keys/:act") { request, context in
        let model = try await keysModel(keys, context, house)
        await model.send(.opened)
        let state = await model.send(try keysInput(try context.parameters.require("act"), context.form))
        let desk = try context.requireDesk()
        if state.isBurnt {
            house.sessions.leave(desk.own)
            var response = redirect(to: "/welcome")
            // What scripts kept in this browser goes too: texts begun and not sent.
            if let name = HTTPField.Name("Clear-Site-Data") { response.headers[name] = "\"cache\", \"storage\"" }
            return response
        }
        if case .backup(let file) = state.shown { return download(file, of: desk.own, at: house.clock.now()) }
        if let done = state.done {
            try context.requireSession().browser.leave(Notice(sentence: done))
            return redirect(to: "/keys")
        }
        return try await keysPage(state, request, context, house)
    }
}

private func keysModel(
    _ keys: any KeyKeeping, _ context: WebContext, _ house: House
) async throws -> ScreenModel<KeysState> {
    let desk = try context.requireDesk()
    // The page must also open when the list of accounts cannot be read; the person's name serves then.
    let kept = (try? await house.opening.accounts())?.first { $0.key == desk.own }?.name ?? ""
    let name = kept.isEmpty ? await desk.ownPerson().name : kept
    return ScreenModel(keys, of: desk.own, name: name)
}

private func keysInput(_ act: String, _ form: Form) throws -> KeysState.Input {
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

private func download(_ file: [UInt8], of key: PublicKey, at moment: Timestamp) -> Response {
    let name = "linnet-\(key.npub.prefix(12))-\(utc(moment).prefix(10)).backup"
    return Response(
        status: .ok,
        headers: [
            .contentType: "application/octet-stream", .contentDisposition: "attachment; filename=\"\(name)\"",
            .cacheControl: "no-store",
        ], body: .init(byteBuffer: .init(bytes: file)))
}

private func keysPage(
    _ state: KeysState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    let desk = try context.requireDesk()
    let custody = state.custody
    let place = custody?.place
    let kept: [KeyCustody.Place: String] = [
        .file: "In a file on this machine, encrypted with your passphrase (NIP-49).",
        .keyring: "In this system's keyring, which your session opens. It has no passphrase.",
        .elsewhere: "With a signer elsewhere. Here is only what it knows this Linnet by, encrypted.",
        .browser: "In your browser's extension. Here is no secret of it.",
        .readOnly: "Nowhere: Linnet knows only the public key.",
        .demo: "In the simulated network. It is nobody's key.",
    ]
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "name": state.name, "npub": desk.own.npub,
        "place": place.flatMap { kept[$0] } ?? "", "isLocked": custody?.isLocked ?? false,
        "hasKey": place == .file || place == .keyring, "hasPassphrase": place == .file,
        "isDemo": place == .demo, "isReadOnly": place == .readOnly,
        "canLock": place != .readOnly && place != .demo, "isElsewhere": place == .elsewhere,
        "hasMnemonic": custody?.hasMnemonic ?? false, "shortest": FirstRunState.shortestPassphrase,
        "choices": autoLockValues(state.autoLock),
    ]
    for door in KeysState.Door.allCases {
        values["problem_" + door.rawValue] = state.problem?.door == door ? state.problem?.sentence : nil
        values["open_" + door.rawValue] = state.problem?.door == door
    }
    switch state.shown {
    case .encrypted(let text):
        values["encrypted"] = text
        values["open_encrypted"] = true
    case .words(let text):
        values["words"] = text.split(separator: " ").map(String.init)
        values["open_words"] = true
    case .backup, nil: break
    }
    var response = try await house.page(
        title: "Keys and backup", at: .more, house.templates.render("keys", values), request: request,
        context: context, status: state.problem == nil ? .ok : .unprocessableContent)
    response.headers[.cacheControl] = "no-store"
    return response
}

private func autoLockValues(_ current: Duration?) -> [[String: Any]] {
    var choices = KeysState.autoLockChoices
    if !choices.contains(current) { choices.append(current) }
    return choices.map { choice in
        let minutes = (choice?.components.seconds ?? 0) / 60
        let label =
            switch minutes {
            case 0: "Never"
            case ..<60: "\(minutes) minutes"
            case 60: "1 hour"
            default: "\(minutes / 60) hours"
            }
        return ["value": choice?.components.seconds ?? 0, "label": label, "isChosen": choice == current]
    }
}
