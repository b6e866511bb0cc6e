import NostrCore
import NostrNIPs

/// Makes login links for commands.
struct LoginOrders: Sendable {
    let page: PageAddress
    /// The address of the pages at a port for a device in the house; `nil` where none reaches them.
    let addressForDevices: @Sendable (Int) -> String?
    /// Path and query of a new link, which works once.
    let path: @Sendable () -> String

    /// Answers with a link for this machine, and one for a device in the house where such reach the pages.
    func link(_ answer: ControlServer.Answer) async throws {
        guard let here = page.text, let port = page.port else { throw CommandFailure("The pages are not up yet.") }
        let there = addressForDevices(port)
        try await answer(LoginLinks(here: here + path(), there: there.map { $0 + path() }).json)
    }
}

/// New ways in; each works once.
struct LoginLinks: Equatable {
    /// For browsers of this machine.
    let here: String
    /// For other devices; `nil` where none reach the pages.
    let there: String?

    init(here: String, there: String?) {
        (self.here, self.there) = (here, there)
    }

    /// As it is sent.
    var json: String {
        JSONValue.object(
            [JSONMember("here", .string(here))] + (there.map { [JSONMember("there", .string($0))] } ?? [])
        ).text
    }

    /// Reads what was sent; `nil` for what makes no sense.
    init?(json: String) {
        guard let value = try? JSONValue(Array(json.utf8), depth: 4), let here = value["here"]?.string else {
            return nil
        }
        self.init(here: here, there: value["there"]?.string)
    }
}
