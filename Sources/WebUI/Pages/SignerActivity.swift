internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// The log: search, filter, older lines, and all of it as JSON lines.
func addSignerActivity(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/signer/activity") { request, context in
        let search = activitySearch(request)
        let state = await (try await signerDesk(context, house)).activity(search).send(.opened)
        return try await activityPage(state, request, context, house)
    }
    router.get("/signer/activity/export") { request, context in
        let signer = try await signerDesk(context, house)
        var search = activitySearch(request)
        search.before = nil
        let day = utc(house.clock.now()).prefix(10)
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/x-ndjson", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"linnet-signer-\(day).jsonl\"",
            ], body: exportBody(signer, search))
    }
}

/// The log part by part, so that however long it is, little of it is in memory.
private func exportBody(_ signer: SignerDesk, _ search: ActivityState.Search) -> ResponseBody {
    ResponseBody { writer in
        var search = search
        repeat {
            let part = try await signer.activityLines(search)
            if !part.text.isEmpty { try await writer.write(ByteBuffer(string: part.text)) }
            search.before = part.next
        } while search.before != nil
        try await writer.finish(nil)
    }
}

private func activitySearch(_ request: Request) -> ActivityState.Search {
    let query = Form(encoded: request.uri.query ?? "")
    return ActivityState.Search(
        text: query["q"], app: query["app"], outcome: query["outcome"], kind: query["kind"],
        before: Int64(query["before"]))
}

private func activityPage(
    _ state: ActivityState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    let style = house.noteStyle(context)
    let search = state.search
    let query = [("q", search.text), ("app", search.app), ("outcome", search.outcome), ("kind", search.kind)]
        .filter { !$0.1.isEmpty }.map { $0.0 + "=" + encodePercent($0.1) }.joined(separator: "&")
    let join = query.isEmpty ? "" : query + "&"
    let values: [String: Any] = [
        "lines": state.lines.map { activityValues($0, style) }, "isEmpty": state.lines.isEmpty,
        "isSearch": !search.isEmpty, "text": search.text, "kind": search.kind,
        "apps": state.apps.map {
            ["word": $0.word, "label": $0.title, "isChosen": $0.word == search.app] as [String: Any]
        },
        "outcomes": ActivityState.outcomes.map {
            ["word": $0.word, "label": $0.title, "isChosen": $0.word == search.outcome] as [String: Any]
        },
        "hasNext": state.next != nil, "next": "/signer/activity?\(join)before=\(state.next ?? 0)",
        "export": "/signer/activity/export" + (query.isEmpty ? "" : "?" + query),
        "path": "/signer/activity" + (query.isEmpty ? "" : "?" + query), "isNewest": search.before == nil,
    ]
    if isFragment(request) { return house.fragment(house.templates.render("signer-lines", values)) }
    return try await signerPage(
        "Activity", at: .activity, house.templates.render("signer-activity", values), request, context, house)
}

/// A line of the log for the templates.
func activityValues(_ line: ActivityItem, _ style: NoteStyle) -> [String: Any] {
    [
        "id": line.id, "href": appPath(line.app), "title": line.title, "isAct": line.isAct,
        "what": line.what, "summary": line.summary,
        "hasSummary": !line.summary.isEmpty, "outcome": line.outcome, "outcomeWords": line.outcomeTitle,
        "reason": line.reason, "error": line.error ?? "", "hasError": line.error != nil,
        "hasResult": line.result != nil, "resultHref": "/note/\(line.result?.hex ?? "")",
        "short": String(line.result?.hex.prefix(8) ?? ""), "utc": utc(line.time),
        "when": spoken(line.time, now: style.now),
    ]
}
