internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The page of a signer link: what it asks, the answer, and the way back to the app.
///
/// The answer leaves by a link and a script, never by a form: the policy lets forms go nowhere but here.
func addSignerLink(to router: some RouterMethods<WebContext>, _ house: House) {
    guard let links = house.links else { return }
    router.get("/signer/link/:id") { request, context in
        let id = try context.parameters.require("id")
        guard let item = await links.item(id) else { throw forgotten }
        return try await linkPage(item, links, context, house)
    }
    router.post("/signer/link/:id/decide") { request, context in
        let id = try context.parameters.require("id")
        guard let item = await links.item(id) else { throw forgotten }
        guard item.stage == .asking, let model = try await linkModel(item, links, house) else {
            return redirect(to: "/signer/link/\(id)")
        }
        let form = context.form
        let answer = try requestAnswer(form)
        // Without a callback nobody knows who asks, so there is no app that could be allowed anything from now on.
        guard !item.usesClipboard || answer == .once || answer == .refuse else { throw HTTPError(.badRequest) }
        let state = await model.send(decision(answer, form, about: await model.send(.opened)))
        guard state.done != nil else {
            return try await linkPage(item, links, context, house, deciding: state)
        }
        _ = await links.settled(id, within: .seconds(10))
        return redirect(to: "/signer/link/\(id)")
    }
    router.post("/signer/link/:id/account") { _, context in
        let id = try context.parameters.require("id")
        guard await links.item(id) != nil else { throw forgotten }
        guard let key = try? PublicKey(hex: context.form["key"]) else { throw HTTPError(.badRequest) }
        await links.choose(key, for: id)
        return redirect(to: "/signer/link/\(id)")
    }
    router.post("/signer/link/:id/unlock") { request, context in
        let id = try context.parameters.require("id")
        guard let account = await links.item(id)?.account else { throw forgotten }
        _ = try await house.opening.unlock(account, passphrase: context.form["passphrase"])
        return redirect(to: "/signer/link/\(id)")
    }
}

private let forgotten = HTTPError(
    .notFound, message: "This link was answered long ago, or never came here. Ask again from the app.")

private func linkModel(
    _ item: LinkItem, _ links: SignerLinks, _ house: House
) async throws -> ScreenModel<RequestState>? {
    guard let key = item.account else { return nil }
    return await links.request(item.id, of: try await house.opening.open(key), now: house.clock.now())
}

private func linkPage(
    _ item: LinkItem, _ links: SignerLinks, _ context: WebContext, _ house: House,
    deciding state: RequestState? = nil
) async throws -> Response {
    var values: [String: Any] = [
        "id": item.id, "csrf": try context.requireSession().formToken, "place": item.place,
        "hasPlace": !item.place.isEmpty, "claimedName": item.claimedName ?? "",
        "hasClaimedName": item.claimedName != nil, "claimedPage": item.claimedPage ?? "",
        "hasClaimedPage": item.claimedPage != nil, "usesClipboard": item.usesClipboard,
        "leaksToServer": item.leaksToServer, "isCarriedElsewhere": item.isCarriedElsewhere,
        "problem": item.problem ?? "", "hasProblem": item.problem != nil,
    ]
    var isReady = true
    switch item.stage {
    case .choosing(let keys):
        values["isChoosing"] = true
        values["accounts"] = await accountRows(keys, house, context)
    case .asking:
        values["isAsking"] = true
        let model = try await linkModel(item, links, house)
        let shown: RequestState?
        if let state { shown = state } else { shown = await model?.send(.opened) }
        values["name"] = await accountName(item, house)
        if let key = item.account { values["asksForPassphrase"] = await house.asksForPassphrase(key) }
        isReady = shown?.detail != nil
        values["isReady"] = isReady
        if let shown, let detail = shown.detail {
            values["isLocked"] = detail.item.isLocked
            values["needsSecondStep"] = detail.item.needsSecondStep
            values["isConfirming"] = shown.isConfirming
            values["answer"] = shown.answer.rawValue
            values["lostCount"] = detail.item.lostCount
            values["isPairing"] = detail.item.sort == .pairing || item.usesClipboard
            values["decision"] = shown.problem ?? ""
            values["hasDecision"] = shown.problem != nil
            values["wishes"] = wishValues(detail.item.wishes)
            values["hasWishes"] = !detail.item.wishes.isEmpty
            values["requestHTML"] = requestMarkup(detail, house, context)
        }
    case .open(let url):
        values["isOpen"] = true
        values["url"] = url
    case .copy(let text):
        values["isCopy"] = true
        values["text"] = text
    case .over: values["isOver"] = true
    }
    var response = house.bare(title: "Signer link", house.templates.render("signer-link", values), context)
    response.headers[.cacheControl] = "no-store"
    // The request shows itself once the signer has looked at it.
    if !isReady, let name = HTTPField.Name("Refresh") { response.headers[name] = "1" }
    return response
}

private func accountRows(_ keys: [PublicKey], _ house: House, _ context: WebContext) async -> [[String: Any]] {
    // The page must also show when the list of accounts cannot be read.
    let known = (try? await house.opening.accounts()) ?? []
    let style = house.noteStyle(context)
    var rows: [[String: Any]] = []
    for key in keys {
        let name = known.first { $0.key == key }?.shownName ?? String(key.npub.prefix(16))
        var row: [String: Any] = ["key": key.hex, "name": name, "npub": key.npub]
        row["person"] = await house.opening.person(of: key).map { PersonFields(person: $0, style: style, isOwn: true) }
        rows.append(row)
    }
    return rows
}

private func accountName(_ item: LinkItem, _ house: House) async -> String {
    guard let key = item.account else { return "" }
    // The page must also show when the list of accounts cannot be read.
    let kept = (try? await house.opening.accounts())?.first { $0.key == key }?.shownName
    return kept ?? String(key.npub.prefix(16))
}
