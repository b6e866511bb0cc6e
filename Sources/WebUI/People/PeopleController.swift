internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// People: their pages, following them, and the open account's own profile.
struct PeopleController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/people/:key", use: person)
        router.get("/people/:key/followers", use: followers)
        router.post("/people/:key/:act", use: follow)
        router.get("/avatar/:key", use: drawnAvatar)
        router.get("/profile/edit", use: edit)
        router.post("/profile/edit", use: save)
        router.post("/status", use: setStatus)
    }

    @Sendable private func person(_ request: Request, _ context: WebContext) async throws -> Response {
        let key = try context.requirePerson()
        let account = try context.requireAccount()
        let withReplies = request.uri.queryParameters["with"] == "answers"
        let isUnveiled = request.uri.queryParameters["show"] == "1"
        async let person = PersonItem.load(key, evenMuted: isUnveiled, from: account.people)
        let notes = await ScreenModel(.author(key, replies: withReplies), of: account)
            .send(.opened(below: request.timelineMark))
        let page: Path = "/people/\(key)"
        let path = withReplies ? page.with("with", "answers") : page
        let token = try context.requireSession().formToken
        let style = pages.noteStyle(context)
        let list = noteListView(NoteList(state: notes, path: path, token: token, style: style))
        if isFragment(request) { return list.response() }
        let shown = try await person
        let isOwn = key == account.publicKey
        let marks = await PersonMarks.load(of: key, for: account)
        let showcase = await ShowcaseItem.load(of: key, evenMuted: isUnveiled, for: account)
        let view = PersonView(
            person: shown, isOwn: isOwn, canSign: account.canSign, hasLists: account.lists != nil,
            isMuted: marks.isMuted, isUnveiled: isUnveiled, canRemoveCopies: account.copies != nil, showcase: showcase,
            sets: marks.sets,
            withReplies: withReplies, path: path, token: token, style: style,
            reports: await ReportLine.load(about: key, of: account),
            completeness: await CompletenessItem.ofPerson(key, of: account))
        var response = try await pages.page(
            title: shown.name, at: isOwn ? .profile : .none, personView(view, marks.isMuted ? mutedNotes : list),
            beside: personAside(shown, showcase), request: request, context: context)
        // Whom somebody mutes or keeps in their own sets is nobody else's to read, not even in their browser's cache.
        if marks.isMuted || marks.sets.contains(where: \.isMember) { response.headers[.cacheControl] = "no-store" }
        return response
    }

    @Sendable private func followers(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let page = try await FollowersPage.load(of: try context.requirePerson(), for: account)
        return try await pages.page(
            title: page.title, at: .none, followersView(page, own: account.publicKey, pages.noteStyle(context)),
            request: request, context: context)
    }

    @Sendable private func follow(_ request: Request, _ context: WebContext) async throws -> Response {
        let key = try context.requirePerson()
        let act = try context.parameters.require("act")
        if act == "check-name" {
            let people = try context.requireAccount().people
            try await troubled { try await people.checkName(of: key) }
            return redirect(to: context.back(else: "/people/\(key)"))
        }
        guard act == "follow" || act == "unfollow" else { throw HTTPError(.notFound) }
        let follows = try context.requireAccount().follows
        try await troubled { _ = try await follows.set(key, act == "follow") }
        return redirect(to: context.back(else: "/people/\(key)"))
    }

    @Sendable private func drawnAvatar(_ request: Request, _ context: WebContext) async throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "image/svg+xml", .cacheControl: "private, max-age=31536000, immutable"],
            body: .init(byteBuffer: .init(bytes: identicon(try context.requirePerson()).bytes)))
    }

    @Sendable private func edit(_ request: Request, _ context: WebContext) async throws -> Response {
        try await editPage(try await .load(of: try context.requireAccount()), request, context)
    }

    @Sendable private func save(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        var form = try await ProfileForm.load(of: account)
        var filled: [String: String] = [:]
        for name in ProfileForm.fieldNames where context.form.has(name) { filled[name] = context.form[name] }
        do throws(Trouble) {
            for (name, url) in try await uploaded(context, account) { filled[name] = url }
        } catch {
            form.refuse(filled, because: error.sentence)
            return try await editPage(form, request, context)
        }
        await form.save(filled, in: account.profile)
        if form.isSaved { return redirect(to: "/people/\(account.publicKey)") }
        return try await editPage(form, request, context)
    }

    /// Where the pictures lie that came with the form, by the fields they are for.
    private func uploaded(_ context: WebContext, _ account: any Account) async throws(Trouble) -> [String: String] {
        var places: [String: String] = [:]
        for name in ["picture", "banner"] {
            guard let file = context.files.first(where: { $0.field == "\(name)-file" }) else { continue }
            let items = try await NewFiles.add(
                [NewFiles.Chosen(file, description: "")], of: account)
            let outcome = try await NewFiles.outcome(of: items.map(\.id), of: account)
            guard let url = outcome.attachments.first?.mediaAddress else {
                throw Trouble(outcome.problem ?? FileWords.unknown)
            }
            places[name] = url
        }
        return places
    }

    @Sendable private func setStatus(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let form = context.form
        let text = form["do"] == "clear" ? "" : form["status"]
        let span = StatusSpan(rawValue: form["lasts"]) ?? .open
        try await StatusChange(text: text, link: form["link"], span: span, isMusic: form["type"] == "music").publish(
            of: account, now: pages.now)
        let isCleared = text.allSatisfy(\.isWhitespace)
        try context.requireSession().browser.leave(
            Notice(sentence: isCleared ? StatusWords.cleared : StatusWords.set))
        return redirect(to: "/people/\(account.publicKey)")
    }

    private func editPage(
        _ form: ProfileForm, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let main = profileEditView(form, try context.requireSession().formToken)
        return try await pages.page(
            title: "Edit profile", at: .profile, main, request: request, context: context,
            status: form.problems.isEmpty ? .ok : .unprocessableContent)
    }
}
