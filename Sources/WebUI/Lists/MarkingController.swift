internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Marks on notes and people: mute, bookmark, pin, follow sets.
struct MarkingController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/note/:id/menu", use: menu)
        router.post("/note/:id/mark/:mark", use: mark)
        router.get("/note/:id/delete", use: deletion)
        router.get("/note/:id/report", use: report)
        router.post("/note/:id/report", use: sendReport)
        router.post("/people/:key/mute/:state", use: mute)
        router.post("/people/:key/set/:state", use: setMember)
        router.post("/people/:key/forget", use: removeCopies)
    }

    @Sendable private func menu(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.requireNote().id
        guard let menu = try await NoteMenu.load(id, of: try context.requireAccount()) else {
            throw HTTPError(.notFound)
        }
        let view = noteMenuView(
            menu, back: request.query["back"], try context.requireSession().formToken, isPage: !isFragment(request))
        if isFragment(request) { return view.response() }
        return try await pages.page(
            title: "More for this note", at: .none, noteMenuPage(menu.note, view, pages.noteStyle(context)),
            request: request, context: context)
    }

    @Sendable private func deletion(_ request: Request, _ context: WebContext) async throws -> Response {
        let note = try await note(context)
        guard note.isOwn else { throw HTTPError(.notFound) }
        return try await pages.page(
            title: "Delete this note", at: .none,
            noteDeletionPage(
                note, back: request.query["back"], try context.requireSession().formToken, pages.noteStyle(context)),
            request: request, context: context)
    }

    @Sendable private func report(_ request: Request, _ context: WebContext) async throws -> Response {
        try await reportPage(request, context)
    }

    @Sendable private func sendReport(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let report = NoteReport(reason: context.form["reason"], text: context.form["text"]) else {
            return try await reportPage(request, context, problem: ReportWords.noReason)
        }
        let id = try await strangersNote(context).id
        try await report.send(about: id, of: try context.requireAccount())
        try context.requireSession().browser.leave(Notice(sentence: ReportWords.sent))
        return redirect(to: "/note/\(id)")
    }

    private func reportPage(
        _ request: Request, _ context: WebContext, problem: String? = nil
    ) async throws -> Response {
        let view = noteReportPage(
            try await strangersNote(context), problem: problem, try context.requireSession().formToken,
            pages.noteStyle(context))
        return try await pages.page(
            title: "Report this note", at: .none, view, request: request, context: context,
            status: problem == nil ? .ok : .badRequest)
    }

    /// A note somebody else wrote: there is no page to report a note of the account's own.
    private func strangersNote(_ context: WebContext) async throws -> NoteItem {
        let note = try await note(context)
        guard !note.isOwn else { throw HTTPError(.notFound) }
        return note
    }

    private func note(_ context: WebContext) async throws -> NoteItem {
        let account = try context.requireAccount()
        // What is muted is reported, too.
        guard account.canSign,
            let note = await NoteItem.load(try context.requireNote().id, evenMuted: true, of: account)
        else { throw HTTPError(.notFound) }
        return note
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

    @Sendable private func removeCopies(_ request: Request, _ context: WebContext) async throws -> Response {
        let key = try context.requirePerson()
        let sentence = try await PersonMarks.removeCopies(of: key, for: try context.requireAccount())
        try context.requireSession().browser.leave(Notice(sentence: sentence))
        return redirect(to: "/people/\(key)")
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
