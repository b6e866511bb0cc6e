import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

@testable import PushProxy

/// Requests as Clave's app writes them (`AppState+ProxyClient.swift`, `LightEvent.swift` of DocNR/clave), byte for byte.
private struct ClaveApp {
    static let url = "https://proxy.clave.example"
    let person: TestPerson
    let createdAt: Int64

    /// The header's value: Base64 with padding of an event in Clave's own order, tags `u`, `method`, `payload`.
    func authorization(_ path: String, body: String, method: String = "POST") throws -> String {
        let hash = encodeHex(Array(SHA256.hash(data: Array(body.utf8))))
        let draft = EventDraft(
            kind: 27_235, tags: [["u", Self.url + path], ["method", method], ["payload", hash]], content: "",
            createdAt: Timestamp(seconds: createdAt))
        var random = SystemRandomNumberGenerator()
        let event = Event(signing: draft, with: person.secretKey, using: &random)
        let tags = draft.tags.map { "[" + $0.elements.map { "\"\($0)\"" }.joined(separator: ",") + "]" }
        let json =
            #"{"id":"\#(event.id.hex)","pubkey":"\#(event.pubkey.hex)","created_at":\#(createdAt),"kind":27235,"#
            + #""tags":[\#(tags.joined(separator: ","))],"content":"","sig":"\#(event.signature.hex)"}"#
        return "Nostr " + Data(json.utf8).base64EncodedString()
    }

    /// Posts to a proxy that runs.
    func post(_ path: String, _ body: String, to proxy: String) async throws -> (status: UInt, body: String) {
        var request = HTTPClientRequest(url: proxy + path)
        request.method = .POST
        request.headers = HTTPHeaders([
            ("Content-Type", "application/json"), ("X-Clave-Auth", try authorization(path, body: body)),
        ])
        request.body = .bytes(Array(body.utf8))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        return (answer.status.code, String(buffer: try await answer.body.collect(upTo: 65_536)))
    }
}

@Suite("a push proxy in place of Clave's", .serialized, .timeLimit(.minutes(10)))
struct ClaveDropInTests {
    static let token = String(repeating: "ab", count: 32)
    /// As Apple's `JSONSerialization` writes it: slashes escaped.
    static let pairing =
        #"{"client_pubkey":"CLIENT","relay_urls":["wss:\/\/relay.powr.example","wss:\/\/nos.example"]}"#

    /// A proxy that is told everything by a `.env` in the names of Clave's.
    private func withProxy(_ body: (RunningProxy, RelayURL, PushServiceStandIn) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "clave-" + UUID().uuidString.prefix(8)
        // What stays behind lies in the system's folder for such things.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let certificate = try TestCertificate()
        try await PushServiceStandIn.with(certificate) { service in
            try await withRelay { relay in
                try Data(certificate.chain).write(to: URL(fileURLWithPath: folder + "/roots.pem"))
                let key = folder + "/AuthKey_K.p8"
                try Data(P256.Signing.PrivateKey().pemRepresentation.utf8).write(to: URL(fileURLWithPath: key))
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
                let file = """
                    # as Clave's README has it
                    PORT=0
                    APNS_KEY_ID=K
                    APNS_TEAM_ID="T"
                    APNS_KEY_PATH=./AuthKey_K.p8
                    APNS_HOST=\(service.origin.dropFirst("https://".count))    # production
                    BUNDLE_ID=dev.nostr.Clave           # must match the app
                    RELAY_URL=\(relay.text)
                    export PUBLIC_RELAY_URL='wss://relay.powr.example'
                    PUBLIC_PROXY_URL=\(ClaveApp.url)
                    """
                try Data(file.utf8).write(to: URL(fileURLWithPath: folder + "/.env"))
                let proxy = try await RunningProxy.start(
                    ["--data", folder, "--trusted-roots", folder + "/roots.pem", "--allow-private"], in: folder)
                try await body(proxy, relay, service)
                proxy.terminate()
                #expect(await proxy.ended() == 0)
            }
        }
    }

