import FoundationEssentials
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles

/// The fields Whistle requires and takes, with the types it gives them, read by the decoder it uses.
@Suite("What we write, as Whistle decodes it") struct WhistleDecodingTests {
    private struct Place: Decodable, Equatable {
        var type = "location"
        let lat, lon, alt, acc: Double
        let ts: Int
        let batt: Int?
        let stationary: Bool?
        var v = 1
    }
    private struct Nickname: Decodable, Equatable {
        var type = "nickname"
        let name: String
        let ts: Int
        var v = 1
    }
    private struct Picture: Decodable, Equatable {
        let type, img: String
        let ts: Int
        var v = 1
    }
    private struct Invite: Decodable, Equatable { let relay, inviterNpub, groupId: String }
    private struct Request: Decodable {
        let type, groupId, pubkey, keyPackage: String
        let name: String?
        let v: Int
    }

    private static func decode<Value: Decodable>(_ text: String) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }

    @Test("a place")
    func place() throws {
        let bare = try #require(LocationPayload(latitude: 51, longitude: -0.1278, accuracy: 5, sentAt: noon))
        #expect(
            try Self.decode(CircleMessage.location(bare).content)
                == Place(lat: 51, lon: -0.1278, alt: 0, acc: 5, ts: 1_800_000_000, batt: nil, stationary: nil))
        let full = try #require(
            LocationPayload(
                latitude: -33.8688, longitude: 151.2093, altitude: 58, accuracy: 3.5, sentAt: noon, battery: 87,
                interval: .seconds(600), isStationary: true))
        #expect(
            try Self.decode(CircleMessage.location(full).content)
                == Place(lat: -33.8688, lon: 151.2093, alt: 58, acc: 3.5, ts: 1_800_000_000, batt: 87, stationary: true)
        )
    }

    @Test("a name and pictures")
    func aboutMember() throws {
        let name = CircleMessage.nickname("Dad \"🦜\" \\", readers: [.whistle], now: noon)
        #expect(name.kind == 9)
        #expect(try Self.decode(name.content) == Nickname(name: "Dad \"🦜\" \\", ts: 1_800_000_000))
        let image = try #require(CircleImage(jpeg: jpeg(100)))
        let base64 = Data(image.jpeg).base64EncodedString()
        #expect(
            try Self.decode(CircleMessage.avatar(image, readers: [.whistle], now: noon).content)
                == Picture(type: "avatar", img: base64, ts: 1_800_000_000))
        #expect(
            try Self.decode(CircleMessage.circleAvatar(nil, readers: [.whistle], now: noon).content)
                == Picture(type: "group_avatar", img: "", ts: 1_800_000_000))
    }

    @Test("an invitation, with or without more than it knows")
    func invite() throws {
        let relays = [try RelayURL("wss://a.example.com/?x=~"), try RelayURL("wss://b.example.com")]
        let key = TestPerson.alice.publicKey
        let invite = try #require(CircleInvite(circle: [1, 2], inviter: key, relays: relays, name: "Fämily 🦜?>"))
        for code in [invite.code, String(invite.whistleLink.dropFirst("whistle://invite/".count))] {
            let json = try #require(Data(base64Encoded: code))
            let read: Invite = try Self.decode(String(decoding: json, as: UTF8.self))
            #expect(read == Invite(relay: relays[0].text, inviterNpub: key.npub, groupId: "0102"))
        }
    }

    @Test("a request to join")
    func request() throws {
        let event = try TestPerson.bob.keyPackageEvent()
        let rumor = try JoinRequest.rumor(for: [1, 2], with: event, name: "Bob", now: noon)
        let read: Request = try Self.decode(rumor.content)
        #expect(read.type == "join-request" && read.v == 1 && read.groupId == "0102" && read.name == "Bob")
        #expect(read.pubkey == TestPerson.bob.publicKey.hex)
        #expect(try Event(verifying: UnverifiedEvent(json: Array(read.keyPackage.utf8))) == event)
    }
}
