import NostrCore
import NostrNIPs
import NostrStore
import RelayServer
import Testing

@Suite("A relay", .timeLimit(.minutes(10)))
struct RelayServerTests {
    let alice: Author
    let bob: Author

    init() throws {
        alice = try Author(1)
        bob = try Author(2)
    }

    @Test("sends stored events newest first, then EOSE, then what is new")
    func storedThenLive() async throws {
        let notes = (0..<3).map { alice.sign("note \($0)", at: testNow.seconds - 10 + $0) }
        try await withRelay(clients: 2) { clients in
            let (reader, writer) = (clients[0], clients[1])
            for note in notes { #expect(await writer.publish(note) == .ok(note.id, accepted: true, fine)) }
            let home = try sub("home")
            reader.send(.req(home, [Filter(kinds: [1])]))
            let expected = notes.reversed().map { RelayMessage.event(home, $0.unverified) } + [.eose(home)]
            #expect(await reader.receiveAnswer(home) == expected)
            let late = bob.sign("late")
            #expect(await writer.publish(late) == .ok(late.id, accepted: true, fine))
            #expect(await reader.receive() == .event(home, late.unverified))
        }
    }

    @Test("says OK only after the store has kept the event")
    func okAfterCommit() async throws {
        let store = MemoryEventStore(now: { testNow })
        let note = alice.sign("kept")
        try await withRelay(store: store) { clients in
            #expect(await clients[0].publish(note) == .ok(note.id, accepted: true, fine))
            #expect(await store.query([Filter(ids: [note.id])]) == [note])
        }
    }

    @Test("says why the store did not keep an event")
    func outcomes() async throws {
        let gone = alice.sign("gone", tags: [["expiration", "1000"]])
        let profile = alice.sign("{}", kind: 0, at: testNow.seconds)
        let older = alice.sign("{\"name\":\"old\"}", kind: 0, at: testNow.seconds - 5)
        let note = alice.sign("soon deleted")
        let deletion = alice.sign("", kind: 5, tags: [["e", note.id.hex]])
        try await withRelay { clients in
            let client = clients[0]
            #expect(
                await client.publish(gone) == .ok(gone.id, accepted: false, Reason(.invalid, "this event has expired")))
            #expect(await client.publish(profile) == .ok(profile.id, accepted: true, fine))
            #expect(
                await client.publish(profile)
                    == .ok(profile.id, accepted: true, Reason(.duplicate, "already have this event")))
            #expect(
                await client.publish(older)
                    == .ok(older.id, accepted: true, Reason(.duplicate, "a newer version of this event is here")))
            #expect(await client.publish(note) == .ok(note.id, accepted: true, fine))
            #expect(await client.publish(deletion) == .ok(deletion.id, accepted: true, fine))
            #expect(
                await client.publish(note)
                    == .ok(note.id, accepted: false, Reason(.blocked, "its author asked to delete this event")))
        }
    }

    @Test("refuses events whose id or signature is wrong")
    func refusesForgeries() async throws {
        var wrongID = alice.sign("true").unverified
        wrongID.content = "false"
        var wrongSignature = alice.sign("mine").unverified
        wrongSignature.signature = alice.sign("other").signature
        try await withRelay { clients in
            clients[0].send(.event(wrongID))
            #expect(
                await clients[0].receive()
                    == .ok(wrongID.id, accepted: false, Reason(.invalid, "the id is not the hash of the event")))
            clients[0].send(.event(wrongSignature))
            #expect(
                await clients[0].receive()
                    == .ok(wrongSignature.id, accepted: false, Reason(.invalid, "the signature does not fit")))
        }
    }

    @Test("passes ephemeral events on and keeps none of them")
    func ephemeral() async throws {
        let store = MemoryEventStore(now: { testNow })
        let signal = alice.sign("typing", kind: 20_001)
        try await withRelay(store: store, clients: 2) { clients in
            let live = try sub("live")
            clients[0].send(.req(live, [Filter(kinds: [20_001])]))
            #expect(await clients[0].receive() == .eose(live))
            #expect(await clients[1].publish(signal) == .ok(signal.id, accepted: true, fine))
            #expect(await clients[0].receive() == .event(live, signal.unverified))
            #expect(await store.query([Filter(kinds: [20_001])]).isEmpty)
        }
    }

    @Test("counts, and searches through the store")
    func countsAndSearches() async throws {
        let bread = alice.sign("a sourdough loaf")
        try await withRelay { clients in
            let client = clients[0]
            _ = await client.publish(bread)
            _ = await client.publish(alice.sign("a bicycle"))
            let question = try sub("n")
            client.send(.count(question, [Filter(kinds: [1])]))
            #expect(await client.receive() == .count(question, 2, approximate: false))
            client.send(.req(question, [Filter(search: "sourdough")]))
            #expect(await client.receiveAnswer(question) == [.event(question, bread.unverified), .eose(question)])
        }
    }

    @Test("ends a subscription on CLOSE and replaces one of the same name")
    func closeAndReplace() async throws {
        try await withRelay(clients: 2) { clients in
            let (reader, writer) = (clients[0], clients[1])
            let home = try sub("home")
            let mark = try sub("mark")
            reader.send(.req(home, [Filter(authors: [alice.publicKey])]))
            #expect(await reader.receive() == .eose(home))
            reader.send(.req(home, [Filter(authors: [bob.publicKey])]))
            #expect(await reader.receive() == .eose(home))
            let (hers, his) = (alice.sign("hers"), bob.sign("his"))
            _ = await writer.publish(hers)
            _ = await writer.publish(his)
            #expect(await reader.receive() == .event(home, his.unverified))
            reader.send(.close(home))
            reader.send(.req(mark, [Filter(limit: 0)]))
            #expect(await reader.receive() == .eose(mark))
            let more = bob.sign("more")
            _ = await writer.publish(more)
            #expect(await reader.receive() == .event(mark, more.unverified))
        }
    }

    @Test("serves what others put into its store")
    func followsTheStore() async throws {
        let store = MemoryEventStore(now: { testNow })
        let note = alice.sign("through another door")
        try await withRelay(store: store) { clients in
            let home = try sub("home")
            clients[0].send(.req(home, [Filter()]))
            #expect(await clients[0].receive() == .eose(home))
            _ = await store.save([note], from: nil)
            #expect(await clients[0].receive() == .event(home, note.unverified))
        }
    }

    @Test("describes itself with its limits")
    func document() throws {
        var information = RelayInformation()
        information.name = "Heron"
        information.supportedNIPs = RelayServer.supportedNIPs
        var limits = RelayLimits()
        limits.limit = 77
        let relay = RelayServer(
            store: MemoryEventStore(now: { testNow }), information: information, limits: limits, now: { testNow })
        let read = try #require(RelayInformation(json: relay.document))
        #expect(read.name == "Heron")
        #expect(read.limitation.maxLimit == 77)
        #expect(read.supportedNIPs.contains(42))
    }
}
