import Crypto
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import PushProxy

@Suite("Web Push encryption")
struct WebPushEncryptionTests {
    private func decode(_ text: String) throws -> [UInt8] {
        try #require(Base64URL.decode(text))
    }

    @Test("gives the message of RFC 8291, Appendix A")
    func vector() throws {
        let receiver = WebPushReceiver(
            key: try .init(rawRepresentation: decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94")),
            secret: try decode("BTBZMqHH6r4Tts7J_aSIgg"))
        let sender = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let message = Array("When I grow up, I want to be a watermelon".utf8)
        let body = try WebPushEncryption.encrypt(
            message, for: receiver.subscription(""), key: sender, salt: decode("DGv6ra1nlYgDCS1FRnbzlw"))
        #expect(
            body
                == (try decode(
                    """
                    DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w\
                    EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                    """)))
        #expect(try receiver.decrypt(body) == message)
    }

    @Test(
        "a receiver reads every length up to the longest, and lengths are hidden", arguments: [0, 1, 900, 1024, 3993])
    func lengths(count: Int) throws {
        let receiver = WebPushReceiver()
        let message = [UInt8](repeating: 7, count: count)
        let body = try WebPushEncryption.encrypt(message, for: receiver.subscription(""))
        #expect(try receiver.decrypt(body) == message)
        #expect(body.count <= 4096)
        #expect((body.count - 103) % 1024 == 0 || body.count == 4096)
        #expect(body != (try WebPushEncryption.encrypt(message, for: receiver.subscription(""))))
    }

    @Test("refuses what is too long, and subscriptions that are none")
    func refusals() throws {
        let good = WebPushReceiver().subscription("")
        #expect(throws: WebPushEncryption.Failure.tooLong) {
            _ = try WebPushEncryption.encrypt([UInt8](repeating: 0, count: 3994), for: good)
        }
        let bad = [
            PushSubscription(endpoint: "", publicKey: [], secret: good.secret),
            PushSubscription(endpoint: "", publicKey: good.publicKey, secret: []),
            PushSubscription(endpoint: "", publicKey: [4] + [UInt8](repeating: 1, count: 64), secret: good.secret),
            PushSubscription(endpoint: "", publicKey: [UInt8](repeating: 0, count: 65), secret: good.secret),
        ]
        for subscription in bad {
            #expect(throws: WebPushEncryption.Failure.badSubscription) {
                _ = try WebPushEncryption.encrypt([1], for: subscription)
            }
        }
    }
}

@Suite("where messages may be posted")
struct PushEndpointTests {
    @Test(
        "addresses near us, other schemes and strange texts are refused",
        arguments: [
            "http://push.example/x", "https://localhost/x", "https://127.0.0.1/x", "https://10.1.2.3/x",
            "https://192.168.1.1:8443/", "https://169.254.169.254/latest/meta-data", "https://[::1]/x",
            "https://[::ffff:127.0.0.1]/x", "https://[fd00::1]/", "https://0x7f.1/x", "https://2130706433/x",
            "https://127.1/", "https://router.local/x", "https://metadata.google.internal/", "https://intranet/",
            "https://user:pass@push.example/x", "https://push.example:0/x", "https:///x", "https://", "",
            "https://push.example/a b", "https://push.example/\r\nHost: x", "https://push.example/#x",
            "https://push.example\\@127.0.0.1/", "file:///etc/passwd", "https://push.exämple/x",
            "https://push.example/" + String(repeating: "a", count: 1000), "HTTPS://127.0.0.1/", "https://0.0.0.0/",
            "https://100.64.0.1/", "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://224.0.0.1/",
        ])
    func refused(text: String) {
        #expect(PushEndpoint(text, allowsPrivate: false) == nil)
    }

    @Test("browsers' addresses are taken as they are, and a token is for their origin")
    func taken() throws {
        let text = "https://updates.push.services.mozilla.com/wpush/v2/gAAAA-_=?x=%2f"
        let endpoint = try #require(PushEndpoint(text, allowsPrivate: false))
        #expect(endpoint.text == text)
        #expect(endpoint.origin == "https://updates.push.services.mozilla.com")
        #expect(
            PushEndpoint("https://push.example:8443?t=1", allowsPrivate: false)?.origin == "https://push.example:8443")
        #expect(PushEndpoint("https://localhost:8443/x", allowsPrivate: true)?.origin == "https://localhost:8443")
    }
}
