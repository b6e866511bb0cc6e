import NostrCore
import NostrNIPs

/// What makers of links need to know of where the pages are.
protocol ReachablePages: Sendable {
    /// `http://host:port` for browsers of this machine; `nil` before that is known.
    var text: String? { get }
    /// The same for programs that cannot look up that host; `nil` where every program can.
    var plain: String? { get }
    /// The port; `nil` before that is known.
    var port: Int? { get }
}

/// Makes login links for commands.
struct LoginOrders: Sendable {
    let page: any ReachablePages
    /// The address of the pages at a port for a device in the house; `nil` where none reaches them.
    let addressForDevices: @Sendable (Int) -> String?
    /// Path and query of a new link, which works once.
    let path: @Sendable () -> String

    /// Answers with a link for this machine, and one for a device in the house where such reach the pages.
    func link(_ answer: ControlServer.Answer) async throws {
        guard var links = LoginLinks(page, path: path()), let port = page.port else {
            throw CommandFailure("The pages are not up yet.")
        }
        links.there = addressForDevices(port).map { $0 + path() }
        try await answer(links.json)
    }
}

/// New ways in; each works once.
struct LoginLinks: Equatable {
    /// For browsers of this machine.
    let here: String
    /// The same link for programs that cannot look up the host in it; `nil` where every program can.
    var plain: String?
    /// For other devices; `nil` where none reach the pages.
    var there: String?

    init(here: String, plain: String? = nil, there: String? = nil) {
        (self.here, self.plain, self.there) = (here, plain, there)
    }

    /// The links to a path for this machine; `nil` before the pages are up.
    init?(_ page: any ReachablePages, path: String) {
        guard let here = page.text else { return nil }
        self.init(here: here + path, plain: page.plain.map { $0 + path })
    }

    /// What is printed for this machine.
    var lines: [String] {
        ["open " + here] + (plain.map { ["or \($0) (for programs that cannot look up that name)"] } ?? [])
    }

    /// As it is sent.
    var json: String {
        let pairs = [("here", here), ("plain", plain), ("there", there)]
        return JSONValue.object(pairs.compactMap { name, link in link.map { JSONMember(name, .string($0)) } }).text
    }

    /// Reads what was sent; `nil` for what makes no sense.
    init?(json: String) {
        guard let value = try? JSONValue(Array(json.utf8), depth: 4), let here = value["here"]?.string else {
            return nil
        }
        self.init(here: here, plain: value["plain"]?.string, there: value["there"]?.string)
    }
}
