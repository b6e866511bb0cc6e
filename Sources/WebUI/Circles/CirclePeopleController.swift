internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// Three pages of a circle: who is in it; who asks and how to let people in; what is chosen for it, and the way out.
struct CirclePeopleController {
    let circles: CirclePages
    let cookies: SessionCookies

    func addRoutes(to router: some RouterMethods<WebContext>) {
        for tab in [CircleTab.people, .invitations, .settings] {
            router.get("/circles/:id/\(tab.rawValue)") { try await page(tab, nil, $0, $1) }
        }
        for act in CircleAct.allCases {
            router.post("/circles/:id/\(act.rawValue)") { try await perform(act, $0, $1) }
        }
    }

    private func perform(_ act: CircleAct, _ request: Request, _ context: WebContext) async throws -> Response {
        let id = try circles.id(context)
        do {
            try await act.perform(context.form, id, try circles.actions(context))
        } catch let trouble as Trouble {
            return try await page(act.tab, trouble, request, context)
        }
        try context.requireSession().browser.leave(Notice(sentence: act.done))
        if act == .forget { return withoutCache(redirect(to: "/circles")) }
        let path: Path = "/circles/\(try context.parameters.require("id"))/\(act.tab.rawValue)"
        return redirect(to: path)
    }

    private func page(
        _ tab: CircleTab, _ trouble: Trouble?, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let state = try await circles.state(context)
        var found = Found(trouble)
        if tab == .invitations, state.item?.isMember == true { await find(&found, state, request, context) }
        let status: HTTPResponse.Status = found.trouble == nil ? .ok : .unprocessableContent
        return try await circles.page(state, at: tab, request, context, status: status) { [found] item, head in
            let frame = CirclePageFrame(
                state: state, item: item, problem: found.trouble?.sentence,
                token: try context.requireSession().formToken, style: circles.style(item, context))
            switch tab {
            case .invitations:
                return circleInvitationsView(
                    CircleInvitations(
                        frame: frame, invite: found.invite, newcomers: found.newcomers, page: request.query["page"],
                        pasted: found.newcomers.count == 1 ? "" : request.query["add"]), head: head)
            case .settings:
                var page = CircleSettingsPage(frame: frame, guestPage: cookies.origin(of: request) + "/guest")
                if item.isMember {
                    // A circle that cannot be asked shows neither.
                    let actions = try circles.actions(context)
                    page.settings = try? await actions.settings(of: state.circle)
                    page.health = try? await actions.health(of: state.circle)
                }
                return circleSettingsView(page, head: head)
            case .chat, .map, .people: return circlePeopleView(frame, head: head)
            }
        }
    }

    /// What the page of invitations shows beside the circle.
    private struct Found {
        var trouble: Trouble?
        var invite: CircleInviteItem?
        var newcomers: [PersonItem] = []

        init(_ trouble: Trouble?) { self.trouble = trouble }
    }

    private func find(_ found: inout Found, _ state: CircleState, _ request: Request, _ context: WebContext) async {
        guard state.item?.isAdmin == true else {
            if !request.query["add"].isEmpty { found.trouble = Trouble(CircleWords.notAdminThere, canRetry: false) }
            return
        }
        do {
            let actions = try circles.actions(context)
            // The code is shown all the same where the page or the key that was typed cannot be used.
            found.invite = try await actions.invite(to: state.circle)
            if !request.query["page"].isEmpty {
                found.invite = try await actions.invite(to: state.circle, page: request.query["page"])
            }
            if !request.query["add"].isEmpty {
                found.newcomers = try await actions.newcomers(request.query["add"], to: state.circle)
            }
        } catch let trouble as Trouble {
            found.trouble = found.trouble ?? trouble
        } catch {
            found.trouble = found.trouble ?? Trouble(error)
        }
    }
}

/// What is done about a circle on its page.
private enum CircleAct: String, CaseIterable {
    case admit, refuse, add, promote, demote, remove, nickname, rename, avatar, picture, resync, leave, forget
    case renewal, handover
    case guest = "guests", revoke = "guests/revoke"

    func perform(_ form: Form, _ id: CircleName, _ actions: CircleActions) async throws {
        // A key that cannot be read was not written by us.
        let named = form.all.map(\.name).filter { $0.hasPrefix("person_") }.map { String($0.dropFirst(7)) }
        let people = Set((named + [form["person"]]).compactMap { try? PublicKey(hex: $0) })
        switch self {
        case .admit, .refuse: try await actions.answerRequests(people, at: id, yes: self == .admit)
        case .add: for person in people { try await actions.add(person, to: id) }
        case .renewal: try await actions.setRenewal(days: Int(form["days"]) ?? 7, in: id)
        case .guest:
            try await actions.makeGuestLink(
                in: id, hours: Int(form["hours"]) ?? 1, note: form["note"], page: form["page"])
        case .revoke: try await actions.revokeGuestLink(form["link"], in: id)
        case .handover: for person in people.prefix(1) { try await actions.handOver(id, to: person) }
        case .promote, .demote: try await actions.setAdmins(people, in: id, to: self == .promote)
        case .remove: for person in people { try await actions.remove(person, from: id) }
        case .nickname: try await actions.setNickname(form["nickname"], in: id)
        case .rename: try await actions.rename(id, form["name"])
        case .avatar: try await actions.setAvatar(try form.chosenPicture(), in: id)
        case .picture:
            let picture = try form.chosenPicture()
            // Uploaded only where that was asked for, and first: then a server that refuses it leaves all as it was.
            if picture == nil || form.has("everywhere") { try await actions.setGroupPicture(picture, in: id) }
            try await actions.setPicture(picture, in: id)
        case .resync: try await actions.resync(id)
        case .leave: try await actions.leave(id)
        case .forget: try await actions.forget(id)
        }
    }

    /// Where it is done.
    var tab: CircleTab {
        switch self {
        case .admit, .refuse, .add: .invitations
        case .promote, .demote, .remove: .people
        case .nickname, .rename, .avatar, .picture, .resync, .leave, .forget, .renewal, .handover, .guest, .revoke:
            .settings
        }
    }

    /// What a person is told once it is done.
    var done: String {
        switch self {
        case .admit: CircleWords.admitted
        case .refuse: CircleWords.refused
        case .add: CircleWords.adding
        case .renewal: CircleWords.settingsSaved
        case .handover: CircleWords.handedOver
        case .guest: GuestWords.made
        case .revoke: GuestWords.revoked
        case .promote, .demote, .remove, .rename: CircleWords.changing
        case .nickname: CircleWords.renamedYourself
        case .avatar: CircleWords.showingAvatar
        case .picture: CircleWords.showingPicture
        case .resync: CircleWords.resyncing
        case .leave: CircleWords.leaving
        case .forget: CircleWords.forgotten
        }
    }
}
