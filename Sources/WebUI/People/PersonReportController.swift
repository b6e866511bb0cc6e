internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// Reporting a person in public (NIP-56): asked for on a page of its own, and never done by itself.
struct PersonReportController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/people/:key/report", use: ask)
        router.post("/people/:key/report", use: send)
    }

    @Sendable private func ask(_ request: Request, _ context: WebContext) async throws -> Response {
        try await page(request, context)
    }

    @Sendable private func send(_ request: Request, _ context: WebContext) async throws -> Response {
        let key = try stranger(context)
        guard let report = NoteReport(reason: context.form["reason"], text: context.form["text"]) else {
            return try await page(request, context, problem: ReportWords.noReason)
        }
        try await report.send(about: key, of: try context.requireAccount())
        try context.requireSession().browser.leave(Notice(sentence: ReportWords.sent))
        return redirect(to: "/people/\(key)")
    }

    /// Somebody else: nobody reports themselves.
    private func stranger(_ context: WebContext) throws -> PublicKey {
        let key = try context.requirePerson()
        let account = try context.requireAccount()
        guard account.canSign, key != account.publicKey else { throw HTTPError(.notFound) }
        return key
    }

    private func page(_ request: Request, _ context: WebContext, problem: String? = nil) async throws -> Response {
        let key = try stranger(context)
        let person = try await PersonItem.load(key, from: try context.requireAccount().people)
        return try await pages.page(
            title: "Report this person", at: .none,
            personReportView(person, problem: problem, try context.requireSession().formToken), request: request,
            context: context, status: problem == nil ? .ok : .badRequest)
    }
}

/// Asks what is wrong with a person before they are reported.
func personReportView(_ person: PersonItem, problem: String?, _ token: FormToken) -> HTML {
    let (path, action): (Path, Path) = ("/people/\(person.key)", "/people/\(person.key)/report")
    return """
        <div class="head"><a class="back" href="\(path)" aria-label="Back to the person">\(icon(.back))</a><h1>Report \(person.name)</h1></div>
        <div class="sheet">\(reportForm(on: person.name, from: path, to: action, problem: problem, token))</div>
        """
}
