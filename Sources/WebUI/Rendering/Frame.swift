internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// The places of the navigation.
enum Place: String, CaseIterable {
    case home, messages, circles, search, compose, signer, relays, profile, settings, more, none
}

extension House {
    /// A whole page inside the frame: navigation, the main column, and what stands beside it.
    ///
    /// - Parameter isWide: whether the main column takes the room of what stands beside it.
    func page(
        title: String, at place: Place, _ main: HTML, beside aside: HTML = HTML(), isWide: Bool = false,
        request: Request, context: WebContext, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let session = try context.requireSession()
        let desk = try context.requireDesk()
        let style = noteStyle(context)
        var values = frameValues(title: title, context)
        values["csrf"] = session.formToken
        values["own"] = PersonFields(person: await desk.ownPerson(), style: style, isOwn: true)
        values["isLocked"] = session.isLocked
        let standing = session.isLocked ? nil : await elsewhere?.standing(of: desk.own)
        values["signerKind"] = standing.map { $0.isInBrowser ? "browser" : "remote" }
        values["signerHTML"] = signerStrip(standing)
        values["account"] = desk.own.hex
        values["drawer"] = await drawerValues(session, desk, style)
        values["notice"] = isFragment(request) ? nil : noticeValues(session.browser.takeNotice())
        values["canSign"] = desk.canSign
        values["connection"] = connectionValues(await desk.connection())
        values["mainHTML"] = main
        values["asideHTML"] = aside
        values["isWide"] = isWide
        let unread = await desk.unread()
        values["hasMessages"] = unread.access != .noKey
        values["unread"] = unread.known
        values["hasUnread"] = unread.known > 0
        values["hasCircles"] = desk.hasCircles
        let signer = await desk.signer(signers)
        let waiting = await signer?.backlog().count ?? 0
        values["hasSigner"] = signer != nil
        values["waiting"] = waiting
        values["hasWaiting"] = waiting > 0
        for candidate in Place.allCases { values["at_" + candidate.rawValue] = candidate == place }
        let held = request.uri.queryParameters["held"].map(String.init) ?? ""
        values["heldHTML"] = await heldNote(held)
        return answer(templates.render("page", values), status: status)
    }

    /// A page outside the frame, for those who are not in yet.
    ///
    /// - Parameters:
    ///   - script: the name of the page's script; without scripts it works all the same.
    ///   - refresh: after how many seconds a browser without scripts asks again.
    ///   - account: the open account, for a script that works for it.
    func bare(
        title: String, _ main: HTML, _ context: WebContext, script: String? = nil, refresh: Int? = nil,
        account: PublicKey? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        var values = frameValues(title: title, context)
        values["csrf"] = context.session?.formToken ?? ""
        values["mainHTML"] = main
        values["script"] = script
        values["refresh"] = refresh
        values["account"] = account?.hex
        return answer(templates.render("bare", values), status: status)
    }

    /// A part of a page, for a script to put in place.
    func fragment(_ html: HTML, status: HTTPResponse.Status = .ok) -> Response {
        answer(html, status: status)
    }

    /// How notes are drawn for this request.
    func noteStyle(_ context: WebContext) -> NoteStyle {
        NoteStyle(
            now: clock.now(), media: context.settings.remoteMedia, pictureHosts: configuration.pictureHosts,
            canSign: context.session?.desk?.canSign ?? false, assets: "/assets/" + assets.version,
            hasMenus: context.session?.desk?.hasLists ?? false)
    }

    /// The state of the connections for templates.
    func connectionValues(_ connection: ConnectionItem) -> [String: Any] {
        let isUp = connection.connected > 0
        let isWanted = connection.wanted > 0
        return [
            "state": isUp ? "up" : (isWanted ? "down" : "idle"),
            "sentence": isUp
                ? "\(connection.connected) of \(connection.wanted) relays"
                : (isWanted ? "No relay answers" : "Looking for relays"),
            "hasQueue": connection.queued > 0, "queued": connection.queued,
        ]
    }

    /// The accounts of this machine and what one does with them, for the drawer.
    private func drawerValues(_ session: Session, _ desk: Desk, _ style: NoteStyle) async -> [String: Any] {
        // Accounts that cannot be read are missing here; the first screen says why.
        let all = (try? await opening.accounts()) ?? []
        var rows: [[String: Any]] = []
        for account in all {
            let isCurrent = account.key == desk.own
            let isLocked = isCurrent ? session.isLocked : await isKeptLocked(account)
            let kind = account.custody == .key ? "" : account.custody.words
            var row: [String: Any] = [
                "key": account.key.hex, "name": account.shownName, "isCurrent": isCurrent, "isLocked": isLocked,
                "kind": kind, "hasKind": !kind.isEmpty,
            ]
            row["person"] = await opening.person(of: account.key).map {
                PersonFields(person: $0, style: style, isOwn: true)
            }
            rows.append(row)
        }
        return [
            "accounts": rows, "hasKeys": keys != nil && desk.canSign, "hasLists": desk.hasLists,
            "hasHistory": desk.hasHistory, "canLock": keys != nil && desk.canSign && !session.isLocked,
        ]
    }

    private func isKeptLocked(_ account: AccountSummary) async -> Bool {
        account.custody == .key || account.custody == .elsewhere ? await opening.isLocked(account.key) : false
    }

    private func noticeValues(_ notice: Notice?) -> [String: Any]? {
        notice.map { notice in
            [
                "sentence": notice.sentence, "isProblem": notice.isProblem, "hasUndo": notice.undo != nil,
                "undoPath": notice.undo?.path ?? "",
                "undoFields": (notice.undo?.fields ?? [:]).sorted { $0.key < $1.key }.map {
                    ["field": $0.key, "value": $0.value]
                },
            ]
        }
    }

    private func frameValues(title: String, _ context: WebContext) -> [String: Any] {
        ["title": title, "theme": context.settings.theme.rawValue, "isDemo": configuration.isDemo]
    }

    private func answer(_ html: HTML, status: HTTPResponse.Status) -> Response {
        Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: .init(byteBuffer: .init(string: html.text)))
    }
}
