import AccountTesting
import Crypto
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Secp256k1
import Testing

/// Live streams and their chats, over scripted relays.
@Suite(.timeLimit(.minutes(10)))
struct LiveStreamsTests {
    let bob = TestPerson.bob
    let carol = TestPerson.carol
    let dave = TestPerson.dave
    let eve = TestPerson.eve

    private var address: EventAddress {
        EventAddress(kind: 30_311, author: bob.publicKey, identifier: "show")
    }

    private func stream(
        by author: TestPerson = .bob, _ identifier: String = "show", _ tags: [[String]] = [["status", "live"]],
        ago: Int64 = 60
    ) -> Event {
        author.event(
            kind: 30_311, tags: [["d", identifier], ["title", identifier]] + tags.map { Tag($0) }, at: seconds(-ago))
    }

    private func line(
        _ text: String, by author: TestPerson, in address: EventAddress? = nil, tags: [NostrCore.Tag] = [],
        ago: Int64 = 30
    ) -> Event {
        author.event(
            text, kind: 1311, tags: [["a", (address ?? self.address).description, "", "root"]] + tags,
            at: seconds(-ago))
    }

    private func streams(_ bench: AccountBench) throws -> any LiveStreaming {
        try #require(bench.account.streams)
    }

    /// The account's own relays are known.
    private func settled(_ bench: AccountBench) async throws {
        try await bench.eventually("own relays are known") { bench.network.standing[relay("mine")] != nil }
    }

    private func words(_ room: LiveRoom) -> [String] {
        room.lines.map { if case .words(let event) = $0.body { event.content } else { "zap" } }
    }

