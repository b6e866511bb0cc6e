import Crypto
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import PushProxy

@Suite("a signer's requests to its push proxy")
struct PushProxyRequestTests {
    @Test("are what the proxy understands")
    func understood() async throws {
        let bench = RegistrationAPITests.Bench()
        let receiver = WebPushReceiver()
        let proxy = "https://push.example.com/"
        func send(_ request: PushProxyRequest, nonce: String = "1") async -> RegistrationAnswer {
            let draft = request.authorization(createdAt: bench.moment.now, nonce: nonce)
            let signed = TestPerson.alice.event(kind: draft.kind, tags: draft.tags, at: draft.createdAt.seconds)
            let headers = PushProxyRequest.headers(signed)
            return await bench.api.answer(
                RegistrationRequest(
                    method: "POST", path: String(request.url.dropFirst("https://push.example.com".count)),
                    authorization: headers.first { $0.name == "X-Clave-Auth" }?.value, body: request.body, address: "x")
            )
        }
        let relay = WakeRulesTests.relay
        let (alice, bob) = (TestPerson.alice.publicKey, TestPerson.bob.publicKey)
        let device = PushProxyRequest.register(token: RegistrationAPITests.token, at: proxy)
        #expect(await send(device) == .ok)
        // The same asked twice within one second counts twice; what was sent before does not.
        #expect(await send(device, nonce: "2") == .ok)
        #expect(await send(device, nonce: "2") == .failure(401, "replayed"))
        let key = Base64URL.encode(Array(receiver.key.publicKey.x963Representation))
        let secret = Base64URL.encode(receiver.secret)
        for isUnifiedPush in [true, false] {
            let request = PushProxyRequest.register(
                endpoint: "https://push.example/1", key: key, secret: secret, isUnifiedPush: isUnifiedPush, at: proxy)
            #expect(await send(request) == .ok)
        }
        #expect(try await bench.devices().count == 3)
        #expect(await send(.pair(bob, relays: [relay], at: proxy)) == .ok)
        #expect(try await bench.registry.watchedRelays().mapValues(\.signers) == [relay: [alice]])
        #expect(await send(.unpair(bob, at: proxy)) == .ok)
        #expect(await send(.unregisterAll(at: proxy)) == .ok)
        #expect(try await bench.registry.counts() == PushCounts(devices: 0, signers: 0, pairings: 0))
    }
}
