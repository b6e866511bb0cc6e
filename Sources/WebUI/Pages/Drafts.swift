internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// What was written and not published; and what one is doing now.
func addDrafts(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/drafts") { request, context in
        try await draftsPage(.opened, request, context, house)
    }
    router.post("/drafts/delete") { request, context in
        let state = await (try context.requireDesk()).drafts().send(.delete(context.form["id"]))
        if case .failed(let trouble) = state.phase { throw trouble }
        try context.requireSession().browser.leave(Notice(sentence: "The draft is deleted."))
        return redirect(to: "/drafts")
    }
    router.post("/status") { _, context in
        let desk = try context.requireDesk()
        let text = context.form["do"] == "clear" ? "" : context.form["status"]
        let lasts = statusTimes.first { $0.word == context.form["lasts"] }?.span
        try await desk.setStatus(text, link: context.form["link"], lasts: lasts, now: house.clock.now())
        let isCleared = text.allSatisfy(\.isWhitespace)
        try context.requireSession().browser.leave(
            Notice(sentence: isCleared ? "Your status is cleared." : "Your status is set."))
        return redirect(to: "/people/\(desk.own.hex)")
    }
}

/// How long a status can last.
let statusTimes: [(word: String, label: String, span: Duration?)] = [
    ("hour", "for an hour", .seconds(3600)), ("day", "for a day", .seconds(86_400)), ("open", "until I change it", nil),
]

private func draftsPage(
    _ input: DraftsState.Input, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    let state = await (try context.requireDesk()).drafts().send(input)
    let now = house.clock.now()
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "isEmpty": state.rows.isEmpty, "isTrouble": false,
        "rows": state.rows.map { row -> [String: Any] in
            var values: [String: Any] = [
                "id": row.id, "text": row.text, "hasText": !row.text.isEmpty, "isAnswer": row.replyTo != nil,
                "isQuote": row.quote != nil, "isEditable": row.isEditable,
                "href": "/compose?draft=" + encodePercent(row.id),
                "when": spoken(row.changedAt, now: now), "utc": utc(row.changedAt), "hasExpiry": row.expires != nil,
            ]
            values["expires"] = row.expires.map(utc)
            return values
        },
    ]
    if case .failed(let trouble) = state.phase {
        values["isTrouble"] = true
        values["trouble"] = trouble.sentence
        values["isLocked"] = try context.requireSession().isLocked
    }
    return try await house.page(
        title: "Drafts", at: .more, house.templates.render("drafts", values), request: request, context: context)
}
