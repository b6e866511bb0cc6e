internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// The log: search, filter, older lines, and all of it as JSON lines.
struct SignerActivityController {
    let signer: SignerPages

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/signer/activity", use: page)
        router.get("/signer/activity/export", use: export)
    }

    @Sendable private func page(_ request: Request, _ context: WebContext) async throws -> Response {
        let view = try await ActivityView.load(search(request), of: try await signer.service(context))
        let style = signer.pages.noteStyle(context)
        if isFragment(request) { return activityLines(view, style).response() }
        return try await signer.page("Activity", at: .activity, activityView(view, style), request, context)
    }

    @Sendable private func export(_ request: Request, _ context: WebContext) async throws -> Response {
        var search = search(request)
        search.before = nil
        let day = utc(signer.pages.now).prefix(10)
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/x-ndjson", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"linnet-signer-\(day).jsonl\"",
            ], body: exportBody(try await signer.service(context), search))
    }

    /// The log part by part, so that however long it is, little of it is in memory.
    private func exportBody(_ service: AccountSigner, _ search: ActivitySearch) -> ResponseBody {
        ResponseBody { writer in
            var search = search
            repeat {
                let part = try await ActivityView.export(search, of: service)
                if !part.text.isEmpty { try await writer.write(ByteBuffer(string: part.text)) }
                search.before = part.next
            } while search.before != nil
            try await writer.finish(nil)
        }
    }

    private func search(_ request: Request) -> ActivitySearch {
        let query = request.query
        return ActivitySearch(
            text: query["q"], app: query["app"], outcome: query["outcome"], kind: query["kind"],
            before: Int64(query["before"]))
    }
}
