import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("Blocked relays (NIP-51)")
struct BlockedRelaysTests {
    @Test(
        "an address without a path blocks everything on its host and port, however it is written",
        arguments: [
            ("wss://bad.example", "WSS://Bad.Example:443/"), ("wss://bad.example", "ws://bad.example"),
            ("ws://bad.example", "wss://bad.example//"), ("wss://bad.example", "wss://bad.example./room?x=1"),
            ("wss://bad.example:4443", "wss://bad.example:4443/room"), ("ws://localhost:7777", "ws://127.0.0.1:7777"),
            ("ws://[::1]:7777", "ws://localhost:7777/a"), ("wss://203.0.113.9", "wss://[::ffff:203.0.113.9]"),
            ("wss://bad.example/room", "wss://bad.example/room/"), ("wss://bad.example/room", "ws://bad.example/room?"),
            ("wss://bad.example/%72oom", "wss://bad.example/room"),
        ])
    func covers(blocked: String, other: String) throws {
        let relays = BlockedRelays([try RelayURL(blocked)])
        #expect(relays.contains(try RelayURL(blocked)))
        #expect(relays.contains(try RelayURL(other)))
        // The marks that stay on disk block the same.
        let marks = BlockedRelays([], marks: relays.marked(salt: [1, 2, 3]))
        #expect(marks.contains(try RelayURL(other)))
    }

    @Test(
        "another host, port or path is another relay",
        arguments: [
            ("wss://bad.example", "wss://notbad.example"), ("wss://bad.example", "wss://bad.example:4443"),
            ("wss://bad.example/room", "wss://bad.example"), ("wss://bad.example/room", "wss://bad.example/rooms"),
            ("wss://bad.example/room", "wss://bad.example/Room"), ("ws://127.0.0.1:7777", "ws://127.0.0.2:7777"),
        ])
    func leaves(blocked: String, other: String) throws {
        let relays = BlockedRelays([try RelayURL(blocked)])
        #expect(!relays.contains(try RelayURL(other)))
        #expect(!BlockedRelays([], marks: relays.marked(salt: [9])).contains(try RelayURL(other)))
    }

    @Test("marks name nothing, depend on the salt, keep theirs, and add up")
    func marks() throws {
        let (bad, worse) = (try RelayURL("wss://bad.example"), try RelayURL("wss://worse.example"))
        let first = BlockedRelays([bad]).marked(salt: [1])
        #expect(first != BlockedRelays([bad]).marked(salt: [2]))
        #expect(first.digests.allSatisfy { $0.count == 32 })
        let both = BlockedRelays([], marks: first).adding([worse]).marked(salt: [7])
        #expect(both.salt == [1] && both.digests.count == 2)
        let again = BlockedRelays([], marks: both)
        #expect(again.contains(bad) && again.contains(worse) && again.relays.isEmpty && !again.isEmpty)
        #expect(BlockedRelays([], marks: BlockedRelays([]).marked(salt: [1])).isEmpty)
    }
}
