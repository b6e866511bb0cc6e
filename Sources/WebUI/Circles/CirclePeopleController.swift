internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// The people of a circle: who asks to join, who is in it, how it goes, and the way out.
struct CirclePeopleController {
    let circles: CirclePages

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/circles/:id/people") { try await page(nil, $0, $1) }
        for act in CircleAct.allCases {
            router.post("/circles/:id/\(act.rawValue)") { try await perform(act, $0, $1) }
        }
    }

    private func perform(_ act: CircleAct, _ request: Request, _ context: WebContext) async throws -> Response {
        let id = try circles.id(context)
        do {
            try await act.perform(context.form, id, try circles.actions(context))
        } catch let trouble as Trouble {
            return try await page(trouble, request, context)
        }
        try context.requireSession().browser.leave(Notice(sentence: act.done))
        if act == .forget { return withoutCache(redirect(to: "/circles")) }
        return redirect(to: "/circles/\(try context.parameters.require("id"))/people")
    }

    private func page(_ trouble: Trouble?, _ request: Request, _ context: WebContext) async throws -> Response {
        let state = try await circles.state(context)
        let status: HTTPResponse.Status = trouble == nil ? .ok : .unprocessableContent
        return try await circles.page(state, at: .people, request, context, status: status) { item, head in
            let actions = try circles.actions(context)
            var people = CirclePeoplePage(
                state: state, item: item, problem: trouble?.sentence, token: try context.requireSession().formToken,
                style: circles.style(item, context))
            if item.isMember {
                // A member who may not invite sees no code; a circle that cannot be asked shows no health.
                if item.isAdmin { people.invite = try? await actions.invite(to: state.circle) }
                people.health = try? await actions.health(of: state.circle)
            }
            return circlePeopleView(people, head: head)
        }
    }
}

/// What is done about a circle on its page.
private enum CircleAct: String, CaseIterable {
    case admit, refuse, promote, demote, remove, nickname, rename, avatar, picture, resync, leave, forget

    func perform(_ form: Form, _ id: CircleName, _ actions: CircleActions) async throws {
        // A key that cannot be read was not written by us.
        let named = form.all.map(\.name).filter { $0.hasPrefix("person_") }.map { String($0.dropFirst(7)) }
        let people = Set((named + [form["person"]]).compactMap { try? PublicKey(hex: $0) })
        switch self {
        case .admit, .refuse: try await actions.answerRequests(people, at: id, yes: self == .admit)
        case .promote, .demote: try await actions.setAdmins(people, in: id, to: self == .promote)
        case .remove: for person in people { try await actions.remove(person, from: id) }
        case .nickname: try await actions.setNickname(form["nickname"], in: id)
        case .rename: try await actions.rename(id, form["name"])
        case .avatar: try await actions.setAvatar(try form.chosenPicture(), in: id)
        case .picture: try await actions.setPicture(try form.chosenPicture(), in: id)
        case .resync: try await actions.resync(id)
        case .leave: try await actions.leave(id)
        case .forget: try await actions.forget(id)
        }
    }

    /// What a person is told once it is done.
    var done: String {
        switch self {
        case .admit: CircleWords.admitted
        case .refuse: CircleWords.refused
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
