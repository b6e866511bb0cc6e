import Foundation
import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

@Suite("Welcomes (MIP-02)") struct WelcomeTests {
    /// Alice's Welcome for Dave, who is not in yet.
    private static func welcome() throws -> (
        alice: MarmotGroup, welcome: Welcome, own: OwnKeyPackage, published: PublishedKeyPackage
    ) {
        var alice = try Circle.open().alice
        let dave = try TestPerson.dave.keyPackage()
        let commit = try alice.change(alice.adding([dave.published]))
        try alice.merge(commit.commit)
        return (alice, try #require(commit.welcome), dave.own, dave.published)
    }

    private static let samples = "marmot/samples"

    @Test("writes the rumor that MDK writes, to its id", .enabled(if: Vectors.hold(samples), Capture.reason))
    func writesAsMDK() throws {
        let theirs = try Rumor(json: Vectors.text("\(Self.samples)/04-welcome-rumor-444-bob.json"))
        let event = try Event(
            verifying: UnverifiedEvent(json: Array(Vectors.data("\(Self.samples)/01-keypackage-30443.json"))))
        let published = try GenerationB().keyPackage(in: event, now: event.createdAt)
        let read = try WelcomeRumor(theirs)
        #expect(read.keyPackageEvent == event.id && read.welcome.newMembers == [published.reference])
        let ours = try WelcomeRumor.rumor(
            read.welcome, for: published, by: theirs.pubkey, relays: read.relays, client: "MDK/0.8.0",
            now: theirs.createdAt)
        #expect(ours == theirs && ours.id.hex.hasPrefix("bd7dfaf108bf"))
    }

    @Test("who is invited joins, and all talk")
    func joins() throws {
        let (alice, welcome, own, published) = try Self.welcome()
        let rumor = try WelcomeRumor(Circle.rumor(welcome, published))
        let invitation = try Invitation(
            rumor, with: own, publishedAs: [published.eventID], profile: GenerationB())
        #expect(invitation.data == alice.roster.data && invitation.groupID == alice.mls.groupID)
        var dave = try invitation.join(policy: MarmotPolicy.at(noon))
        var talking = alice
        #expect(try talking.readText(dave.sendText("I am new")) == "I am new")
        #expect(dave.roster == alice.roster && dave.ownKey == TestPerson.dave.publicKey)
    }

    private static let refusals: [(String, MarmotError.Code, @Sendable (inout EventDraft) -> Void)] = [
        ("another kind", .wrongKind, { $0.kind = 9 }),
        ("no relays", .missingTag, { $0.drop("relays") }),
        ("no usable relay", .badTag, { $0.set("relays", "relay") }),
        ("no key package", .missingTag, { $0.drop("e") }),
        ("a key package that is none", .badTag, { $0.set("e", "") }),
        ("no encoding", .missingTag, { $0.drop("encoding") }),
        ("hex", .badTag, { $0.set("encoding", "hex") }),
        ("nonsense for Base64", .badEncoding, { $0.content = "AAEAAw=" }),
        ("nothing", .malformed, { $0.content = "" }),
        ("no message", .malformed, { $0.content = "AAAA" }),
        ("too long", .tooLarge, { $0.content = String(repeating: "A", count: 400_000) }),
        ("bytes behind it", .malformed, { $0.append([0, 0, 1]) }),
    ]

    @Test("refuses what is wrong with a rumor", arguments: refusals.map(\.0))
    func refusesRumor(name: String) throws {
        let (_, welcome, _, published) = try Self.welcome()
        let (_, code, change) = try #require(Self.refusals.first { $0.0 == name })
        var draft = EventDraft(try Circle.rumor(welcome, published))
        change(&draft)
        refuses(code, name) { _ = try WelcomeRumor(Rumor(draft, author: TestPerson.alice.publicKey)) }
    }

    @Test("takes zeros behind the Welcome, and no Welcome that is a message of another kind")
    func zeros() throws {
        let (_, welcome, _, published) = try Self.welcome()
        var draft = EventDraft(try Circle.rumor(welcome, published))
        draft.append([UInt8](repeating: 0, count: 100))
        let author = TestPerson.alice.publicKey
        #expect(try WelcomeRumor(Rumor(draft, author: author)).welcome == welcome)
        draft.content = Base64.encode(MLSMessage(published.keyPackage).encoded.span)
        refuses(.malformed) { _ = try WelcomeRumor(Rumor(draft, author: author)) }
    }

    @Test("refuses an invitation that is for another key package, or by somebody who may not invite")
    func refusesInvitations() throws {
        let (_, welcome, own, published) = try Self.welcome()
        let profile = GenerationB()
        let rumor = try WelcomeRumor(Circle.rumor(welcome, published))
        refuses(.notForUs, "another event") {
            _ = try Invitation(rumor, with: own, publishedAs: [], profile: profile)
        }
        let other = try TestPerson.dave.keyPackage(at: noon + .seconds(1))
        refuses(.notForUs, "another key package") {
            _ = try Invitation(rumor, with: other.own, publishedAs: [published.eventID], profile: profile)
        }
        // Bob, who is no admin, hands on what Alice made.
        let handedOn = try WelcomeRumor(Circle.rumor(welcome, published, by: TestPerson.bob.publicKey))
        refuses(.notAdmin, "no admin") {
            _ = try Invitation(handedOn, with: own, publishedAs: [published.eventID], profile: profile)
        }
    }

    @Test("refuses what another admin claims to have sent")
    func refusesClaims() throws {
        var (alice, bob) = (try Circle.open().alice, try Circle.open().bob)
        var data = alice.roster.data
        data.admins.insert(TestPerson.bob.publicKey)
        let promotion = try alice.change([alice.setting(data)])
        try alice.merge(promotion.commit)
        try bob.follow(promotion.event)
        let dave = try TestPerson.dave.keyPackage()
        let commit = try alice.change(alice.adding([dave.published]))
        let rumor = try WelcomeRumor(
            Circle.rumor(#require(commit.welcome), dave.published, by: TestPerson.bob.publicKey))
        let invitation = try Invitation(
            rumor, with: dave.own, publishedAs: [dave.published.eventID], profile: GenerationB())
        refuses(.wrongAuthor) { _ = try invitation.join(policy: MarmotPolicy.at(noon)) }
    }

    @Test("a Welcome is never longer than its bound, and the bound not much longer", arguments: [1, 2, 3, 17, 60])
    func bounds(count: Int) throws {
        var alice = try Circle.open().alice
        let people = try Self.crowd(count)
        let bound = WelcomeSize(of: alice).bound(adding: people)
        let welcome = try #require(try alice.change(alice.adding(people)).welcome)
        let one = try #require(people.first)
        let length = try Circle.rumor(welcome, one).json.utf8.count
        #expect(length <= bound && bound <= length * 5 / 4 + 1_000, "\(length) of \(bound)")
    }

    @Test("many are added in batches, each of which fits")
    func batches() throws {
        var alice = try Circle.open().alice
        let people = try Self.crowd(100)
        let batches = try WelcomeSize(of: alice).batches(of: people)
        #expect(batches.count == 3 && batches.joined().map(\.eventID) == people.map(\.eventID))
        for batch in batches {
            let commit = try alice.change(alice.adding(batch))
            try alice.merge(commit.commit)
            _ = try Circle.rumor(#require(commit.welcome), batch[0])
        }
        #expect(try WelcomeSize(of: alice).batches(of: []).isEmpty)
        refuses(.tooLarge) { _ = try WelcomeSize(of: alice).batches(of: Self.crowd(60)) }
    }

    @Test("refuses to make a rumor no gift wrap holds")
    func refusesLong() throws {
        var alice = try Circle.open().alice
        let people = try Self.crowd(100)
        let welcome = try #require(try alice.change(alice.adding(people)).welcome)
        refuses(.tooLarge) { _ = try Circle.rumor(welcome, people[0]) }
        refuses(.badTag) {
            _ = try WelcomeRumor.rumor(
                welcome, for: people[0], by: TestPerson.alice.publicKey, relays: [], now: noon)
        }
    }

    /// Key packages of one person, each for another place.
    private static func crowd(_ count: Int) throws -> [PublishedKeyPackage] {
        try (0..<count).map { _ in try TestPerson.eve.keyPackage().published }
    }

    @Test("never traps on noise")
    func noise() throws {
        let (_, welcome, own, published) = try Self.welcome()
        var draft = EventDraft(try Circle.rumor(welcome, published))
        let bytes = try #require(Base64.decode(draft.content))
        let same = try WelcomeRumor(Rumor(draft, author: TestPerson.alice.publicKey))
        Noise.run(bytes, rounds: 300) { damaged in
            draft.content = Base64.encode(damaged.span)
            guard let rumor = try? WelcomeRumor(Rumor(draft, author: TestPerson.alice.publicKey)), rumor != same else {
                return
            }
            #expect(throws: MarmotError.self) {
                try Invitation(rumor, with: own, publishedAs: [published.eventID], profile: GenerationB())
                    .join(policy: MarmotPolicy.at(noon))
            }
        }
    }
}

extension EventDraft {
    /// Puts bytes behind those of the content.
    fileprivate mutating func append(_ bytes: [UInt8]) {
        let all = (Base64.decode(content) ?? []) + bytes
        content = Base64.encode(all.span)
    }
}
