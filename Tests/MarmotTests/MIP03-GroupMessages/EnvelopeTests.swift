import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

@Suite("Events of a group (MIP-03)") struct EnvelopeTests {
    @Test("says nothing but the group's id, under a key that is used once")
    func writes() throws {
        var alice = try Circle.open().alice
        let (one, other) = (try alice.sendText("a"), try alice.sendText("a"))
        for event in [one, other] {
            #expect(event.kind == 445 && event.createdAt == noon)
            #expect(event.tags == [["h", alice.roster.data.nostrGroupID.hex], ["encoding", "base64"]])
            #expect(try Event(verifying: event.unverified) == event)
        }
        #expect(one.pubkey != other.pubkey && one.content != other.content)
        #expect(!TestPerson.allCases.map(\.publicKey).contains(one.pubkey))
        var random = SeededRandom(seed: 1)
        let draft = EventDraft(kind: 9, content: "a", createdAt: noon)
        let ending = try alice.send(draft, now: noon, expiration: noon + .seconds(60), using: &random)
        #expect(ending.event.tags.expiration == noon + .seconds(60))
    }

    @Test("messages end when the group says so")
    func disappears() throws {
        var (alice, bob) = (try Circle.open().alice, try Circle.open().bob)
        var data = alice.roster.data
        data.disappearance = .seconds(3_600)
        let commit = try alice.change([alice.setting(data)])
        try alice.merge(commit.commit)
        try bob.follow(commit.event)
        #expect(bob.roster.data.version == 3 && bob.roster.data.disappearance == .seconds(3_600))
        #expect(try bob.sendText("gone soon").tags.expiration == noon + .seconds(3_600))
    }

    private static let refusals: [(String, MarmotError.Code, @Sendable (inout EventDraft) -> Void)] = [
        ("another kind", .wrongKind, { $0.kind = 444 }),
        ("no group", .missingTag, { $0.drop("h") }),
        ("two groups", .badTag, { $0.tags.append(["h", String(repeating: "0", count: 64)]) }),
        ("the same group twice", .badTag, { $0.tags += $0.tags.filter { $0.name == "h" } }),
        ("half an id", .badTag, { $0.set("h", String(repeating: "0", count: 32)) }),
        ("another group", .wrongGroup, { $0.set("h", String(repeating: "0", count: 64)) }),
        ("46 days ago", .tooOld, { $0.createdAt = noon - .seconds(46 * 86_400) }),
        ("the end of time", .fromFuture, { $0.createdAt = Timestamp(seconds: .max) }),
        ("six minutes ahead", .fromFuture, { $0.createdAt = noon + .seconds(360) }),
        ("hex", .badTag, { $0.set("encoding", "hex") }),
        ("nonsense for Base64", .badEncoding, { $0.content = "====" }),
        ("too short", .malformed, { $0.content = Base64.encode([UInt8](repeating: 0, count: 27).span) }),
        ("nothing", .malformed, { $0.content = "" }),
        ("noise", .undecryptable, { $0.content = Base64.encode([UInt8](repeating: 7, count: 400).span) }),
        ("too long", .tooLarge, { $0.content = String(repeating: "A", count: 600_000) }),
    ]

    @Test("refuses what is wrong with an event", arguments: refusals.map(\.0))
    func refusesEvent(name: String) throws {
        var (alice, bob) = (try Circle.open().alice, try Circle.open().bob)
        let (_, code, change) = try #require(Self.refusals.first { $0.0 == name })
        var draft = EventDraft(try alice.sendText("hello"))
        change(&draft)
        let event = TestPerson.eve.event(draft)
        refuses(code, name) { _ = try bob.read(event, now: noon) }
    }

    @Test("takes what is early or late within the limits, and no encoding")
    func tolerates() throws {
        var (alice, bob) = (try Circle.open().alice, try Circle.open().bob)
        for time in [noon - .seconds(45 * 86_400), noon + .seconds(300)] {
            var draft = EventDraft(try alice.sendText("hello"))
            draft.drop("encoding")
            draft.createdAt = time
            #expect(try bob.readText(TestPerson.eve.event(draft)) == "hello")
        }
    }

    @Test("takes zeros behind a message, and nothing else")
    func padding() throws {
        var (alice, bob) = (try Circle.open().alice, try Circle.open().bob)
        let rumor = Rumor(EventDraft(kind: 9, content: "padded", createdAt: noon), author: TestPerson.alice.publicKey)
        var mls = alice.mls
        let message = try mls.encrypt(GroupMessage.encode(rumor)).encoded
        func event(_ bytes: [UInt8]) throws -> Event {
            let nonce = [UInt8](repeating: 1, count: 12)
            let sealed = try nonce + seal(bytes, under: #require(alice.keyring.current).groupEvent, nonce: nonce)
            var draft = EventDraft(try alice.sendText(""))
            draft.content = Base64.encode(sealed.span)
            return TestPerson.eve.event(draft)
        }
        let (bad, empty) = (try event(message + [0, 1]), try event([]))
        refuses(.malformed, "a one") { _ = try bob.read(bad, now: noon) }
        refuses(.malformed, "no message") { _ = try bob.read(empty, now: noon) }
        #expect(try bob.readText(event(message + [0, 0, 0])) == "padded")
    }

    @Test("opens messages of five epochs ago, and none older")
    func lookback() throws {
        var (alice, bob) = (try Circle.open().alice, try Circle.open().bob)
        let (first, second) = (try alice.sendText("first"), try alice.sendText("second"))
        for turn in 1...6 {
            let commit = try alice.change()
            try alice.merge(commit.commit)
            try bob.follow(commit.event)
            if turn == 5 { #expect(try bob.readText(first) == "first") }
        }
        #expect(bob.keyring.epochs.map(\.epoch) == [7, 6, 5, 4, 3, 2])
        refuses(.undecryptable) { _ = try bob.read(second, now: noon) }
    }

    @Test("an event of an epoch to come opens once that epoch is there")
    func early() throws {
        var (alice, bob) = (try Circle.open().alice, try Circle.open().bob)
        let commit = try alice.change()
        try alice.merge(commit.commit)
        let message = try alice.sendText("early")
        refuses(.undecryptable) { _ = try bob.read(message, now: noon) }
        try bob.follow(commit.event)
        #expect(try bob.readText(message) == "early")
    }

    @Test("the id on events changes with the group's data, from the next event on")
    func rotation() throws {
        var (alice, bob) = (try Circle.open().alice, try Circle.open().bob)
        let late = try alice.sendText("late")
        let old = alice.roster.data.nostrGroupID
        var data = alice.roster.data
        var random = SeededRandom(seed: 9)
        data.nostrGroupID = .random(using: &random)
        let commit = try alice.change([alice.setting(data)])
        #expect(commit.event.tags.firstValue("h") == old.hex)
        try alice.merge(commit.commit)
        try bob.follow(commit.event)
        #expect(bob.keyring.nostrGroupIDs == [old, data.nostrGroupID])
        let next = try alice.sendText("next")
        #expect(next.tags.firstValue("h") == data.nostrGroupID.hex)
        #expect(try bob.readText(next) == "next")
        #expect(try bob.readText(late) == "late")
    }

    @Test("the keyring is stored and read again, and refuses what is none")
    func storage() throws {
        var alice = try Circle.open().alice
        let commit = try alice.change()
        try alice.merge(commit.commit)
        let keyring = try EpochKeyring(bytes: alice.keyring.encoded)
        #expect(keyring.epochs.map(\.epoch) == [2, 1, 0] && keyring.encoded == alice.keyring.encoded)
        let again = try #require(keyring[1])
        #expect(again.groupEvent == alice.keyring[1]?.groupEvent && again.media == alice.keyring[1]?.media)
        var twice = Writer()
        twice.vector([again, again]) { $1.write(to: &$0) }
        var none = Writer()
        none.vector([EpochKeys]()) { $1.write(to: &$0) }
        for bytes in [twice.bytes, none.bytes, [0x41, 0x00], Array(keyring.encoded.dropLast())] {
            #expect(throws: MLSError.self) { try EpochKeyring(bytes: bytes) }
        }
    }

    @Test("an epoch that is entered again replaces itself and what came after")
    func replaces() throws {
        var alice = try Circle.open().alice
        let commit = try alice.change()
        var (one, other) = (alice, alice)
        try one.merge(commit.commit)
        try other.merge(other.change().commit)
        var keyring = one.keyring
        keyring.enter(try #require(other.keyring.current))
        #expect(keyring.epochs.map(\.epoch) == [2, 1, 0])
        #expect(keyring.current?.groupEvent == other.keyring.current?.groupEvent)
    }

    @Test("of two commits the earlier counts, then that with the lower id")
    func order() throws {
        let ids = [Bytes32(), try Bytes32([UInt8](repeating: 1, count: 32).span)].map { EventID($0) }
        let (early, late) = (noon, noon + .seconds(1))
        let sorted = [
            RivalCommit(id: ids[0], createdAt: early), RivalCommit(id: ids[1], createdAt: early),
            RivalCommit(id: ids[0], createdAt: late), RivalCommit(id: ids[1], createdAt: late),
        ]
        for (place, one) in sorted.enumerated() {
            for (other, second) in sorted.enumerated() {
                #expect(GenerationB().prefers(one, to: second) == (place < other))
            }
        }
    }

    @Test("never traps on noise")
    func noise() throws {
        var (alice, bob) = (try Circle.open().alice, try Circle.open().bob)
        let key = try #require(alice.keyring.current).groupEvent
        let rumor = Rumor(EventDraft(kind: 9, content: "hello", createdAt: noon), author: TestPerson.alice.publicKey)
        var mls = alice.mls
        let messages = [
            try mls.encrypt(GroupMessage.encode(rumor)).encoded, try alice.mls.commitForNoise().encoded,
            try Circle.open().carol.mls.leavingForNoise().encoded,
        ]
        var draft = EventDraft(try alice.sendText(""))
        let nonce = [UInt8](repeating: 1, count: 12)
        for message in messages {
            try Noise.run(message, rounds: 150) { damaged in
                guard damaged != message else { return }
                let sealed = try nonce + seal(damaged, under: key, nonce: nonce)
                draft.content = Base64.encode(sealed.span)
                let event = TestPerson.eve.event(draft)
                // A zero more at the end is padding.
                guard damaged.count <= message.count else { return }
                #expect(throws: MarmotError.self) { try bob.read(event, now: noon) }
            }
        }
        #expect(try bob.readText(alice.sendText("still here")) == "still here")
    }
}

extension MLS.Group {
    fileprivate func commitForNoise() throws -> MLSMessage {
        var copy = self
        return try copy.commit().message
    }

    fileprivate func leavingForNoise() throws -> MLSMessage {
        var copy = self
        return try copy.propose(.custom(.selfRemove, body: nil))
    }
}
