import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-98 HTTP auth")
struct HTTPAuthTests {
    static let url = "https://push.example.com/register?a=1"
    static let now = Timestamp(seconds: 1_700_000_000)
    static let body = Array(#"{"token":"ab"}"#.utf8)

    private func refusal(_ header: String, needsPayload: Bool = true, body: [UInt8] = body) -> HTTPAuth.Refusal? {
        do throws(HTTPAuth.Refusal) {
            _ = try HTTPAuth.check(
                header: header, url: Self.url, method: "POST", body: body, needsPayload: needsPayload, now: Self.now)
            return nil
        } catch {
            return error
        }
    }

    private func header(kind: Kind = 27_235, at seconds: Int64 = 0, _ tags: [Tag]? = nil) -> String {
        let draft = HTTPAuth.draft(url: Self.url, method: "POST", body: Self.body, createdAt: Self.now)
        return HTTPAuth.header(
            TestPerson.alice.event(kind: kind, tags: tags ?? draft.tags, at: Self.now.seconds + seconds))
    }

    @Test("a request counts as its author's only for this address, method, body and moment")
    func checks() throws {
        #expect(refusal(header()) == nil)
        #expect(refusal(header(at: 60)) == nil)
        #expect(refusal(header(at: -60)) == nil)
        #expect(refusal(header(at: 61)) == .wrongMoment(Self.now + .seconds(61)))
        #expect(refusal(header(at: -61)) == .wrongMoment(Self.now - .seconds(61)))
        #expect(refusal(header(kind: 1)) == .wrongKind(1))
        #expect(refusal(header(), body: []) == .wrongPayload)
        let (u, method): (Tag, Tag) = (["u", Self.url], ["method", "POST"])
        #expect(refusal(header([["u", "https://push.example.com/register"], method])) == .wrongURL)
        #expect(refusal(header([method])) == .wrongURL)
        #expect(refusal(header([u, ["method", "GET"]])) == .wrongMethod)
        #expect(refusal(header([u])) == .wrongMethod)
        #expect(refusal(header([u, method])) == .wrongPayload)
        #expect(refusal(header([u, method]), needsPayload: false) == nil)
        #expect(refusal(header([u, method, ["payload", ""]]), needsPayload: false) == .wrongPayload)
    }

    @Test("the author is told, and a request without a body needs no hash")
    func author() throws {
        let draft = HTTPAuth.draft(url: Self.url, method: "GET", body: nil, createdAt: Self.now)
        #expect(draft.tags == [["u", Self.url], ["method", "GET"]])
        let header = HTTPAuth.header(TestPerson.bob.event(kind: draft.kind, tags: draft.tags))
        let event = try HTTPAuth.check(
            header: header, url: Self.url, method: "GET", body: [], needsPayload: false, now: Self.now)
        #expect(event.pubkey == TestPerson.bob.publicKey)
    }

    @Test("a header changed in any way is refused, and none traps")
    func hostile() throws {
        let good = header()
        #expect(refusal(good.replacing("Nostr ", with: "nostr  ")) == nil)
        #expect(refusal(good.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")) == nil)
        for bad in ["", "Nostr", "Nostr ", "Bearer " + good.dropFirst(6), good + " x", "Nostr ////", "Nostr e30="] {
            #expect(refusal(bad) == .malformed)
        }
        #expect(refusal("Nostr " + String(repeating: "A", count: 9000)) == .malformed)
        let event = TestPerson.alice.event(kind: 27_235)
        let json = String(decoding: event.json, as: UTF8.self).replacing("\"content\":\"\"", with: "\"content\":\"x\"")
        #expect(refusal("Nostr " + Base64.encode(Array(json.utf8).span)) == .forged)
        var random = SeededRandom(seed: 98)
        for _ in 0..<500 {
            var bytes = Array(good.utf8)
            bytes[Int.random(in: 6..<bytes.count, using: &random)] = UInt8.random(in: 33...126, using: &random)
            if bytes != Array(good.utf8) { #expect(refusal(String(decoding: bytes, as: UTF8.self)) != nil) }
        }
    }
}
