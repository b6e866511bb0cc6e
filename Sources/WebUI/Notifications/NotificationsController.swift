internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// What concerns the account, and what is read of it.
struct NotificationsController {
    let pages: PageRenderer
    let signers: (any SignerHosting)?
    /// Has browsers woken; `nil` where they cannot be.
    let waking: (any BrowserWaking)?

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/notifications", use: show)
        router.post("/notifications/read", use: markRead)
        router.post("/notifications/shown", use: choose)
        guard let waking else { return }
        router.post("/notifications/waking", use: chooseWaking)
        router.get("/notifications/quiet") { request, context in
            // Asked by the worker that shows what was pushed, while nobody is there.
            guard isFragment(request) else { throw HTTPError(.badRequest) }
            let actions = NotificationActions(of: try context.requireAccount())
            return plainText(await actions.requestNotice(at: waking.minuteOfDay).rawValue)
        }
    }

    @Sendable private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let only = request.query["only"]
        let place = request.timelineMark
        let page = try await NotificationsPage.load(
            only: only, below: place, of: account, signer: await signers?.signer(of: account.publicKey),
            now: pages.now)
        let view = NotificationsView(
            page: page, isFirst: place == nil, canWake: waking != nil, token: try context.requireSession().formToken,
            style: pages.noteStyle(context))
        if isFragment(request) { return happeningsView(view).response() }
        let completeness = completenessLine(
            await CompletenessItem.ofInbound(.notifications, of: account), now: pages.now)
        return try await pages.page(
            title: "Notifications", at: .notifications, notificationsView(view),
            beside: notificationsAside(completeness: completeness), request: request, context: context)
    }

    @Sendable private func markRead(_ request: Request, _ context: WebContext) async throws -> Response {
        try await NotificationActions(of: try context.requireAccount()).markRead(through: context.form["through"])
        try context.requireSession().browser.leave(Notice(sentence: NotificationWords.allRead))
        return redirect(to: "/notifications")
    }

    @Sendable private func choose(_ request: Request, _ context: WebContext) async throws -> Response {
        try await NotificationActions(of: try context.requireAccount()).show(names(in: context.form))
        try context.requireSession().browser.leave(Notice(sentence: NotificationWords.saved))
        return redirect(to: "/notifications")
    }

    @Sendable private func chooseWaking(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        try await NotificationActions(of: try context.requireAccount()).wake(
            of: names(in: form), quietFrom: form["from"], until: form["until"])
        try context.requireSession().browser.leave(Notice(sentence: NotificationWords.saved))
        return redirect(to: "/notifications")
    }

    /// What was ticked.
    private func names(in form: Form) -> [String] {
        form.all.filter { $0.name.hasPrefix("show-") }.map { String($0.name.dropFirst(5)) }
    }
}
