internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// Marks on notes and people: mute, bookmark, pin, follow sets.
struct MarkingController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/note/:id/menu", use: menu)
        router.post("/note/:id/mark/:mark", use: mark)
        router.post("/people/:key/mute/:state", use: mute)
        router.post("/people/:key/set/:state", use: setMember)
    }

    @Sendable private func menu(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.requireNote().id
        guard let menu = try await NoteMenu.load(id, of: try context.requireAccount()) else {
            throw HTTPError(.notFound)
        }
        let view = noteMenuView(menu, back: request.query["back"], try context.requireSession().formToken)
        if isFragment(request) { return view.response() }
        return try await pages.page(
            title: "More for this note", at: .none, noteMenuPage(menu.note, view, pages.noteStyle(context)),
            request: request, context: context)
    }

    @Sendable private func mark(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.requireNote().id
        guard let mark = NoteMark(rawValue: try context.parameters.require("mark")) else { throw HTTPError(.notFound) }
        let isOn = context.form["off"] != "1"
        let sentence = try await mark.put(isOn, on: id, of: try context.requireAccount())
        if isFragment(request) { return plainText(sentence) }
        let back = context.back(else: mark == .mutePerson ? "/home" : "/note/\(id)")
        var fields = ["back": back.text]
        if isOn { fields["off"] = "1" }
        let undo = Notice.Undo(path: "/note/\(id)/mark/\(mark.rawValue)", fields: fields)
        try context.requireSession().browser.leave(Notice(sentence: sentence, undo: undo))
        return redirect(to: back)
    }

    @Sendable private func mute(_ request: Request, _ context: WebContext) async throws -> Response {
        let key = try context.requirePerson()
        let isOn = try isOn(context)
        try await PersonMarks.setMuted(key, isOn, of: try context.requireAccount())
        let sentence = isOn ? MarkWords.personMuted : MarkWords.personUnmuted
        let undo = Notice.Undo(path: isOn ? "/people/\(key)/mute/off" : "/people/\(key)/mute/on", fields: [:])
        try context.requireSession().browser.leave(Notice(sentence: sentence, undo: undo))
        return redirect(to: context.back(else: "/people/\(key)"))
    }

    @Sendable private func setMember(_ request: Request, _ context: WebContext) async throws -> Response {
        let key = try context.requirePerson()
        let isOn = try isOn(context)
        let set = context.form["d"]
        try await PersonMarks.setMember(key, ofSet: set, isOn, of: try context.requireAccount())
        let undo = Notice.Undo(path: isOn ? "/people/\(key)/set/off" : "/people/\(key)/set/on", fields: ["d": set])
        let sentence = isOn ? MarkWords.memberAdded : MarkWords.memberRemoved
        try context.requireSession().browser.leave(Notice(sentence: sentence, undo: undo))
        return redirect(to: context.back(else: "/people/\(key)"))
    }

    private func isOn(_ context: WebContext) throws -> Bool {
        switch try context.parameters.require("state") {
        case "on": true
        case "off": false
        default: throw HTTPError(.notFound)
        }
    }
}