    @Test(
        "live streams are found; those of follows come first, then those with most people; silent strangers are left out"
    )
    func found() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        func at(_ author: TestPerson, _ identifier: String) -> EventAddress {
            EventAddress(kind: 30_311, author: author.publicKey, identifier: identifier)
        }
        bench.network.put(
            [
                stream(), stream(by: dave, "busy"), stream(by: eve, "small"), stream(by: dave, "nobody there"),
                stream(by: dave, "stale", ago: 4000), stream(by: dave, "later", [["status", "planned"]]),
                // Names a person who is followed, and has no proof.
                stream(by: eve, "lure", [["status", "live"], ["p", bob.publicKey.hex, "", "Host"]]),
                line("one", by: carol, in: at(dave, "busy")), line("two", by: eve, in: at(dave, "busy")),
                line("three", by: eve, in: at(eve, "small")), line("four", by: eve, in: at(eve, "small"), ago: 20),
                line("old", by: carol, in: at(eve, "small"), ago: 4000),
            ], on: relay("mine"))
        try await bench.running {
            try await settled(bench)
            let streams = try self.streams(bench)
            try await bench.eventually("relays were asked") {
                let list = try await streams.list()
                return !list.isLooking && list.live.count == 3
            }
            let list = try await streams.list()
            #expect(list.live.map(\.activity.title) == ["show", "busy", "small"])
            #expect(list.live.map(\.chatters) == [0, 2, 1])
            #expect(list.planned.map(\.activity.title) == ["later"])
            #expect(list.ended.map(\.activity.title) == ["stale"])
            let asked = bench.network.questions.filter { $0.relay == relay("mine") }.flatMap(\.filters)
            #expect(asked.contains { $0.kinds == [30_311] && $0.authors == nil && $0.limit == 50 })
            // Of the last hour.
            let lines = try #require(asked.first { $0.kinds == [1311] && $0.limit == 500 })
            #expect(lines.since.map { $0.seconds >= seconds(-3600) && $0.seconds < seconds(0) } == true)
            try await bench.eventually("follows are asked for by name") {
                _ = try await streams.list()
                return bench.network.questions.flatMap(\.filters).contains {
                    $0.kinds == [30_311] && $0.authors?.contains(bob.publicKey) == true
                }
            }
        }
    }

    @Test(
        "a room is read at the relays of the link, of the stream and of its host, and is listened to while it is open"
    )
    func room() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let show = stream("show", [["status", "live"], ["relays", "wss://chat.example"]])
        bench.network.put([show], on: relay("hinted"))
        bench.network.put([line("there", by: dave)], on: relay("chat"))
        bench.network.put([line("at the host's", by: carol, ago: 20)], on: relay("bob"))
        try await bench.running {
            try await settled(bench)
            let streams = try self.streams(bench)
            try await bench.eventually("the chat is here") {
                let room = try await streams.room(address, hints: [relay("hinted")])
                return !room.isLoading && room.lines.count == 2
            }
            let room = try await streams.room(address, hints: [])
            #expect(words(room) == ["there", "at the host's"])
            #expect(room.relays.count <= 10)
            #expect(Set(room.relays).isSuperset(of: [relay("hinted"), relay("chat"), relay("bob"), relay("mine")]))
            try await bench.eventually("it is listened to") {
                bench.network.standing[relay("chat")]?.contains { $0.kinds == [1311] } == true
            }
            let asked = bench.network.questions.filter { $0.relay == relay("chat") }.flatMap(\.filters)
                .filter { $0.tags["a"] == [address.description] }
            for (kind, limit) in [(1311, 200), (7, 500), (9735, 200)] as [(Kind, Int)] {
                #expect(asked.contains { $0.kinds == [kind] && $0.limit == limit })
            }
            bench.network.arrive(line("new", by: eve, ago: 0), on: relay("chat"))
            try await bench.eventually("what is said comes") {
                words(try await streams.room(address, hints: [])) == ["there", "at the host's", "new"]
            }
            // Nobody looks at it any more.
            bench.clock.advance(by: LiveStreams.lease + .seconds(1))
            try await bench.eventually("it is left") {
                bench.network.standing[relay("chat")]?.contains { $0.kinds == [1311] } != true
            }
        }
    }

    @Test("muted people, repetitions, lines of other streams and from ahead of time are not in the chat")
    func left() async throws {
        let bench = AccountBench()
        let other = EventAddress(kind: 30_311, author: dave.publicKey, identifier: "show")
        _ = await bench.store.save(
            [
                stream(), TestPerson.alice.event(kind: 10_000, tags: [["p", eve.publicKey.hex], ["word", "gulls"]]),
                line("hello", by: carol, ago: 90), line("hello ", by: carol, ago: 80), line("hello", by: dave, ago: 70),
                line("from eve", by: eve), line("free gulls here", by: dave),
                line("elsewhere", by: dave, in: other, tags: [["a", address.description]]),
                line("from tomorrow", by: dave, ago: -90_000),
            ], from: nil)
        try await bench.running {
            let streams = try self.streams(bench)
            try await bench.eventually("the lists are in force") {
                words(try await streams.room(address, hints: [])) == ["hello", "hello"]
            }
            #expect(try await streams.room(address, hints: []).repeats == 1)
        }
    }

    @Test("what is said names the stream and what it answers, goes to the relays of the chat, and can be deleted")
    func said() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let first = line("hello", by: dave)
        bench.network.put([stream("show", [["status", "live"], ["relays", "wss://chat.example"]])], on: relay("bob"))
        bench.network.put([first], on: relay("chat"))
        try await bench.running {
            try await settled(bench)
            let streams = try self.streams(bench)
            try await bench.eventually("the chat is here") {
                try await streams.room(address, hints: [relay("bob")]).lines.count == 1
            }
            try await bench.eventually("its relays are known") {
                try await !streams.room(address, hints: []).isLoading
            }
            let event = try await streams.send("  good morning ", in: address, replyTo: first.id)
            #expect(event.content == "good morning" && event.kind == 1311)
            let read = try #require(LiveChatMessage(event))
            #expect(read.activity.address == address && read.replyTo == first.id)
            try await bench.eventually("it is offered") {
                let relays = Set(bench.network.offers.filter { $0.event.id == event.id }.map(\.relay))
                return relays.isSuperset(of: [relay("chat"), relay("bob"), relay("mine")])
            }
            let like = try await streams.react(to: first.id, in: address, with: "+")
            #expect(like.tags.firstValue("a") == address.description && like.tags.firstValue("k") == "1311")
            let room = try await streams.room(address, hints: [])
            let reactions = try #require(room.lines.first?.reactions)
            #expect(reactions.map(\.content) == ["+"] && reactions.map(\.isOwn) == [true])
            _ = try await streams.delete(event.id)
            let after = try await streams.room(address, hints: [])
            #expect(words(after) == ["hello"])
            await #expect(throws: AccountError.self) { try await streams.send(" ", in: address, replyTo: nil) }
            await #expect(throws: AccountError.self) {
                try await streams.send("x", in: address, replyTo: stream().id)
            }
        }
    }

    @Test("a reaction counts for the line that it names last, with and without a kind, and else for the stream")
    func reactionsToLines() async throws {
        let bench = AccountBench()
        let (first, own) = (line("hello", by: dave), line("welcome", by: bob, ago: 20))
        let mark: NostrCore.Tag = ["a", address.description]
        let lost = String(repeating: "a", count: 64)
        _ = await bench.store.save(
            [
                stream(), first, own,
                carol.event(
                    "+", kind: 7, tags: [["e", first.id.hex], mark, ["p", dave.publicKey.hex]], at: seconds(-9)),
                eve.event("+", kind: 7, tags: [["e", stream().id.hex], ["e", first.id.hex], mark], at: seconds(-8)),
                eve.event("🔥", kind: 7, tags: [["e", own.id.hex], mark, ["k", "1311"]], at: seconds(-7)),
                carol.event(
                    "🔥", kind: 7, tags: [["e", own.id.hex], mark, ["p", bob.publicKey.hex]], at: seconds(-6)),
                // A line that is not here, then an earlier version of the stream, and the stream itself, of whose host
                // some programs think.
                eve.event("+", kind: 7, tags: [["e", lost], mark, ["p", carol.publicKey.hex]], at: seconds(-5)),
                dave.event("+", kind: 7, tags: [["e", lost], mark, ["p", bob.publicKey.hex]], at: seconds(-4)),
                bob.event(
                    "+", kind: 7, tags: [["e", stream().id.hex], mark, ["p", carol.publicKey.hex]], at: seconds(-3)),
            ], from: nil)
        let room = try await streams(bench).room(address, hints: [])
        #expect(room.reactions == 2)
        #expect(words(room) == ["hello", "welcome"])
        #expect(room.lines.map { $0.reactions.map(\.content) } == [["+"], ["🔥"]])
        #expect(room.lines.map { $0.reactions.first?.count } == [2, 2])
    }

    @Test("payments count in the chat by the rules of all zaps, the host being paid; forged ones never")
    func zaps() async throws {
        let document = """
            {"tag":"payRequest","callback":"https://pay.example/cb","allowsNostr":true,\
            "nostrPubkey":"\(dave.publicKey.hex)"}
            """
        let places = ScriptedDocuments(["https://pay.example/.well-known/lnurlp/carol": document])
        let bench = AccountBench(payees: places)
        // Bob's service publishes what Carol hosts.
        let show = stream("show", [["status", "live"], ["p", carol.publicKey.hex, "", "Host"]])
        let profile = carol.event(#"{"name":"carol","lud16":"carol@pay.example"}"#, kind: 0)
        let events = [
            show, profile, try receipt(1, to: carol, signedBy: dave), try receipt(2, to: carol, signedBy: eve),
            try receipt(3, to: eve, signedBy: eve), try receipt(1, to: carol, signedBy: dave, ago: 9),
        ]
        _ = await bench.store.save(events, from: nil)
        try await bench.running {
            let streams = try self.streams(bench)
            try await bench.eventually("the one true payment counts") {
                try await streams.room(address, hints: []).zaps.count == 1
            }
            let room = try await streams.room(address, hints: [])
            #expect(room.zaps.millisatoshis == 21_000 && words(room) == ["zap"])
        }
    }

    private func receipt(
        _ number: UInt8, to recipient: TestPerson, signedBy signer: TestPerson, ago: Int64 = 20
    ) throws -> Event {
        let request = TestPerson.alice.event(
            "for the show", kind: 9734,
            tags: [
                ["amount", "21000"], ["p", recipient.publicKey.hex], ["a", address.description],
                ["relays", "wss://bob.example"],
            ], at: seconds(-40))
        let draft = InvoiceDraft(
            millisatoshis: 21_000, createdAt: Timestamp(seconds: seconds(-40)),
            paymentHash: [UInt8](repeating: number, count: 32), paymentSecret: [UInt8](repeating: 9, count: 32),
            purpose: .hash(Array(SHA256.hash(data: request.json))))
        let invoice = try draft.signed(by: SigningKey(secret: [UInt8](repeating: 3, count: 32).span))
        let receipt = ZapReceipt.draft(
            for: try ZapRequest(request), invoice: invoice, paidAt: Timestamp(seconds: seconds(-ago)))
        return signer.event(receipt.content, kind: 9735, tags: receipt.tags, at: seconds(-ago))
    }
}
