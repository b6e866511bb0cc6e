internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// People: their page, following them, and one's own profile.
func addPeople(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/people/:key") { request, context in
        try await profilePage(request, context, house)
    }
    router.post("/people/:key/:act") { _, context in
        let key = try personKey(context)
        let act = try context.parameters.require("act")
        guard act == "follow" || act == "unfollow" else { throw HTTPError(.notFound) }
        try await (try context.requireDesk()).setFollowing(key, act == "follow")
        return redirect(to: backPath(context, else: "/people/\(key.hex)"))
    }
    router.get("/avatar/:key") { _, context in
        let key = try personKey(context)
        return Response(
            status: .ok,
            headers: [.contentType: "image/svg+xml", .cacheControl: "private, max-age=31536000, immutable"],
            body: .init(byteBuffer: .init(string: identicon(key))))
    }
    router.get("/profile/edit") { request, context in
        let state = await (try context.requireDesk()).profileEdit().send(.opened)
        return try await editPage(state, request, context, house)
    }
    router.post("/profile/edit") { request, context in
        let desk = try context.requireDesk()
        let model = desk.profileEdit()
        await model.send(.opened)
        var filled: [String: String] = [:]
        for name in ProfileEdit.fieldNames where context.form.has(name) { filled[name] = context.form[name] }
        let state = await model.send(.save(filled))
        if state.isSaved { return redirect(to: "/people/\(desk.own.hex)") }
        return try await editPage(state, request, context, house)
    }
}

private func profilePage(_ request: Request, _ context: WebContext, _ house: House) async throws -> Response {
    let key = try personKey(context)
    let desk = try context.requireDesk()
    let withReplies = request.uri.queryParameters["with"] == "answers"
    let state = await desk.profile(key, withReplies: withReplies).send(.opened(below: timelinePlace(request)))
    let page: Path = "/people/\(key)"
    let path = withReplies ? page.with("with", "answers") : page
    let list = noteListView(
        NoteList(
            state: state.timeline, path: path, token: try context.requireSession().formToken,
            style: house.noteStyle(context)))
    if isFragment(request) { return house.fragment(list) }
    guard let person = state.person else {
        if case .failed(let trouble) = state.phase { throw trouble }
        throw HTTPError(.notFound)
    }
    let style = house.noteStyle(context)
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "back": path.text, "withReplies": withReplies,
        "person": PersonFields(person: person, style: style, isOwn: state.isOwn), "listHTML": list,
        "canFollow": desk.canSign && !state.isOwn, "canWrite": desk.canSign, "npub": key.npub,
        "hasWebsite": person.website != nil,
    ]
    values["websiteHTML"] = person.website.map(linkOut)
    let banner = person.banner.flatMap { style.loads($0, of: person, own: state.isOwn) ? $0 : nil }
    values["hasBanner"] = banner != nil
    values["banner"] = banner
    values["hasFollowing"] = person.followingCount != nil
    values["following"] = person.followingCount.map { spoken(count: $0) }
    let marks = await desk.marks(of: key)
    values["isMuted"] = marks.isMuted
    values["hasMarks"] = desk.hasLists && !state.isOwn
    values["sets"] = marks.sets.map {
        ["d": $0.identifier, "title": $0.title, "isMember": $0.isMember] as [String: Any]
    }
    values["setsStatus"] = desk.hasLists && state.isOwn
    values["statusTimes"] = statusTimes.map { ["word": $0.word, "label": $0.label] }
    let aside = house.templates.render(
        "aside-person",
        [
            "writeRelays": person.writeRelays, "readRelays": person.readRelays,
            "hasRelays": !(person.writeRelays + person.readRelays).isEmpty, "npub": key.npub,
        ])
    return try await house.page(
        title: person.name, at: state.isOwn ? .profile : .none, house.templates.render("person", values),
        beside: aside, request: request, context: context)
}

private func editPage(
    _ state: ProfileEdit, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    let labels: [String: (label: String, hint: String, type: String)] = [
        "display_name": ("Name", "What people see first.", "text"),
        "name": ("Short name", "What people write after @.", "text"),
        "about": ("About you", "", "textarea"),
        "picture": ("Picture", "The address of a square picture, https://…", "url"),
        "banner": ("Banner", "The address of a wide picture, https://…", "url"),
        "website": ("Website", "https://…", "url"),
        "nip05": ("Nostr address", "name@example.org, where you proved it", "text"),
        "lud16": ("Lightning address", "name@example.org, to be sent money", "text"),
    ]
    let fields = ProfileEdit.fieldNames.compactMap { name -> [String: Any]? in
        guard let label = labels[name] else { return nil }
        return [
            "field": name, "label": label.label, "hint": label.hint, "hasHint": !label.hint.isEmpty,
            "type": label.type, "isText": label.type == "textarea", "value": state.fields[name] ?? "",
            "hasProblem": state.problems[name] != nil, "problem": state.problems[name] ?? "",
        ]
    }
    let values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "fields": fields, "hasProblem": state.problems[""] != nil,
        "problem": state.problems[""] ?? "",
    ]
    return try await house.page(
        title: "Edit profile", at: .profile, house.templates.render("profile-edit", values), request: request,
        context: context, status: state.problems.isEmpty ? .ok : .unprocessableContent)
}

/// The person an address names: hex, `npub1…` or `nprofile1…`; an ending `.svg` is dropped.
func personKey(_ context: WebContext) throws -> PublicKey {
    var text = try context.parameters.require("key")
    if text.hasSuffix(".svg") { text = String(text.dropLast(4)) }
    // What does not decode is tried the other way, and then is nobody.
    if let key = try? PublicKey(hex: text) { return key }
    switch try? NostrEntity(text) {
    case .npub(let key): return key
    case .nprofile(let pointer): return pointer.key
    default: throw HTTPError(.notFound, message: "That is not the key of a person.")
    }
}
