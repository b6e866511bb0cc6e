internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Polls: how one stands, a vote, and asking one.
struct PollsController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/polls/:id", use: poll)
        router.post("/polls/:id/vote", use: vote)
        router.get("/compose/poll", use: open)
        router.post("/compose/poll", use: submit)
    }

    @Sendable private func poll(_ request: Request, _ context: WebContext) async throws -> Response {
        try await pollPage(try context.requireNote().id, request, context)
    }

    @Sendable private func vote(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.requireNote().id
        let account = try context.requireAccount()
        // Fields of other polls stand in the same form.
        let name = "poll-\(id.hex)"
        let chosen = context.form.all.filter { $0.name == name || $0.name.hasPrefix(name + "-") }.map(\.value)
        do throws(Trouble) {
            try await PollVote(chosen).cast(in: id, of: account)
        } catch {
            if isFragment(request) { throw error }
            return try await pollPage(id, request, context, problem: error.sentence)
        }
        if isFragment(request), case .poll(let poll) = await NoteItem.load(id, of: account)?.content {
            return pollView(poll, pages.noteStyle(context)).response()
        }
        try context.requireSession().browser.leave(Notice(sentence: PollWords.voted))
        return redirect(to: context.back(else: "/polls/\(id)"))
    }

    @Sendable private func open(_ request: Request, _ context: WebContext) async throws -> Response {
        try await formPage(PollForm(), rows: 4, request, context)
    }

    @Sendable private func submit(_ request: Request, _ context: WebContext) async throws -> Response {
        let fields = context.form
        let rows = min(max(Int(fields["rows"]) ?? 4, 2), PollForm.most)
        let form = PollForm(
            question: fields["question"], options: (0..<rows).map { fields["option-\($0)"] },
            isMultiple: fields["choice"] == "multiple", lasting: PollLasting(rawValue: fields["lasting"]) ?? .day)
        guard fields["do"] != "more" else {
            return try await formPage(form, rows: min(rows + 2, PollForm.most), request, context)
        }
        do {
            let id = try await form.publish(now: pages.now, of: try context.requireAccount())
            return redirect(to: "/note/\(id)")
        } catch let trouble as Trouble {
            return try await formPage(form, rows: rows, request, context, problem: trouble.sentence)
        }
    }

    private func pollPage(
        _ id: EventID, _ request: Request, _ context: WebContext, problem: String? = nil
    ) async throws -> Response {
        let account = try context.requireAccount()
        guard let note = await NoteItem.load(id, of: account) else {
            throw HTTPError(.notFound, message: PollWords.unknown)
        }
        var count: PollCount?
        if case .poll(let poll) = note.content {
            count = try await PollCount.load(
                poll, by: PollVotersChoice(word: request.query["of"]) ?? .everyone, of: account)
        }
        let view = PollPageView(
            note: note, count: count, problem: problem,
            token: try context.requireSession().formToken, style: pages.noteStyle(context))
        return try await pages.page(
            title: "Poll by \(note.author.name)", at: .none, pollPageView(view), request: request, context: context,
            status: problem == nil ? .ok : .unprocessableContent)
    }

    private func formPage(
        _ form: PollForm, rows: Int, _ request: Request, _ context: WebContext, problem: String? = nil
    ) async throws -> Response {
        let view = PollFormView(
            form: form, rows: rows, problem: problem, canSign: try context.requireAccount().canSign,
            token: try context.requireSession().formToken)
        return try await pages.page(
            title: "New poll", at: .compose, pollFormView(view), beside: pollFormAside, request: request,
            context: context, status: problem == nil ? .ok : .unprocessableContent)
    }
}
