import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("A machine that receives pushes")
struct PushReceiverTests {
    @Test("what was kept is read back, and is a secret word at an https address")
    func keeps() throws {
        let made = try #require(PushReceiver(.own, at: "https://me.example/wake/", word: "0123456789abcdef"))
        #expect(made.endpoint == "https://me.example/wake/0123456789abcdef")
        let read = try #require(PushReceiver(text: made.text))
        #expect(read.endpoint == made.endpoint && read.key.text == made.key.text && read.device == made.device)
        #expect(made.isMeant(by: "/wake/0123456789abcdef") && made.isMeant(by: "/0123456789abcdef?x"))
        for path in ["/wake/0123456789abcdee", "/", "", "/wake/", "/0123456789abcdef0"] {
            #expect(!made.isMeant(by: path))
        }
        let ntfy = try #require(PushReceiver(.ntfy, at: "https://ntfy.sh", word: "0123456789abcdef"))
        #expect(ntfy.endpoint == "https://ntfy.sh/up0123456789abcdef?up=1" && !ntfy.isMeant(by: "/up0123456789abcdef"))
        for base in ["http://me.example", "https://me.example/?a", "https://me.example/#a", "me", "https://a b"] {
            #expect(PushReceiver(.own, at: base, word: "0123456789abcdef") == nil)
        }
        for text in ["", "kind own", "kind own\nendpoint http://a\nkey a.b", made.text.replacing("key", with: "kex")] {
            #expect(PushReceiver(text: text) == nil)
        }
    }

    /// The example of RFC 8291, Appendix A.
    @Test("opens the example of the standard, and nothing that was changed")
    func opens() throws {
        let key = try #require(
            WebPushKey(text: "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94.BTBZMqHH6r4Tts7J_aSIgg"))
        #expect(
            key.publicKey
                == "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
        let body = try #require(
            Base64URL.decode(
                "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
            ))
        #expect(String(decoding: try key.open(body), as: UTF8.self) == "When I grow up, I want to be a watermelon")
        for index in body.indices {
            var changed = body
            changed[index] ^= 1
            // A larger record size says the same of one record.
            if (16..<20).contains(index) { continue }
            #expect(throws: WebPushKey.Failure.self) { try key.open(changed) }
        }
        #expect(throws: WebPushKey.Failure.notForUs) { try WebPushKey().open(body) }
    }

    @Test("reads one request of HTTP in any pieces, and refuses what is no push")
    func delivers() {
        let text = Array("POST /wake/abc HTTP/1.1\r\nHost: me\r\nContent-Length: 3\r\nTTL: 60\r\n\r\nxyz".utf8)
        for end in text.indices {
            guard case .more = PushDelivery.read(Array(text[..<end])) else {
                Issue.record("not more at \(end)")
                return
            }
        }
        guard case .complete(let push) = PushDelivery.read(text) else {
            Issue.record("not complete")
            return
        }
        #expect(push.path == "/wake/abc" && push.body == Array("xyz".utf8))
        for (wrong, status) in [
            ("GET / HTTP/1.1\r\n\r\n", 405), ("POST / HTTP/1.1\r\n\r\n", 411), ("hello\r\n\r\n", 400),
            ("POST / HTTP/1.1\r\nContent-Length: 99999\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n", 411),
            (String(repeating: "a", count: 20_000), 431),
        ] {
            guard case .refused(status) = PushDelivery.read(Array(wrong.utf8)) else {
                Issue.record("\(wrong.prefix(30)) was not refused by \(status)")
                return
            }
        }
    }

    @Test("never traps on noise")
    func noise() {
        var random = SeededRandom(seed: 11)
        let key = WebPushKey()
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0..<200, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = PushDelivery.read(bytes)
            _ = try? key.open(bytes)
            _ = PushReceiver(text: String(decoding: bytes, as: UTF8.self))
        }
    }
}
