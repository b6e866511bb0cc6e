internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// The people of a circle: who asks to join, who is in it, how it goes, and the way out.
func addCirclePeople(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/circles/:id/people") { request, context in
        try await peoplePage(nil, request, context, house)
    }
    for act in CircleAct.allCases {
        router.post("/circles/:id/\(act.rawValue)") { request, context in
            let id = try circleID(context)
            do {
                let done = try await act.perform(context.form, id, try context.requireDesk())
                if let done { try context.requireSession().browser.leave(Notice(sentence: done)) }
                let answer = redirect(to: act.leadsTo(try context.parameters.require("id")))
                return act == .forget ? withoutCache(answer) : answer
            } catch let trouble as Trouble {
                return try await peoplePage(trouble, request, context, house)
            }
        }
    }
}

/// What one does about a circle on its page.
private enum CircleAct: String, CaseIterable {
    case admit, refuse, promote, demote, remove, nickname, rename, avatar, picture, resync, leave, forget

    /// Does it; gives what a person is told.
    func perform(_ form: Form, _ id: CircleName, _ desk: Desk) async throws -> String? {
        // A key that cannot be read was not written by us.
        let named = form.all.map(\.name).filter { $0.hasPrefix("person_") }.map { String($0.dropFirst(7)) }
        let people = Set((named + [form["person"]]).compactMap { try? PublicKey(hex: $0) })
        switch self {
        case .admit, .refuse: try await desk.answerRequests(people, at: id, yes: self == .admit)
        case .promote, .demote: try await desk.setAdmins(people, in: id, to: self == .promote)
        case .remove: for person in people { try await desk.remove(person, from: id) }
        case .nickname: try await desk.setNickname(form["nickname"], in: id)
        case .rename: try await desk.renameCircle(id, form["name"])
        case .avatar: try await desk.setCircleAvatar(try form.chosenPicture(), in: id)
        case .picture: try await desk.setCirclePicture(try form.chosenPicture(), in: id)
        case .resync: try await desk.resyncCircle(id)
        case .leave: try await desk.leaveCircle(id)
        case .forget: try await desk.forgetCircle(id)
        }
        return done
    }

    private var done: String? {
        switch self {
        case .admit: "They are being let in: the circle's relays have to take it first."
        case .refuse: "They are off the list."
        case .promote, .demote, .remove, .rename: "The change is on its way to the circle's relays."
        case .nickname: "The others see your new name."
        case .avatar: "The others see it as soon as a relay has it."
        case .picture: "The picture of the circle is on its way to the others."
        case .resync: "Relays are being asked for everything again."
        case .leave: "You asked to leave; somebody else's program lets you go."
        case .forget: "The circle is forgotten here."
        }
    }

    func leadsTo(_ word: String) -> String { self == .forget ? "/circles" : "/circles/\(word)/people" }
}

private func peoplePage(
    _ trouble: Trouble?, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    let model = try await circleModel(context, house)
    let state = await model.send(.opened(before: nil, isSeen: false, draft: MessageDraft()))
    let status: HTTPResponse.Status = trouble == nil ? .ok : .unprocessableContent
    return try await openCirclePage(state, at: "people", request, context, house, status: status) { item, head in
        let style = circleStyle(item, house, context)
        let desk = try context.requireDesk()
        var values: [String: Any] = [
            "csrf": try context.requireSession().formToken, "word": item.word, "title": item.name, "headHTML": head,
            "hasProblem": trouble != nil, "problem": trouble?.sentence ?? "", "isMember": item.isMember,
            "isAdmin": item.isAdmin, "count": counted(state.members.count, "person", "people"),
            "members": state.members.map { memberValues($0, canChange: item.isAdmin, style) },
            "hasRequests": !state.requests.isEmpty, "asking": state.requests.map(askingValues),
            "nickname": state.members.first { $0.isOwn }.map { $0.name == $0.person.name ? "" : $0.name } ?? "",
            "canInvite": false, "isOver": item.isOver, "canBurn": item.isMember,
            "ownPictureHTML": state.members.first { $0.isOwn }
                .map { style.avatar(of: $0.person, isOwn: true, side: 96, classes: "large") } ?? HTML(),
            "hasAvatar": state.members.contains { $0.isOwn && $0.picture != nil },
            "circlePictureHTML": circlePictures(item, style), "hasCirclePicture": item.picture != nil,
        ]
        // Who may not invite sees no code; who is out of it has no health.
        if item.isMember, item.isAdmin, let invite = try? await desk.circleInvite(state.circle) {
            values["canInvite"] = true
            values["link"] = invite.link
            values["codeHTML"] = qrCode(invite.code, title: "Code of an invitation to \(item.name)")
        }
        if item.isMember, let health = try? await desk.circleHealth(state.circle) {
            values.merge(healthValues(health, style)) { _, new in new }
        }
        return house.templates.render("circle-people", values)
    }
}

private func counted(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }

private func memberValues(_ member: CircleMemberItem, canChange: Bool, _ style: NoteStyle) -> [String: Any] {
    [
        "key": member.person.key.hex, "name": member.name, "isOwn": member.isOwn, "isAdmin": member.isAdmin,
        "isLeaving": member.isLeaving, "canChange": canChange && (!member.isOwn || member.isAdmin),
        "pictureHTML": style.avatar(of: member.person, isOwn: member.isOwn, side: 32, classes: "small"),
    ]
}

private func askingValues(_ request: CircleRequestItem) -> [String: Any] {
    [
        "key": request.person.key.hex, "name": request.person.name, "claim": request.name,
        "hasClaim": !request.name.isEmpty && request.name != request.person.name,
        "isReadmission": request.isReadmission,
    ]
}

private func healthValues(_ health: CircleHealthItem, _ style: NoteStyle) -> [String: Any] {
    [
        "isInStep": !health.isOutOfStep, "fingerprint": health.fingerprint, "waiting": health.waiting,
        "unsent": health.unsent, "pending": health.pending,
        "relays": health.relays.map { ["relay": $0.relay, "isConnected": $0.isConnected] as [String: Any] },
        "hasTroubles": !health.troubles.isEmpty,
        "troubles": health.troubles.prefix(5).map {
            ["utc": utc($0.at), "when": spoken($0.at, now: style.now), "sentence": $0.sentence]
        },
    ]
}
