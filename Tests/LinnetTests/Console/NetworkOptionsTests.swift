import ArgumentParser
import NostrClient
import NostrCore
import Testing

@testable import linnet

@Suite("Relays to begin with")
struct NetworkOptionsTests {
    @Test("private addresses given at the start allow no others")
    func privateRelays() throws {
        let options = try NetworkOptions.parse(["--indexer", "ws://127.0.0.1:7777"])
        let routing = try options.configuration().routing
        #expect(!routing.allowsPrivateRelays)
        #expect(routing.indexers == [try RelayURL("ws://127.0.0.1:7777")])
    }
}
