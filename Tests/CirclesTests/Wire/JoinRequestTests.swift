import Marmot
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles

@Suite("Requests to join a circle") struct JoinRequestTests {
    private static let circle: [UInt8] = Array(1...16)
    private static let circleHex = encodeHex(circle)

    private static func json(_ event: Event) -> String { String(decoding: event.unverified.json, as: UTF8.self) }

    /// The content as Whistle on Android writes it, each part to be replaced.
    private static func content(
        type: String = "join-request", v: String = "1", circle: String = circleHex,
        pubkey: String = TestPerson.bob.publicKey.hex, keyPackage: String, rest: String = #","name":"Bob""#
    ) -> String {
        #"{"type":"\#(type)","v":\#(v),"groupId":"\#(circle)","pubkey":"\#(pubkey)","#
            + #""keyPackage":\#(quotedJSON(keyPackage))\#(rest)}"#
    }

    private static func rumor(_ content: String, kind: Kind = 1080, by author: TestPerson = .bob) -> Rumor {
        Rumor(EventDraft(kind: kind, content: content, createdAt: noon), author: author.publicKey)
    }

    @Test("reads what Whistle writes, in any order and with more than we know")
    func reads() throws {
        let event = try TestPerson.bob.keyPackageEvent()
        let ios =
            #"{"name":"Bob","keyPackage":\#(quotedJSON(Self.json(event)).replacing("/", with: #"\/"#)),"#
            + #""pubkey":"\#(event.pubkey.hex)","future":[42],"groupId":"\#(Self.circleHex)","v":1,"#
            + #""type":"join-request"}"#
        for content in [Self.content(keyPackage: Self.json(event)), ios] {
            let request = try JoinRequest(Self.rumor(content), now: noon)
            #expect(request.circle == Self.circle && request.name == "Bob" && request.sentAt == noon)
            #expect(request.applicant == TestPerson.bob.publicKey && request.keyPackageEvent == event)
            #expect(request.keyPackage.eventID == event.id)
        }
        let nameless = Self.content(keyPackage: Self.json(event), rest: #","name":null"#)
        #expect(try JoinRequest(Self.rumor(nameless), now: noon).name == nil)
        let long = Self.content(
            keyPackage: Self.json(event), rest: #","name":"\#(String(repeating: "x", count: 999))""#)
        #expect(try JoinRequest(Self.rumor(long), now: noon).name?.count == 64)
    }

    @Test("comes back as it was sent, through a gift wrap")
    func roundTrip() throws {
        var random = SeededRandom(seed: 9)
        let event = try TestPerson.bob.keyPackageEvent()
        let rumor = try JoinRequest.rumor(for: Self.circle, with: event, name: " Bob\n", now: noon)
        #expect(rumor.kind == 1080 && rumor.pubkey == TestPerson.bob.publicKey)
        let wrap = try GiftWrap.make(
            rumor, by: TestPerson.bob.secretKey, for: TestPerson.alice.publicKey, now: noon, using: &random)
        let gift = try UnwrappedGift(
            opening: wrap, with: TestPerson.alice.secretKey, authors: ConversationKeyCache(capacity: 4))
        let request = try JoinRequest(gift, now: noon)
        #expect(request.circle == Self.circle && request.name == "Bob" && request.keyPackageEvent == event)
        #expect(try JoinRequest(JoinRequest.rumor(for: [7], with: event, now: noon), now: noon).name == nil)
    }

    @Test("refuses what is not the applicant's own and whole")
    func refuses() throws {
        let event = try TestPerson.bob.keyPackageEvent()
        let json = Self.json(event)
        let alices = Self.json(try TestPerson.alice.keyPackageEvent())
        let note = Self.json(TestPerson.bob.event("Hello!"))
        let signature = event.signature.hex
        let forged = json.replacing(signature, with: String(signature.reversed()))
        let renamed = json.replacing(event.id.hex, with: String(event.id.hex.reversed()))
        let deep = #","x":"# + String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        let cases: [(String, Rumor, JoinRequestError)] = [
            ("kind", Self.rumor(Self.content(keyPackage: json), kind: 14), .notARequest),
            ("text", Self.rumor("Let me in"), .notARequest),
            ("type", Self.rumor(Self.content(type: "join", keyPackage: json)), .notARequest),
            ("deep", Self.rumor(Self.content(keyPackage: json, rest: deep)), .notARequest),
            ("long", Self.rumor(Self.content(keyPackage: String(repeating: "x", count: 70_000))), .tooLong),
            ("version", Self.rumor(Self.content(v: "2", keyPackage: json)), .laterVersion),
            ("no circle", Self.rumor(Self.content(circle: "", keyPackage: json)), .noCircle),
            ("odd circle", Self.rumor(Self.content(circle: "abc", keyPackage: json)), .noCircle),
            (
                "long circle", Self.rumor(Self.content(circle: .init(repeating: "a", count: 130), keyPackage: json)),
                .noCircle
            ),
            ("text for a circle", Self.rumor(Self.content(circle: "family", keyPackage: json)), .noCircle),
            (
                "for another",
                Self.rumor(Self.content(pubkey: TestPerson.eve.publicKey.hex, keyPackage: json)), .anotherPerson
            ),
            ("for nobody", Self.rumor(Self.content(pubkey: "", keyPackage: json)), .anotherPerson),
            ("sent by another", Self.rumor(Self.content(keyPackage: json), by: .eve), .anotherPerson),
            (
                "another's key package",
                Self.rumor(Self.content(keyPackage: alices)), .anotherPerson
            ),
            ("no key package", Self.rumor(Self.content(keyPackage: "")), .noKeyPackage),
            ("a note", Self.rumor(Self.content(keyPackage: note)), .noKeyPackage),
            (
                "a deep key package", Self.rumor(Self.content(keyPackage: .init(repeating: "[", count: 5_000))),
                .noKeyPackage
            ),
            ("a forged signature", Self.rumor(Self.content(keyPackage: forged)), .forgedKeyPackage),
            ("another id", Self.rumor(Self.content(keyPackage: renamed)), .forgedKeyPackage),
        ]
        for (name, rumor, error) in cases {
            #expect(throws: error, "\(name)") { try JoinRequest(rumor, now: noon) }
        }
    }

    @Test("a key package that cannot be added is refused, and why")
    func unusable() throws {
        let event = try TestPerson.bob.keyPackageEvent()
        let rumor = try JoinRequest.rumor(for: Self.circle, with: event, now: noon)
        do {
            _ = try JoinRequest(rumor, now: noon + .seconds(85 * 86_400))
            Issue.record("accepted")
        } catch {
            guard case .unusableKeyPackage(let cause) = error else {
                Issue.record(error)
                return
            }
            #expect(cause.code == .refusedByMLS)
        }
    }

    @Test("asks for nothing that cannot be given")
    func refusesToWrite() throws {
        let event = try TestPerson.bob.keyPackageEvent()
        #expect(throws: JoinRequestError.noCircle) { try JoinRequest.rumor(for: [], with: event, now: noon) }
        #expect(throws: JoinRequestError.noKeyPackage) {
            try JoinRequest.rumor(for: Self.circle, with: TestPerson.bob.event("x"), now: noon)
        }
        let large = TestPerson.bob.event(String(repeating: "x", count: 41_000), kind: .keyPackage)
        #expect(throws: JoinRequestError.tooLong) { try JoinRequest.rumor(for: Self.circle, with: large, now: noon) }
    }
}
