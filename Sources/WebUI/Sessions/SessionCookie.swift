internal import HTTPTypes
internal import Hummingbird

extension Sessions {
    /// The session a request belongs to.
    func session(of request: Request) -> Session? { sessionWord(of: request).flatMap(session) }
}

/// The name of the session's cookie; it holds the port, since browsers keep one jar for all ports of a host.
func sessionCookieName(_ request: Request) -> String { "linnet_" + hostPort(request.head.authority ?? "") }

/// The word in the session's cookie.
func sessionWord(of request: Request) -> String? {
    let name = sessionCookieName(request) + "="
    return request.headers[values: .cookie].lazy.flatMap { $0.split(separator: ";") }
        .map { $0.drop { $0 == " " } }.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) }
}
