import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

/// An admin can add a leaf that names anybody; only the person can say that it is theirs.
@Suite("Whose leaf it is (MIP-00)") struct LeafBindingTests {
    /// A circle to which Alice adds Dave, as Bob sees it.
    private struct Scene {
        var alice: GroupSession
        var bob: GroupSession
        var dave: GroupSession
        let package: Event
        let invitation: Invitation
        var random = SeededRandom(seed: 8)

        init() throws {
            let circle = try Circle.open()
            alice = GroupSession(circle.alice, now: noon, hasFreshKeys: true)
            bob = GroupSession(circle.bob, now: noon, hasFreshKeys: true)
            let kept = try TestPerson.dave.keyPackage()
            package = kept.event
            var welcome: Rumor?
            var commit: Event?
            for effect in try alice.change(.add([kept.event]), now: noon, using: &random) {
                guard case .publish(let event) = effect else { continue }
                commit = event
                for effect in alice.receive(.event(event), now: noon, using: &random) {
                    if case .welcome(let all, _) = effect { welcome = all.first?.rumor }
                }
            }
            _ = bob.receive(.event(try #require(commit)), now: noon, using: &random)
            invitation = try Invitation(
                WelcomeRumor(try #require(welcome)), with: kept.own, publishedAs: [kept.event.id],
                profile: GenerationB())
            dave = GroupSession(try invitation.join(policy: MarmotPolicy.at(noon)), now: noon, hasFreshKeys: true)
        }

        /// What a member says, as Bob hears it; each time something else, for the same is heard once.
        mutating func sendHello(_ member: WritableKeyPath<Scene, GroupSession>) throws -> GroupMessage {
            var speaker = self[keyPath: member]
            let said = try speaker.send(
                EventDraft(kind: 9, content: "hello \(UInt64.random(in: 0...(.max), using: &random))", createdAt: noon),
                now: noon, using: &random)
            self[keyPath: member] = speaker
            for effect in bob.receive(.event(said.event), now: noon, using: &random) {
                if case .message(let message) = effect { return message }
            }
            throw MarmotError(.malformed, "It was not heard.")
        }

        /// A member renews their keys; everybody hears of it.
        mutating func renew(_ member: WritableKeyPath<Scene, GroupSession>) throws {
            var renewing = self[keyPath: member]
            // Changes wait until everything that came before is here.
            var effects = renewing.receive(.caughtUp, now: noon, using: &random)
            effects += try renewing.change(.freshKeys, now: noon, using: &random)
            self[keyPath: member] = renewing
            for effect in effects {
                guard case .publish(let event) = effect else { continue }
                _ = renewing.receive(.accepted(event.id), now: noon, using: &random)
                self[keyPath: member] = renewing
                for one in [\Scene.alice, \.bob, \.dave] {
                    var session = self[keyPath: one]
                    _ = session.receive(.event(event), now: noon, using: &random)
                    self[keyPath: one] = session
                }
            }
        }
    }

    private let dave = TestPerson.dave.publicKey

    @Test("who adds somebody by their signed key package knows them; others do once they have that, too")
    func added() throws {
        var scene = try Scene()
        #expect(!scene.alice.unprovenPeople.contains(dave) && scene.bob.unprovenPeople.contains(dave))
        let before = try scene.sendHello(\.dave)
        let leaf = try #require(scene.bob.leaf(of: before))
        #expect(!scene.bob.isProven(leaf))
        let other = try TestPerson.dave.keyPackage(slot: .random(using: &scene.random)).event
        let news = [other, try TestPerson.eve.keyPackage().event, scene.package, scene.package]
            .map { scene.bob.prove(by: $0) }
        #expect(news == [false, false, true, false], "The first is of another leaf.")
        #expect(scene.bob.isProven(leaf) && !scene.bob.unprovenPeople.contains(dave))
    }

    @Test("a leaf stays what it is while it renews its key, known before or after")
    func renewed() throws {
        var scene = try Scene()
        let first = try #require(scene.bob.leaf(of: try scene.sendHello(\.dave)))
        try scene.renew(\.dave)
        let said = try scene.sendHello(\.dave)
        #expect(scene.bob.leaf(of: said) == first && scene.bob.unprovenPeople.contains(dave))
        let isNews = scene.bob.prove(by: scene.package)
        #expect(isNews)
        try scene.renew(\.dave)
        let again = try #require(scene.bob.leaf(of: try scene.sendHello(\.dave)))
        #expect(again == first && scene.bob.isProven(again) && !scene.bob.unprovenPeople.contains(dave))
    }

    @Test("a leaf that an admin invented is not its person's, whatever it does; the person's own is")
    func invented() throws {
        var scene = try Scene()
        _ = scene.bob.prove(by: scene.package)
        let own = try #require(scene.bob.leaf(of: try scene.sendHello(\.dave)))
        // Eve has the keys, and Alice's program does what it is told.
        let forged = try GenerationB().newKeyPackage(for: dave, now: noon, using: &scene.random)
        let made = try scene.alice.group.commit([.add(forged.keyPackage)], now: noon, using: &scene.random)
        var eve = try Group(
            joining: try #require(made.welcome), with: forged, policy: MarmotPolicy.at(noon),
            options: GenerationB().groupOptions)
        _ = scene.bob.receive(.event(made.event), now: noon, using: &scene.random)
        _ = scene.dave.receive(.event(made.event), now: noon, using: &scene.random)
        #expect(scene.bob.unprovenPeople.contains(dave), "One of two leaves.")
        #expect(scene.dave.unprovenPeople.contains(dave), "Who is named sees it, too.")
        let draft = EventDraft(kind: 9, content: "I am Dave", createdAt: noon)
        let sealed = try eve.encrypt(GroupMessage.encode(Rumor(draft, author: dave)))
        let event = try MarmotGroup(eve, profile: GenerationB()).envelope(sealed)
        var heard: GroupMessage?
        for effect in scene.bob.receive(.event(event), now: noon, using: &scene.random) {
            if case .message(let message) = effect { heard = message }
        }
        let message = try #require(heard)
        let leaf = try #require(scene.bob.leaf(of: message))
        #expect(leaf != own && !scene.bob.isProven(leaf) && scene.bob.isProven(own))
    }

    @Test("a leaf that takes the place of one that the same commit removes is another")
    func replaced() throws {
        var scene = try Scene()
        _ = scene.bob.prove(by: scene.package)
        let place = try #require(scene.alice.group.roster.members.first { $0.value == dave }).key
        let forged = try GenerationB().newKeyPackage(for: dave, now: noon, using: &scene.random)
        let made = try scene.alice.group.commit(
            [.remove(place), .add(forged.keyPackage)], now: noon, using: &scene.random)
        _ = scene.bob.receive(.event(made.event), now: noon, using: &scene.random)
        #expect(scene.bob.group.roster.signatureKeys[place] == forged.keyPackage.leafNode.signatureKey)
        #expect(scene.bob.unprovenPeople.contains(dave))
    }

    @Test("what is known of one person's key passes to no key of another's")
    func passed() {
        var bindings = LeafBindings()
        let (own, other) = (
            LeafBindings.Claim(dave, bytes: [1]), LeafBindings.Claim(TestPerson.eve.publicKey, bytes: [2])
        )
        bindings.prove(own)
        bindings.pass(from: own, to: other)
        #expect(bindings[other] != nil && bindings[other] != bindings[own])
        #expect(bindings[other].map(bindings.isProven) == false)
    }

    @Test("who comes by a Welcome knows who sealed it, and nobody else")
    func welcomed() throws {
        var scene = try Scene()
        let alice = TestPerson.alice.publicKey
        #expect(scene.dave.unprovenPeople.contains(alice))
        scene.dave.prove(by: scene.invitation)
        #expect(scene.dave.unprovenPeople == [TestPerson.bob.publicKey, TestPerson.carol.publicKey])
    }

    @Test("what is known outlasts a restart and coming in again; what was stored before has only ourselves")
    func kept() throws {
        var scene = try Scene()
        _ = scene.bob.prove(by: scene.package)
        var disk = scene.bob.takeChanges().compactMapValues(\.self)
        func read() throws -> GroupSession {
            try GroupSession(disk, profile: GenerationB(), policy: MarmotPolicy.at(noon))
        }
        #expect(try read().bindings == scene.bob.bindings)
        var again = GroupSession(scene.bob.group, now: noon, hasFreshKeys: true)
        #expect(again.unprovenPeople.contains(dave))
        again.keepBindings(of: scene.bob)
        #expect(!again.unprovenPeople.contains(dave))
        disk[.bindings] = nil
        let former = try read()
        #expect(former.unprovenPeople.contains(dave) && !former.unprovenPeople.contains(TestPerson.bob.publicKey))
        Noise.run(scene.bob.bindings.encoded, rounds: 500) { _ = try? LeafBindings(bytes: $0) }
    }

    @Test("keys that no leaf has any more are forgotten, the oldest first, and those in the group never")
    func bounded() throws {
        var bindings = LeafBindings()
        let claims = (0..<200).map { LeafBindings.Claim(dave, bytes: [UInt8($0)]) }
        for claim in claims { bindings.prove(claim) }
        bindings.forget(besides: [claims[0]])
        #expect(bindings[claims[0]] != nil && bindings[claims[1]] == nil && bindings[claims[199]] != nil)
        #expect(bindings.encoded.count < 200 * 60)
    }
}
