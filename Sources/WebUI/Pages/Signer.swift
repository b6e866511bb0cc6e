internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// The signer: what waits, and deciding it; nothing of these pages is ever cached.
func addSigner(to router: some RouterMethods<WebContext>, _ house: House) {
    guard house.signers != nil else { return }
    router.get("/signer") { request, context in
        let model = try await signerDesk(context, house).requests(now: house.clock.now())
        return try await requestsPage(await model.send(.opened), request, context, house)
    }
    router.post("/signer/decide") { request, context in
        let model = try await signerDesk(context, house).requests(now: house.clock.now())
        await model.send(.opened)
        let state = await model.send(.decide(chosenRequests(context.form), try requestAnswer(context.form)))
        return try await afterDeciding(state, request, context, house)
    }
    router.post("/signer/pause") { request, context in
        let model = try await signerDesk(context, house).requests(now: house.clock.now())
        await model.send(.opened)
        let state = await model.send(.pause(context.form["pause"] == "1"))
        return try await afterDeciding(state, request, context, house)
    }
    addSignerRequest(to: router, house)
    addSignerApps(to: router, house)
    addSignerActivity(to: router, house)
    addSignerConnect(to: router, house)
    addSignerSettings(to: router, house)
    addSignerPush(to: router, house)
}

/// The signer of the open account.
func signerDesk(_ context: WebContext, _ house: House) async throws -> SignerDesk {
    guard let signer = await (try context.requireDesk()).signer(house.signers) else {
        throw HTTPError(
            .notFound, message: "Linnet has no key for this account, so it cannot sign for other apps with it.")
    }
    return signer
}

/// What a form says to requests.
func requestAnswer(_ form: Form) throws -> RequestAnswer {
    guard let answer = RequestAnswer(rawValue: form["answer"]) else { throw HTTPError(.badRequest) }
    return answer
}

/// The requests a form is about: all it names, or of those the ones that were ticked.
private func chosenRequests(_ form: Form) -> [EventID] {
    form["ids"].split(separator: " ").filter { !form.has("picks") || form.has("pick_" + $0) }
        // What is no id is a request that does not wait.
        .compactMap { try? EventID(hex: String($0)) }
}

private func afterDeciding(
    _ state: RequestsState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if isFragment(request) || state.problem != nil { return try await requestsPage(state, request, context, house) }
    if let done = state.done { try context.requireSession().browser.leave(Notice(sentence: done)) }
    return redirect(to: state.left.map { "/signer/requests/\($0.hex)" } ?? "/signer")
}

private func requestsPage(
    _ state: RequestsState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    let desk = try context.requireDesk()
    let session = try context.requireSession()
    let style = house.noteStyle(context)
    let values: [String: Any] = [
        "csrf": session.formToken, "isEmpty": state.groups.isEmpty, "count": state.count, "isPaused": state.isPaused,
        "hasNoApps": state.apps == 0, "isLocked": state.locked > 0, "locked": state.locked,
        "isOneLocked": state.locked == 1, "key": desk.own.hex, "name": await desk.ownPerson().name,
        "asksForPassphrase": await house.asksForPassphrase(desk.own),
        "hasProblem": state.problem != nil, "problem": state.problem ?? "", "done": state.done ?? "",
        "groups": state.groups.map { groupValues($0, state.people, style) },
    ]
    let list = house.templates.render("signer-requests", values)
    if isFragment(request) { return house.fragment(list) }
    return try await signerPage(
        "Signer", at: .waiting, list, request, context, house,
        status: state.problem == nil ? .ok : .unprocessableContent)
}

/// How many requests of one group are told apart on the page of all.
private let mostShown = 200

private func groupValues(
    _ group: RequestsState.Group, _ people: [PublicKey: PersonItem], _ style: NoteStyle
) -> [String: Any] {
    let shown = group.items.prefix(mostShown)
    return [
        "ids": shown.map(\.id.hex).joined(separator: " "), "first": shown[0].id.hex, "isBatch": group.isBatch,
        "count": group.items.count, "hasMore": group.items.count > shown.count, "shown": shown.count,
        "app": appValues(group.app, style), "permission": group.permission ?? "",
        "hasPermission": group.permission != nil, "appWord": encodePercent(group.app.word),
        "items": shown.map { requestValues($0, peer: $0.peer.flatMap { people[$0] }, style) },
        "only": requestValues(shown[0], peer: shown[0].peer.flatMap { people[$0] }, style),
    ]
}

/// The pages of the signer, as its tabs name them.
enum SignerTab: String, CaseIterable {
    case waiting, apps, connect, activity, relays, settings

    fileprivate var title: String {
        switch self {
        case .waiting: "Waiting"
        case .apps: "Apps"
        case .connect: "Connect"
        case .activity: "Activity"
        case .relays: "Relays"
        case .settings: "Settings"
        }
    }
    fileprivate var path: String { self == .waiting ? "/signer" : "/signer/" + rawValue }
}

/// A page of the signer: its tabs above, never cached.
///
/// - Parameter back: the page it belongs under, for a page that is no tab's own.
func signerPage(
    _ title: String, at tab: SignerTab, back: String? = nil, _ body: HTML, _ request: Request, _ context: WebContext,
    _ house: House, status: HTTPResponse.Status = .ok
) async throws -> Response {
    let waiting = await (try await signerDesk(context, house)).backlog().count
    let values: [String: Any] = [
        "waiting": waiting, "hasWaiting": waiting > 0, "title": title, "back": back ?? "", "hasBack": back != nil,
        "bodyHTML": body,
        "tabs": SignerTab.allCases.map {
            ["href": $0.path, "label": $0.title, "isHere": $0 == tab, "isWaiting": $0 == .waiting] as [String: Any]
        },
    ]
    return try await house.page(
        title: title, at: .signer, house.templates.render("signer", values),
        beside: house.templates.render("aside-signer", [:] as [String: Any]), request: request, context: context,
        status: status)
}

/// An app for the templates.
func appValues(_ app: AppItem, _ style: NoteStyle) -> [String: Any] {
    [
        "word": encodePercent(app.word), "formWord": app.word, "title": app.title, "isClaimed": app.isTitleClaimed,
        "mark": app.mark, "isLink": app.isLink, "hasClaimedName": app.claimedName != nil,
        "claimedName": app.claimedName ?? "", "hasPage": app.claimedPage != nil, "claimedPage": app.claimedPage ?? "",
        "trust": app.trust, "trustTitle": app.trustTitle, "requests": spoken(count: app.requests),
        "isOneRequest": app.requests == 1, "connectedUTC": utc(app.connected),
        "connected": spoken(app.connected, now: style.now), "isSeen": app.lastSeen != nil,
        "seenUTC": app.lastSeen.map(utc) ?? "", "seen": app.lastSeen.map { spoken($0, now: style.now) } ?? "",
        "initial": String(app.title.first { $0.isLetter || $0.isNumber } ?? "?").uppercased(),
    ]
}
