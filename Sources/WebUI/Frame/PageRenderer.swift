internal import AsyncPrimitives
internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Draws whole pages: gathers what the frame shows of the open account, and puts a controller's part inside.
struct PageRenderer: Sendable {
    /// Whether the network is simulated; pages say so.
    let isDemo: Bool
    /// Where pictures may come from although settings load none from elsewhere.
    let pictureHosts: [String]
    let opening: any AccountOpening
    let keys: (any KeyKeeping)?
    let signers: (any SignerHosting)?
    let elsewhere: (any SigningElsewhere)?
    let outgoing: OutgoingNotes
    let time: Time<Timestamp>
    /// The date now.
    var now: Timestamp { time.now() }

    /// A whole page inside the frame: navigation, the main column, and what stands beside it.
    ///
    /// - Parameters:
    ///   - parts: what the page is made of, where that differs from other pages of its entry.
    ///   - isWide: whether the main column takes the room of what stands beside it.
    func page(
        title: String, at entry: NavigationEntry, _ main: HTML, beside aside: HTML = HTML(), isWide: Bool = false,
        parts: [PagePart]? = nil, request: Request, context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let frame = try await frame(title: title, at: entry, parts ?? entry.parts, request, context)
        return framedPage(frame, main: main, aside: isWide ? nil : aside).response(status: status)
    }

    /// A page outside the frame, for those who are not in yet.
    ///
    /// - Parameters:
    ///   - script: the name of the page's script; without scripts it works all the same.
    ///   - refresh: after how many seconds a browser without scripts asks again.
    ///   - account: the open account, for a script that works for it.
    ///   - styles: style sheets besides those of every such page, by name.
    func bare(
        title: String, _ main: HTML, _ context: WebContext, script: String? = nil, refresh: Int? = nil,
        account: PublicKey? = nil, styles: [String] = [], status: HTTPResponse.Status = .ok
    ) -> Response {
        let page = BarePage(
            title: title, look: context.personal.look, script: script, refresh: refresh, account: account,
            token: context.session?.formToken, styles: styles)
        return barePage(page, main).response(status: status)
    }

    /// A part of a page, for a script to put in place.
    func fragment(_ html: HTML, status: HTTPResponse.Status = .ok) -> Response { html.response(status: status) }

    /// How people and notes are drawn for this request.
    func noteStyle(_ context: WebContext) -> NoteStyle {
        NoteStyle(
            now: time.now(), media: context.personal.remoteMedia, pictureHosts: pictureHosts,
            canSign: context.session?.account?.canSign ?? false,
            fetchesPictures: context.personal.fetchesPictures && context.session?.account?.pictures != nil,
            playsRecordings: context.playsRecordings, kindHandler: context.personal.kindHandler,
            hasMenus: context.session?.account?.lists != nil,
            hidesPollResults: context.personal.hidesPollResults, autoplays: context.personal.autoplay,
            previews: PreviewStyle(context))
    }

    /// The bar about a note that was just written; nothing when it was undone or is long gone.
    func heldNote(_ id: String, _ context: WebContext) async -> HTML {
        guard let standing = await outgoing.standing(id) else { return HTML() }
        let work = standing == .publishing ? await outgoing.work(on: id) : nil
        var hasRemoteSigner = false
        if let account = context.session?.account { hasRemoteSigner = await self.hasRemoteSigner(account) }
        return heldNoteBarView(
            HeldNoteBar(
                id: id, standing: standing, work: work, hasRemoteSigner: hasRemoteSigner,
                undo: context.personal.undoTime, now: time.now()))
    }

    /// Whether an account's key is in a signer elsewhere that relays lead to, and not in this browser.
    func hasRemoteSigner(_ account: any Account) async -> Bool {
        guard let signer = await elsewhere?.standing(of: account.publicKey) else { return false }
        return !signer.isInBrowser
    }

    private func frame(
        title: String, at entry: NavigationEntry, _ parts: [PagePart], _ request: Request, _ context: WebContext
    ) async throws -> PageFrame {
        let session = try context.requireSession()
        let account = try context.requireAccount()
        // Read from the disk while the rest is put together.
        async let drawn = drawer(session, account)
        let asked = request.uri.queryParameters["held"].map(String.init) ?? ""
        // What can be undone is offered wherever its writer goes next; what waits for its signer, also since before a
        // restart, until it is out or taken back.
        let held = asked.isEmpty ? await outgoing.shown(to: account) ?? "" : asked
        let signer = session.isLocked ? nil : await elsewhere?.standing(of: account.publicKey)
        return PageFrame(
            title: title, parts: parts + (held.isEmpty ? [] : [.held]) + (signer == nil ? [] : [.elsewhere]),
            look: context.personal.look, isDemo: isDemo, token: session.formToken,
            account: FrameAccount(
                person: await PersonItem.own(of: account), canSign: account.canSign, isLocked: session.isLocked,
                sealedNotes: session.isLocked ? await sealedNotes(of: account) : 0),
            navigation: await navigation(at: entry, account, rings: context.personal.sounds),
            connection: await ConnectionItem.load(from: account.network),
            drawer: await drawn,
            notice: isFragment(request) ? nil : session.browser.takeNotice(),
            signer: signer,
            held: held.isEmpty ? HTML() : await heldNote(held, context),
            style: noteStyle(context))
    }

    /// A page that cannot be told how many wait says that none does.
    private func sealedNotes(of account: any Account) async -> Int {
        (try? await account.unsigned?.sealedCount()) ?? 0
    }

    private func navigation(
        at entry: NavigationEntry, _ account: any Account, rings: Bool
    ) async -> Navigation {
        let unread = await MessageActions(of: account).unread()
        var waiting: Int?
        if let signer = await signers?.signer(of: account.publicKey) {
            waiting = await BacklogItem.load(of: signer).count
        }
        return Navigation(
            current: entry, notifications: await NotificationActions(of: account).unread(), rings: rings,
            unread: unread.access == .noKey ? nil : unread.known,
            hasCircles: CircleActions.exist(for: account),
            waiting: waiting)
    }

    private func drawer(_ session: Session, _ account: any Account) async -> Drawer {
        // Accounts that cannot be read are missing here; the first screen says why.
        let all = (try? await opening.accounts()) ?? []
        var accounts: [Drawer.Account] = []
        for summary in all {
            let isCurrent = summary.key == account.publicKey
            accounts.append(
                Drawer.Account(
                    key: summary.key, name: summary.shownName, person: await opening.person(of: summary.key),
                    kind: summary.custody == .key ? "" : summary.custody.words, isCurrent: isCurrent,
                    isLocked: isCurrent ? session.isLocked : await isKeptLocked(summary)))
        }
        let hasKey = keys != nil && account.canSign
        // The key of the simulated network lies open for everybody; there is nothing to lock.
        let isDemo = all.contains { $0.key == account.publicKey && $0.custody == .demo }
        return Drawer(
            accounts: accounts, canLock: hasKey && !isDemo && !session.isLocked, hasLists: account.lists != nil,
            hasHistory: account.history != nil, hasFiles: account.files != nil && account.canSign, hasKeys: hasKey)
    }

    private func isKeptLocked(_ account: AccountSummary) async -> Bool {
        account.custody == .key || account.custody == .elsewhere ? await opening.isLocked(account.key) : false
    }
}

extension HTML {
    /// The markup as an answer.
    func response(status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
