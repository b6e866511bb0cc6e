internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Refuses requests that name another host: a page elsewhere that made its name point here (DNS rebinding).
struct HostGuard: RouterMiddleware {
    typealias Context = WebContext
    let hosts: Set<String>

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        guard let host = request.head.authority, hosts.contains(hostName(host)) else {
            throw HTTPError(.misdirectedRequest, message: TroubleWords.strangeAddress)
        }
        return try await next(request, context)
    }
}

/// The name in a `Host` header: lowercase, without the port; IPv6 keeps its brackets.
func hostName(_ authority: String) -> String {
    let lower = authority.lowercased()
    if lower.hasPrefix("["), let end = lower.firstIndex(of: "]") { return String(lower[...end]) }
    return String(lower.prefix { $0 != ":" })
}

/// The port in a `Host` header, `80` when none is written.
func hostPort(_ authority: String) -> String {
    let rest = authority.lowercased().dropFirst(hostName(authority).count)
    let digits = rest.dropFirst().filter(\.isNumber)
    return digits.isEmpty ? "80" : String(digits)
}
