import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-66 relay discovery")
struct RelayDiscoveryTests {
    @Test("reads a discovery")
    func discovery() throws {
        let tags: [Tag] = [
            ["d", "wss://some.relay/"], ["n", "clearnet"], ["N", "40"], ["N", "x"], ["R", "!payment"], ["R", "auth"],
            ["rtt-open", "234"], ["k", "1"], ["k", "!4"], ["t", "nsfw"],
        ]
        let found = try #require(RelayDiscovery(TestPerson.bob.event("{\"name\":\"R\"}", kind: 30_166, tags: tags)))
        #expect(found.relay.text == "wss://some.relay")
        #expect(found.openTime == .milliseconds(234))
        #expect(found.supportedNIPs == [40])
        #expect(found.requirements.map(\.isRequired) == [false, true])
        #expect(found.acceptedKinds == [1])
        #expect(found.refusedKinds == [4])
        #expect(found.information?.name == "R")
        #expect(RelayDiscovery(TestPerson.bob.event(kind: 30_166, tags: [["d", "x"]])) == nil)
    }

    @Test("reads a monitor, with the timeout in both orders")
    func monitor() throws {
        let tags: [Tag] = [["timeout", "open", "5000"], ["timeout", "3000"], ["frequency", "3600"], ["c", "ws"]]
        let monitor = try #require(RelayMonitor(TestPerson.bob.event(kind: 10_166, tags: tags)))
        #expect(monitor.timeouts == ["open": .seconds(5), "": .seconds(3)])
        #expect(monitor.frequency == .seconds(3600))
        #expect(monitor.checks == ["ws"])
    }
}
