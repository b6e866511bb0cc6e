import AccountTesting
import Crypto
import Location
import Marmot
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// Alice shows guests where she is, by the rules of the circle she shares her place with.
@Suite("guest links, over scripted relays", .timeLimit(.minutes(10)))
struct GuestSharingTests {
    private static let page = "https://home.example/guest"
    private let bench = SharingBench()

    /// What relays were offered for a link, opened as its guest does.
    private func told(_ link: GuestLink) throws -> [JSONValue] {
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: link.secret.array), info: Array("linnet guest link v1 place".utf8),
            outputByteCount: 32)
        let events = bench.mail.network.offers.map(\.event).filter { $0.kind == GuestLink.kind }
        return try events.filter { $0.pubkey == link.author }.sorted { $0.createdAt < $1.createdAt }.map { event in
            #expect(event.tags.expiration == link.endsAt && event.tags.first?.value == link.identifier)
            let sealed = try #require(Base64.decode(event.content))
            let opened = try AES.GCM.open(
                AES.GCM.SealedBox(combined: sealed), using: key, authenticating: link.author.bytes.array)
            return try JSONValue(Array(opened))
        }
    }

    private static func holds(_ bytes: [UInt8], _ word: String) -> Bool {
        bytes.firstRange(of: Array(word.utf8)) != nil
    }

    private func deletions(_ link: GuestLink) -> [Event] {
        bench.mail.network.offers.map(\.event).filter { $0.kind == 5 && $0.pubkey == link.author }
    }

    @Test("guests are told the blurred place the circle is told, and of a pause no place")
    func told() async throws {
        try await bench.running { alice, bob, id in
            let made = try await alice.circles.guests.make(in: id, for: .seconds(3600), note: "Gran", page: Self.page)
            #expect(made.link.endsAt == bench.mail.now + .seconds(3600) && made.shownAt == nil)
            #expect(made.link.author != alice.key && made.link.relays == [bench.relayOfCircle])
            #expect(made.address == "\(Self.page)#\(made.link.fragment)")
            var settings = SharingBench.everyMinute
            settings.blur = 500
            try await alice.circles.sharing.share(settings, in: id)
            let fix = try await bench.show(alice, to: bob, id)
            try await bench.mail.eventually("alice knows that a relay took it") {
                try await alice.circles.guests.links(in: id).first?.shownAt != nil
            }
            let seen = try #require(try await bob.sees(alice, id)?.place)
            let value = try #require(try told(made.link).last)
            #expect(value["state"] == .string("on") && value["lat"] == .number("\(seen.latitude)"))
            #expect(value["lon"] == .number("\(seen.longitude)") && value["lat"] != .number("\(fix.place.latitude)"))
            #expect(value["every"]?.integer == 60)
            let until = bench.mail.now + .seconds(600)
            try await alice.circles.sharing.pause(until: until, in: id)
            try await bench.mail.eventually("guests are told of the pause") {
                try told(made.link).last?["state"] == .string("paused")
            }
            let paused = try #require(try told(made.link).last)
            #expect(paused["until"]?.integer == until.seconds && paused["lat"] == nil)
            let late = try await alice.circles.guests.make(in: id, for: .seconds(3600), note: "", page: Self.page)
            #expect(try told(late.link).map { $0["state"] } == [.string("paused")])
        }
        let records = try await bench.aliceRecords.records(in: CircleTable.guests)
        #expect(records.count == 2 && records.allSatisfy { !Self.holds($0.value, "secret") })
        #expect(records.allSatisfy { !Self.holds($0.value, "Gran") })
    }

    @Test("a link taken back tells nothing from then on; relays are told so, and asked to delete what was before")
    func revoked() async throws {
        try await bench.running { alice, bob, id in
            let made = try await alice.circles.guests.make(in: id, for: .seconds(3600), note: "", page: Self.page)
            let other = try await alice.circles.guests.make(in: id, for: .seconds(7200), note: "", page: Self.page)
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(alice, to: bob, id)
            try await bench.mail.eventually("guests see it") {
                try !told(made.link).isEmpty && !told(other.link).isEmpty
            }
            bench.mail.network.set(bench.relayOfCircle, .silent)
            try await alice.circles.guests.revoke(made.id, in: id)
            #expect(try await alice.circles.guests.links(in: id).map(\.isRevoked) == [true, false])
            // A relay that does not answer is asked again.
            for _ in 0..<4 { bench.pass(20) }
            bench.mail.network.set(bench.relayOfCircle, .answers)
            try await bench.mail.eventually("the relay has deleted it") {
                bench.pass(15)
                return try await alice.circles.guests.links(in: id).map(\.id) == [other.id]
            }
            let last = try #require(try told(made.link).last)
            #expect(last["state"] == .string("revoked") && last["lat"] == nil)
            let count = try told(made.link).count
            let deletion = try #require(deletions(made.link).last)
            let events = bench.mail.network.offers.map(\.event).filter { $0.pubkey == made.link.author }
            let places = events.filter { $0.kind == GuestLink.kind && $0.createdAt <= deletion.createdAt }
            let request = try #require(DeletionRequest(deletion))
            #expect(!places.isEmpty && places.allSatisfy { request.covers($0) })
            #expect(events.contains { $0.kind == GuestLink.kind && !request.covers($0) })
            try await bench.show(metres: 900, alice, to: bob, id)
            try await bench.mail.eventually("the other guest sees it") { try told(other.link).count > 1 }
            #expect(try told(made.link).count == count)
        }
    }

    @Test("a link ends by itself: nothing is told any more, and relays are asked to delete it; also after a restart")
    func ended() async throws {
        var made: GuestLinkState?
        var circle: CircleID?
        try await bench.running { alice, bob, id in
            circle = id
            made = try await alice.circles.guests.make(in: id, for: .seconds(1), note: "", page: Self.page)
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(alice, to: bob, id)
        }
        let link = try #require(made?.link)
        // A quarter of an hour is the least.
        #expect(link.endsAt.seconds - bench.mail.now.seconds >= 890)
        let alice = bench.mail.person(.alice, records: bench.aliceRecords)
        try await alice.unlock()
        let id = try #require(circle)
        #expect(try await alice.circles.guests.links(in: id).map(\.address) == [made?.address])
        let count = try told(link).count
        try await bench.mail.running(alice) {
            bench.pass(900)
            #expect(try await alice.circles.guests.links(in: id).isEmpty)
            try await bench.mail.eventually("the relay is asked to delete it") {
                bench.pass(1)
                return !deletions(link).isEmpty
            }
            try await alice.circles.sharing.receive(.fix(try bench.fix(metres: 400)))
            try await bench.mail.eventually("it is forgotten") {
                bench.pass(1)
                return try await bench.aliceRecords.records(in: CircleTable.guests).isEmpty
            }
        }
        #expect(try told(link).count == count)
    }

    @Test("a page that decrypts nothing is refused, and somebody who is not in the circle makes no link")
    func refused() async throws {
        try await bench.running { alice, _, id in
            await #expect(throws: CircleError(.noGuestPage)) {
                try await alice.circles.guests.make(
                    in: id, for: .seconds(3600), note: "", page: "http://home.example/guest")
            }
            let other = try #require(CircleID(Array(repeating: 9, count: 32)))
            await #expect(throws: CircleError.unknownCircle) {
                try await alice.circles.guests.make(in: other, for: .seconds(3600), note: "", page: Self.page)
            }
            #expect(try await alice.circles.guests.links(in: id).isEmpty)
        }
    }
}
