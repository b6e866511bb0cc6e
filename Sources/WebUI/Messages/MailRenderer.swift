internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Draws the pages of messages and of circles: a list on one side, what is open on the other.
struct MailRenderer: Sendable {
    /// Whose pages these are.
    enum Section: Sendable {
        case messages, circles
    }

    let pages: PageRenderer
    let section: Section

    /// A page with what is open, and the list beside it.
    ///
    /// - Parameter isOpen: whether a small screen shows what is open, not the list.
    func page(
        _ title: String, list: HTML, _ main: HTML, isOpen: Bool, _ request: Request, _ context: WebContext,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let unread = await MessageActions(of: try context.requireAccount()).unread()
        let columns = MailColumns(section: section, list: list, main: main, isOpen: isOpen, unread: unread)
        return try await pages.page(
            title: title, at: section == .messages ? .messages : .circles, mailView(columns), isWide: true,
            request: request, context: context, status: status)
    }

    /// The page in place of messages that cannot be read now; `nil` when they can.
    ///
    /// - Parameter back: where to go on once they can.
    func gate(
        _ access: MessageAccess, _ title: String, back: Path, _ request: Request, _ context: WebContext
    ) async throws -> Response? {
        guard access != .open else { return nil }
        let account = try context.requireAccount()
        let gate = MessageGate(
            access: access, isOfCircles: section != .messages, key: account.publicKey,
            name: await PersonItem.own(of: account).name, back: back,
            asksForPassphrase: await pages.opening.asksForPassphrase(account.publicKey),
            token: try context.requireSession().formToken)
        return try await page(title, list: HTML(), messageGateView(gate), isOpen: false, request, context)
    }
}
