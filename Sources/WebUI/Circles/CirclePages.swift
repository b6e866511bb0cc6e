internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// What the pages of circles share: the circle an address names, its head, the list beside it.
struct CirclePages: Sendable {
    let mail: MailRenderer

    /// The circle that an address names.
    func id(_ context: WebContext) throws -> CircleName {
        guard let id = circleName(try context.parameters.require("id")) else {
            throw HTTPError(.notFound, message: CircleWords.noCircleName)
        }
        return id
    }

    /// What is done with the open account's circles.
    func actions(_ context: WebContext) throws -> CircleActions {
        CircleActions(of: try context.requireAccount())
    }

    /// The screen of the circle that an address names.
    func model(_ context: WebContext) throws -> ScreenModel<CircleState> {
        ScreenModel(circle: try id(context), of: try context.requireAccount())
    }

    /// The circle that an address names, for a page other than its chat.
    func state(_ context: WebContext) async throws -> CircleState {
        await (try model(context)).open(isSeen: false)
    }

    /// The circles beside what is open; nothing while they cannot be read.
    ///
    /// - Parameter word: the circle that is open; empty for a page that is none, `nil` where the list is the page.
    func list(_ view: CirclesView, open word: String?, _ context: WebContext) throws -> HTML {
        guard view.access == .open else { return HTML() }
        return circleListView(
            CircleList(
                view: view, open: word, allowed: context.settings.allowedRelays,
                token: try context.requireSession().formToken,
                style: mail.pages.noteStyle(context)))
    }

    /// How people look within a circle.
    func style(_ item: CircleItem?, _ context: WebContext) -> NoteStyle {
        var style = mail.pages.noteStyle(context)
        style.shown = item.map(shownPictures) ?? [:]
        return style
    }

    /// A page of one circle, if it can be read: the list beside it, its head above it.
    ///
    /// - Parameter main: what stands below the head.
    func page(
        _ state: CircleState, at tab: CircleTab, _ request: Request, _ context: WebContext,
        status: HTTPResponse.Status = .ok, _ main: (CircleItem, HTML) async throws -> HTML
    ) async throws -> Response {
        if case .failed(let trouble) = state.phase { throw trouble }
        let path: Path = "/circles/\(state.word)"
        if let gate = try await mail.gate(state.access, "Circles", back: path, request, context) { return gate }
        guard let item = state.item else { throw HTTPError(.notFound, message: CircleWords.noCircle) }
        let view = await CirclesView.load(of: try context.requireAccount())
        let list = try list(view, open: state.word, context)
        let notice = circleRelaysNotice(
            state, allowed: context.settings.allowedRelays, try context.requireSession().formToken)
        let head: HTML = "\(circleHead(state, item, at: tab, style(item, context)))\(notice)"
        return try await mail.page(
            item.name, list: list, try await main(item, head), isOpen: true, request, context, status: status)
    }
}

/// The pages of one circle.
enum CircleTab: String, Hashable, Sendable {
    case chat, map, people, invitations, settings
}
