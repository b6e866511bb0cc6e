internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// Marks on notes and people: mute, bookmark, pin, follow sets.
func addMarking(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/note/:id/menu") { request, context in
        let (id, _) = try context.requireNote()
        guard let menu = try await (try context.requireDesk()).menu(of: id) else { throw HTTPError(.notFound) }
        let back = Form(encoded: request.uri.query ?? "")["back"]
        var values = menuValues(menu, back: back)
        values["csrf"] = try context.requireSession().formToken
        let html = house.templates.render("note-menu", values)
        if isFragment(request) { return house.fragment(html) }
        values["menuHTML"] = html
        values["noteHTML"] = NoteMarkup(note: menu.note, style: house.noteStyle(context)).card()
        return try await house.page(
            title: "More for this note", at: .none, house.templates.render("note-menu-page", values), request: request,
            context: context)
    }
    router.post("/note/:id/mark/:mark") { request, context in
        let (id, _) = try context.requireNote()
        guard let mark = NoteMark(rawValue: try context.parameters.require("mark")) else { throw HTTPError(.notFound) }
        let isOn = context.form["off"] != "1"
        let sentence = try await (try context.requireDesk()).mark(id, mark, isOn)
        if isFragment(request) {
            return Response(
                status: .ok, headers: [.contentType: "text/plain; charset=utf-8"],
                body: .init(byteBuffer: .init(string: sentence)))
        }
        let back = backPath(context, else: mark == .mutePerson ? "/home" : "/note/\(id.hex)")
        var fields = ["back": back]
        if isOn { fields["off"] = "1" }
        try context.requireSession().browser.leave(
            Notice(sentence: sentence, undo: Notice.Undo(path: "/note/\(id.hex)/mark/\(mark.rawValue)", fields: fields))
        )
        return redirect(to: back)
    }
    router.post("/people/:key/mute/:state") { _, context in
        let key = try context.requirePerson()
        let isOn = try onOff(context)
        try await (try context.requireDesk()).setMuted(key, isOn)
        let sentence = isOn ? "Muted. What they write is hidden everywhere." : "No longer muted."
        let undo = Notice.Undo(path: "/people/\(key.hex)/mute/\(isOn ? "off" : "on")", fields: [:])
        try context.requireSession().browser.leave(Notice(sentence: sentence, undo: undo))
        return redirect(to: backPath(context, else: "/people/\(key.hex)"))
    }
    router.post("/people/:key/set/:state") { _, context in
        let key = try context.requirePerson()
        let isOn = try onOff(context)
        try await (try context.requireDesk()).setMember(key, of: context.form["d"], isOn)
        let undo = Notice.Undo(
            path: "/people/\(key.hex)/set/\(isOn ? "off" : "on")", fields: ["d": context.form["d"]])
        let sentence = isOn ? "Added to the set, privately." : "Taken out of the set."
        try context.requireSession().browser.leave(Notice(sentence: sentence, undo: undo))
        return redirect(to: backPath(context, else: "/people/\(key.hex)"))
    }
}

private func onOff(_ context: WebContext) throws -> Bool {
    switch try context.parameters.require("state") {
    case "on": true
    case "off": false
    default: throw HTTPError(.notFound)
    }
}

private func menuValues(_ menu: NoteMenu, back: String) -> [String: Any] {
    let id = menu.note.id.hex
    let row = { (mark: NoteMark, icon: String, isOn: Bool, on: String, off: String) -> [String: Any] in
        [
            "action": "/note/\(id)/mark/\(mark.rawValue)", "icon": icon, "isOn": isOn, "label": isOn ? off : on,
            "mark": mark.rawValue,
        ]
    }
    var rows = [row(.bookmark, "bookmark", menu.isBookmarked, "Bookmark privately", "Remove the bookmark")]
    let name = menu.note.author.name
    if menu.note.isOwn {
        rows.append(row(.pin, "pin", menu.isPinned, "Pin to your profile", "Unpin from your profile"))
    } else {
        rows.append(row(.mutePerson, "mute", menu.isAuthorMuted, "Mute \(name)", "Unmute \(name)"))
    }
    rows.append(
        row(
            .muteConversation, "mute", menu.isConversationMuted, "Mute this conversation",
            "Unmute this conversation"))
    return ["rows": rows, "back": back, "author": menu.note.author.key.hex, "id": id]
}
