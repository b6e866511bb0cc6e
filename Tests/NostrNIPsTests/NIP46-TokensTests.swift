import NostrCore
import NostrTesting
import Testing

@testable import NostrNIPs

@Suite("NIP-46 connection tokens")
struct ConnectionTokenTests {
    private static let hex = TestPerson.alice.publicKey.hex
    private let relays = ["wss://one.example", "wss://two.example/x?y=z"]

    @Test("a bunker token is written and read again")
    func bunkerRoundTrip() throws {
        for secret in ["0s8j2djs", "a+b/c==", "with space & more", nil] {
            let token = BunkerURI(
                signer: TestPerson.alice.publicKey, relays: try relays.map(RelayURL.init), secret: secret)
            #expect(try BunkerURI(token.text) == token)
        }
    }

    @Test("an app's token is written and read again")
    func nostrConnectRoundTrip() throws {
        let token = NostrConnectURI(
            client: TestPerson.bob.publicKey, relays: try relays.map(RelayURL.init), secret: "s+/=",
            permissions: [RemotePermission(.signEvent, kind: 1), RemotePermission(.nip44Decrypt)],
            metadata: ClientMetadata(
                name: "My + Client", url: "https://app.example/a+b?c=d", image: "https://i.example"))
        #expect(try NostrConnectURI(token.text) == token)
    }

    @Test("reads the example of the NIP")
    func example() throws {
        let token = try NostrConnectURI(
            "nostrconnect://83f3b2ae6aa368e8275397b9c26cf550101d63ebaab900d19dd4a4429f5ad8f5?relay=wss%3A%2F%2Frelay1.example.com&perms=nip44_encrypt%2Cnip44_decrypt%2Csign_event%3A13%2Csign_event%3A14%2Csign_event%3A1059&name=My+Client&secret=0s8j2djs&relay=wss%3A%2F%2Frelay2.example2.com"
        )
        #expect(token.client.hex == "83f3b2ae6aa368e8275397b9c26cf550101d63ebaab900d19dd4a4429f5ad8f5")
        #expect(token.relays.map(\.text) == ["wss://relay1.example.com", "wss://relay2.example2.com"])
        #expect(
            token.permissions.map(\.text) == [
                "nip44_encrypt", "nip44_decrypt", "sign_event:13", "sign_event:14", "sign_event:1059",
            ])
        #expect(token.metadata == ClientMetadata(name: "My Client"))
        #expect(token.secret == "0s8j2djs")
    }

    @Test(
        "reads what other programs write",
        arguments: [
            "bunker://\(hex)?relay=wss://one.example&secret=abc",
            " \nBUNKER://\(hex)?relay=wss://one.example&secret=abc\n",
            "bunker://\(hex)/?secret=abc&relay=wss%3A%2F%2Fone.example",
            "bunker://\(TestPerson.alice.publicKey.npub)?relay=wss://one.example&secret=abc",
            "bunker://\(hex)?relay=wss://one.example/&relay=wss://ONE.example:443&secret=abc&secret=def",
            "bunker://\(hex)?relay=https://no.example&relay=%zz&relay=wss://one.example&secret=abc#part",
        ])
    func tolerant(text: String) throws {
        let token = try BunkerURI(text)
        #expect(token.signer == TestPerson.alice.publicKey)
        #expect(token.relays == [try RelayURL("wss://one.example")])
        #expect(token.secret == "abc")
    }

    @Test("a plus is a plus in a secret and a space in a name")
    func plus() throws {
        let token = try NostrConnectURI("nostrconnect://\(Self.hex)?relay=wss://r.example&secret=a+b&name=My+App")
        #expect(token.secret == "a+b")
        #expect(token.metadata.name == "My App")
        #expect(try BunkerURI("bunker://\(Self.hex)?relay=wss://r.example&secret=a+b").secret == "a+b")
    }

    @Test("the older form with one metadata parameter is read, and the newer wins")
    func older() throws {
        let metadata = "%7B%22name%22%3A%22Old%22%2C%22url%22%3A%22https%3A%2F%2Fo.example%22%7D"
        let token = try NostrConnectURI(
            "nostrconnect://\(Self.hex)?relay=wss://r.example&secret=s&metadata=\(metadata)&name=New")
        #expect(token.metadata == ClientMetadata(name: "New", url: "https://o.example"))
    }

    @Test(
        "names what is wrong with a token",
        arguments: [
            ("", ConnectionTokenError.wrongScheme), ("bunker:\(hex)?relay=wss://r.example", .wrongScheme),
            ("nostrconnect://\(hex)?relay=wss://r.example", .wrongScheme),
            ("bun\u{212A}er://\(hex)?relay=wss://r.example", .wrongScheme), ("bunker://", .noKey),
            ("bunker://\u{301}\(hex)?relay=wss://r.example", .noKey),
            ("bunker://nsec1xyz?relay=wss://r.example", .noKey),
            ("bunker://\(hex.dropLast())?relay=wss://r.example", .noKey),
            ("bunker://\(hex)", .noRelay), ("bunker://\(hex)?relay=", .noRelay),
            ("bunker://\(hex)?relay=http://r.example", .noRelay), ("bunker://\(hex)#?relay=wss://r.example", .noRelay),
            ("bunker://\(hex)?relay=wss://r.example&x=" + String(repeating: "x", count: 8192), .tooLong),
        ])
    func refused(text: String, why: ConnectionTokenError) {
        #expect(throws: why) { try BunkerURI(text) }
    }

    @Test("an app's token needs a secret", arguments: ["", "&secret=", "&secret=%zz"])
    func secret(part: String) {
        #expect(throws: ConnectionTokenError.noSecret) {
            try NostrConnectURI("nostrconnect://\(Self.hex)?relay=wss://r.example\(part)")
        }
    }

    @Test("no more relays and permissions are read than are of use")
    func limits() throws {
        let many = (0..<30).map { "relay=wss://r\($0).example" }.joined(separator: "&")
        let perms = (0..<400).map { "sign_event:\($0)" }.joined(separator: ",")
        let token = try NostrConnectURI("nostrconnect://\(Self.hex)?\(many)&secret=s&perms=\(perms)")
        #expect(token.relays.count == NostrConnectURI.mostRelays)
        #expect(token.permissions.count == 200)
    }

    @Test("never traps on noise, and what is read is written and read alike")
    func noise() throws {
        let seed =
            "nostrconnect://\(Self.hex)?relay=wss://one.example&relay=wss%3A%2F%2Ftwo.example&secret=a+b%20c&perms=ping,"
            + "sign_event:1&name=My+App&url=https%3A%2F%2Fx.example&metadata=%7B%22name%22%3A%22x%22%7D"
        Noise.run(Array(seed.utf8), rounds: 20_000) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            // Most is no token; only that reading returns matters then.
            if let token = try? NostrConnectURI(text) { #expect((try? NostrConnectURI(token.text)) == token) }
            if let token = try? BunkerURI("bunker" + text.dropFirst(12)) {
                #expect((try? BunkerURI(token.text)) == token)
            }
            let query = URIQuery(parsing: text, plusIsSpace: true)
            #expect(URIQuery(parsing: query.text, plusIsSpace: true) == query)
            #expect(PercentEncoding.decode(PercentEncoding.encode(text)) == text)
        }
    }
}
