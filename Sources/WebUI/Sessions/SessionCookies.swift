internal import HTTPTypes
internal import Hummingbird

/// The cookies that let browsers in.
///
/// Their names hold the port, since browsers keep one jar for all ports of a host. Where the pages are reached by https a
/// cookie never leaves it, and is bound to its host (`__Host-`). Source: RFC 6265 §5, draft-ietf-httpbis-rfc6265bis §4.1.3.
struct SessionCookies: Sendable {
    /// Hosts by which browsers reach the pages over https, by a proxy before this program.
    var secureHosts: Set<String> = []

    /// The word in the session's cookie.
    func session(of request: Request) -> String? { session(of: request.head) }

    /// The word in the session's cookie.
    func session(of head: HTTPRequest) -> String? { word(in: sessionName(head), of: head.headerFields) }

    /// The word in the cookie for one link.
    func link(of request: Request) -> String? { word(in: linkName(request), of: request.headers) }

    /// Sets the session's cookie.
    func setSession(_ word: String, _ request: Request) -> String {
        let seconds = Sessions.sessionLifetime.components.seconds
        return "\(sessionName(request.head))=\(word); Path=/; Max-Age=\(seconds)" + ending(request)
    }

    /// Takes the session's cookie away.
    func clearSession(_ request: Request) -> String {
        "\(sessionName(request.head))=; Path=/; Max-Age=0" + ending(request)
    }

    /// Sets the cookie for the page of one link, which browsers send nowhere else.
    func setLink(_ word: String, at page: Path, _ request: Request) -> String {
        "\(linkName(request))=\(word); Path=\(page.text)" + ending(request)
    }

    /// The address by which a browser reaches the pages, without a path.
    func origin(of request: Request) -> String {
        (isSecure(request) ? "https://" : "http://") + (request.head.authority ?? "localhost")
    }

    private func sessionName(_ head: HTTPRequest) -> String {
        (isSecure(head) ? "__Host-" : "") + "linnet_" + hostPort(head.authority ?? "")
    }

    // `__Host-` asks for the path `/`, so this one goes without.
    private func linkName(_ request: Request) -> String {
        (isSecure(request) ? "__Secure-" : "") + "linnet_link_" + hostPort(request.head.authority ?? "")
    }

    private func ending(_ request: Request) -> String {
        "; HttpOnly; SameSite=Strict" + (isSecure(request) ? "; Secure" : "")
    }

    private func isSecure(_ request: Request) -> Bool { isSecure(request.head) }

    private func isSecure(_ head: HTTPRequest) -> Bool {
        secureHosts.contains(hostName(head.authority ?? ""))
    }

    private func word(in name: String, of fields: HTTPFields) -> String? {
        let mark = name + "="
        for header in fields[values: .cookie] {
            for pair in header.split(separator: ";") {
                let cookie = pair.drop { $0 == " " }
                if cookie.hasPrefix(mark) { return String(cookie.dropFirst(mark.count)) }
            }
        }
        return nil
    }
}