    @Test("takes the requests of Clave's app, and tells phones the public relay")
    func replays() async throws {
        try await withProxy { proxy, relay, service in
            /// Signs each request anew, as an old one counts for a minute only.
            func post(_ path: String, _ body: String) async throws -> (status: UInt, body: String) {
                try await ClaveApp(person: .alice, createdAt: wallClock().seconds).post(path, body, to: proxy.url)
            }
            let signer = TestPerson.alice.publicKey
            #expect(try await post("/register", #"{"token":"\#(Self.token)"}"#) == (200, #"{"ok":true}"#))
            let pairing = Self.pairing.replacingOccurrences(of: "CLIENT", with: TestPerson.bob.publicKey.hex)
            #expect(try await post("/pair-client", pairing) == (200, #"{"ok":true}"#))
            var health = try JSONValue(Array(try await get(proxy.url + "/health").utf8))
            #expect(health["public_relay"]?.string == "wss://relay.powr.example")
            #expect(health["total_tokens"]?.integer == 1 && health["unique_pubkeys"]?.integer == 1)
            while try JSONValue(Array(try await get(proxy.url + "/health").utf8))["relays_live"]?.integer == 0 {
                try await ContinuousClock().sleep(for: .milliseconds(50))
            }
            try await withPool { pool in
                let event = TestPerson.bob.event(
                    "request", kind: 24_133, tags: [["p", signer.hex]], at: wallClock().seconds)
                _ = await pool.publish(event, to: relay, deadline: .seconds(60))
                await service.wait(for: 1)
                let push = try #require(service.messages.first)
                let payload = try JSONValue(push.body)
                #expect(push.path == "/3/device/" + Self.token)
                #expect(push.headers.first(name: "apns-topic") == "dev.nostr.Clave")
                #expect(payload["relay_url"]?.string == "wss://relay.powr.example")
                #expect(payload["event_id"]?.string == event.id.hex && payload["event"]?["id"]?.string == event.id.hex)
                #expect(payload["aps"]?["mutable-content"]?.integer == 1)
            }
            let client = #"{"client_pubkey":"\#(TestPerson.bob.publicKey.hex)"}"#
            #expect(try await post("/unpair-client", client) == (200, #"{"ok":true}"#))
            #expect(try await post("/unregister", #"{"token":"\#(Self.token)"}"#).status == 200)
            health = try JSONValue(Array(try await get(proxy.url + "/health").utf8))
            #expect(health["total_tokens"]?.integer == 0)
        }
    }

    @Test("refuses what Clave's proxy refuses: another path, method, body, an old event, no header")
    func refuses() async throws {
        let bench = RegistrationAPITests.Bench { $0.publicURL = ClaveApp.url }
        let body = #"{"token":"\#(Self.token)"}"#
        let now = bench.moment.now.seconds
        let app = ClaveApp(person: .alice, createdAt: now)
        let old = ClaveApp(person: .alice, createdAt: now - 61)
        for header in [
            try app.authorization("/unregister", body: body),
            try app.authorization("/register", body: body, method: "GET"),
            try app.authorization("/register", body: body + " "), try old.authorization("/register", body: body),
            "Bearer abc", "Nostr !!!", "Nostr " + Data("{}".utf8).base64EncodedString(),
        ] {
            #expect(await bench.post("/register", body, header: header).status == 401, "\(header)")
        }
        #expect(await bench.post("/register", body, header: try app.authorization("/register", body: body)) == .ok)
    }

    @Test("takes over the files of Clave's proxy, and counts what makes no sense")
    func imports() async throws {
        let registry = MemoryPushRegistry()
        let (signer, client) = (TestPerson.alice.publicKey, TestPerson.bob.publicKey)
        let tokens = """
            [{"token":"\(Self.token)","pubkey":"\(signer.hex)","last_seen":1700000000},{"token":"zz","pubkey":"x"}]
            """
        let clients = """
            [{"signerPubkey":"\(signer.hex)","clientPubkey":"\(client.hex)","relayUrls":["wss://a.example","ws://10.0.0.1"],\
            "createdAt":1,"lastSeenAt":2},{"signerPubkey":"\(signer.hex)","clientPubkey":"\(client.hex)","relayUrls":[]}]
            """
        let run = ClaveImport(registry: registry, now: Timestamp(seconds: 1_800_000_000))
        let counts = try await run.run(tokens: Array(tokens.utf8), clients: Array(clients.utf8))
        #expect(counts == ClaveImport.Counts(devices: 1, pairings: 1, leftOut: 2))
        let device = try #require(try await registry.devices(of: [signer])[signer]?.first)
        #expect(device.address == .apns(token: Self.token) && device.lastSeen == Timestamp(seconds: 1_700_000_000))
        #expect(Set(try await registry.watchedRelays().keys) == [try RelayURL("wss://a.example")])
        await #expect(throws: ClaveImport.Failure.notAList("clients.json")) {
            try await run.run(tokens: nil, clients: Array("{}".utf8))
        }
        #expect(try await run.run(tokens: [0x0A], clients: nil) == ClaveImport.Counts())
    }

    @Test("the import command writes where the proxy reads")
    func importCommand() async throws {
        let folder = NSTemporaryDirectory() + "clave-" + UUID().uuidString.prefix(8)
        // What stays behind lies in the system's folder for such things.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let signer = TestPerson.alice.publicKey
        try Data(
            #"[{"token":"\#(Self.token)","pubkey":"\#(signer.hex)","last_seen":\#(wallClock().seconds - 60)}]"#.utf8
        )
        .write(to: URL(fileURLWithPath: folder + "/tokens.json"))
        let command = try RunningProxy(["import", "--tokens", folder + "/tokens.json", "--data", folder])
        #expect(await command.ended() == 0)
        let proxy = try await RunningProxy.start(["--port", "0", "--url", ClaveApp.url, "--data", folder])
        let health = try JSONValue(Array(try await get(proxy.url + "/health").utf8))
        #expect(health["unique_pubkeys"]?.integer == 1)
        proxy.terminate()
        #expect(await proxy.ended() == 0)
    }

    private func get(_ url: String) async throws -> String {
        let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
        return String(buffer: try await answer.body.collect(upTo: 65_536))
    }
}
