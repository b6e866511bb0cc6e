import Crypto
import Location
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles

@Suite("Guest links on the wire")
struct GuestLinkTests {
    private static let author = "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"
    private static let end = Timestamp(seconds: 1_800_000_000)

    private func link(
        end: Timestamp = end, relays: [String] = ["wss://one.example", "wss://two.example/path"]
    ) throws -> GuestLink? {
        GuestLink(
            secret: try Bytes32(Array(1...32).span), author: try PublicKey(hex: Self.author), endsAt: end,
            relays: try relays.map { try RelayURL($0) })
    }

    @Test("the fragment holds the secret, the author, the end and the relays, byte by byte")
    func fragment() throws {
        let link = try #require(try link())
        let bytes = try #require(Base64URL.decode(link.fragment))
        #expect(bytes.first == 1 && Array(bytes[1..<33]) == Array(1...32))
        #expect(encodeHex(Array(bytes[33..<65])) == Self.author)
        #expect(Array(bytes[65..<69]) == [0x6B, 0x49, 0xD2, 0x00])
        let relays = link.relays.map { Array($0.text.utf8) }
        #expect(Array(bytes[69...]) == relays.flatMap { [UInt8($0.count)] + $0 })
        #expect(link.fragment.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    }

    @Test("a link without a relay, or that ends outside of 32 bits, is none; of many relays four count")
    func bounds() throws {
        #expect(try link(relays: []) == nil)
        for seconds in [Int64.min, -1, 1 << 32, Int64.max] {
            #expect(try link(end: Timestamp(seconds: seconds)) == nil)
        }
        let many = try #require(try link(relays: (0..<9).map { "wss://relay\($0).example" }))
        #expect(many.relays.count == 4 && many.fragment.count < 300)
        #expect(try link(relays: ["wss://example.com/" + String(repeating: "a", count: 300)]) == nil)
    }

    @Test(
        "the page is one that a browser decrypts on: https, or this machine",
        arguments: [
            ("https://home.example/guest", true), ("HTTPS://home.example/guest", true),
            ("http://127.0.0.1:4869/guest", true), ("http://localhost/guest", true), ("http://[::1]:4869/guest", true),
            ("http://linnet.localhost:4869/guest", true), ("http://192.168.1.2/guest", false),
            ("http://localhost.example.com/guest", false), ("http://127.0.0.1.example/guest", false),
            ("http://example.com/?localhost", false), ("javascript:alert(1)", false), ("https://", false), ("", false),
            ("https://home.example/guest#x", false), ("https://home.example/a b", false), ("https://ä.example", false),
            ("https://" + String(repeating: "a", count: 1024), false),
        ])
    func pages(page: String, isOne: Bool) throws {
        let link = try #require(try link())
        #expect(GuestLink.isPage(page) == isOne)
        #expect(link.address(on: page) == (isOne ? "\(page)#\(link.fragment)" : nil))
    }

    @Test("what guests are told opens with the link's key and no other, and says nothing to who has it not")
    func seals() throws {
        let link = try #require(try link())
        let nonce = [UInt8](repeating: 9, count: 12)
        let place = try #require(
            LocationPayload(
                latitude: 52.5163, longitude: 13.3777, accuracy: 20, sentAt: Timestamp(seconds: 1_700_000_000),
                measuredAt: Timestamp(seconds: 1_699_999_990), battery: 55, interval: .seconds(60)))
        let told = try link.draft(.place(place, isSilent: false), at: Timestamp(seconds: 1_700_000_001), nonce: nonce)
        let paused = try link.draft(.revoked(at: Timestamp(seconds: 1)), at: Timestamp(seconds: 2), nonce: nonce)
        #expect(told.kind == 30_078 && told.tags.expiration == Self.end && told.tags.count == 2)
        #expect(told.tags.first?.value?.count == 32 && told.tags.first?.value == paused.tags.first?.value)
        // Neither how somebody is nor what is told shows in the length.
        #expect(told.content.count == paused.content.count)
        #expect(!told.content.contains("52.5") && !told.tags.description.contains(encodeHex(Array(1...32))))

        let secret = SymmetricKey(data: Array(1...32) as [UInt8])
        let key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: secret, info: Array("linnet guest link v1 place".utf8), outputByteCount: 32)
        let sealed = try #require(Base64.decode(told.content))
        #expect(sealed.count == 12 + 256 + 16 && Array(sealed[..<12]) == nonce)
        let author = try decodeHex(Self.author, byteCount: 32)
        let box = try AES.GCM.SealedBox(combined: sealed)
        let text = String(decoding: try AES.GCM.open(box, using: key, authenticating: author), as: UTF8.self)
        let value = try JSONValue(Array(text.utf8))
        #expect(value["state"] == .string("on") && value["lat"] == .number("52.5163"))
        #expect(value["sent"]?.integer == 1_700_000_000 && value["fix"]?.integer == 1_699_999_990)
        #expect(value["every"]?.integer == 60 && value["batt"] == nil && value["alt"] == nil)
        #expect(throws: (any Error).self) { try AES.GCM.open(box, using: key, authenticating: [UInt8]()) }
        #expect(throws: (any Error).self) { try AES.GCM.open(box, using: secret, authenticating: author) }
    }

    @Test("the deletion names the address of what was read, and its kind")
    func deletes() throws {
        let link = try #require(try link())
        let draft = link.deletion(at: Timestamp(seconds: 5))
        #expect(draft.kind == 5 && draft.createdAt == Timestamp(seconds: 5))
        #expect(draft.tags.map(\.name) == ["a", "k"] && draft.tags.last?.value == "30078")
        #expect(draft.tags.first?.value == "30078:\(Self.author):\(link.identifier)")
    }

    @Test("a link shows nothing of itself where it is printed")
    func silent() throws {
        let link = try #require(try link())
        var dumped = ""
        dump(link, to: &dumped)
        for text in ["\(link)", String(reflecting: link), dumped] { #expect(text.contains("a guest link")) }
        #expect(!dumped.contains(link.fragment) && !dumped.contains("one.example"))
    }

    @Test("guests are told the place without battery and height, and of a pause no place at all")
    func reports() throws {
        let sent = Timestamp(seconds: 1_700_000_060)
        let fix = try Fix(
            latitude: 1.5, longitude: -2.25, accuracy: 30, moment: Timestamp(seconds: 1_700_000_000), altitude: 99,
            battery: 42)
        let until = Timestamp(seconds: 1_700_003_600)
        let table: [(ToldReason?, [String: JSONValue])] = [
            (nil, ["state": .string("on"), "lat": .number("1.5"), "lon": .number("-2.25")]),
            (.silent(.noFix), ["state": .string("silent"), "lat": .number("1.5")]),
            (.paused(until: nil), ["state": .string("paused")]),
            (.paused(until: until), ["state": .string("paused"), "until": .number("1700003600")]),
        ]
        for (why, expected) in table {
            let shared = SharedPlace(fix: fix, sentAt: sent, interval: .seconds(240), why: why)
            let text = try #require(GuestReport(shared)).json
            let value = try JSONValue(Array(text.utf8))
            for (name, one) in expected { #expect(value[name] == one, "\(name) in \(text)") }
            #expect(value["sent"]?.integer == sent.seconds && value["batt"] == nil && value["alt"] == nil)
            if case .paused? = why { #expect(value["lat"] == nil && value["acc"] == nil && value["fix"] == nil) }
            #expect(text.utf8.count <= GuestLink.paddedLength)
        }
        let longest = SharedPlace(
            fix: try Fix(
                latitude: -89.123456, longitude: -179.123456, accuracy: 12_345_678.9, moment: sent), sentAt: sent,
            interval: .seconds(31 * 86_400), why: .silent(.noPermission))
        #expect(try #require(GuestReport(longest)).json.utf8.count <= GuestLink.paddedLength)
    }
}
