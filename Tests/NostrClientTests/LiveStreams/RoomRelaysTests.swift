import AccountTesting
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrClient

@Suite("the relays of a live stream's chat")
struct RoomRelaysTests {
    private let alice = TestPerson.alice.publicKey

    private func router(own: [RelayURL] = [relay("mine")]) -> RelayRouter {
        var router = RelayRouter(
            account: alice, policy: RoutingPolicy(indexers: [relay("index")], fallback: [relay("fallback")]))
        if !own.isEmpty { router.lists[alice] = PersonRelays(write: own, read: own) }
        return router
    }

    @Test("those of the link come first, then the stream's, where its host reads and writes, and the account's own")
    func order() {
        let host = PersonRelays(write: [relay("writes"), relay("both")], read: [relay("reads"), relay("both")])
        let room = RoomRelays(hints: [relay("link")], activity: [relay("chat"), relay("link")], host: host)
        #expect(
            room.chosen(by: router())
                == ["link", "chat", "reads", "both", "writes", "mine"].map { relay($0) })
    }

    @Test("they are ten at most, the account's own among them, however many are named")
    func most() {
        func many(_ name: String) -> [RelayURL] { (0..<20).map { relay("\(name)\($0)") } }
        let room = RoomRelays(
            hints: many("link"), activity: many("chat"), host: PersonRelays(write: many("w"), read: many("r")))
        let own = [relay("mine"), relay("second"), relay("third")]
        let chosen = room.chosen(by: router(own: own))
        #expect(chosen.count == 10 && chosen.suffix(3) == own[...])
    }

    @Test("there are some where nothing is known, and none that may not be asked")
    func least() throws {
        let nothing = RoomRelays(hints: [], activity: [], host: nil)
        #expect(nothing.chosen(by: router(own: [])) == [relay("fallback")])
        let near = try RelayURL("ws://192.168.0.2")
        #expect(RoomRelays(hints: [near], activity: [near], host: nil).chosen(by: router()) == [relay("mine")])
        var blocking = router()
        blocking.blocked = [relay("link")]
        let room = RoomRelays(hints: [relay("link")], activity: [], host: nil)
        #expect(room.chosen(by: blocking) == [relay("mine")])
    }
}
