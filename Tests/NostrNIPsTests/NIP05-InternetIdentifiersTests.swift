import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-05 identifiers")
struct InternetIdentifierTests {
    @Test(
        "parses names and bare domains",
        arguments: [
            ("bob@example.com", "bob", "example.com"), ("Bob@Example.COM", "bob", "example.com"),
            ("example.com", "_", "example.com"), ("_@example.com", "_", "example.com"),
            ("a-b_c.d@x.y-z.org", "a-b_c.d", "x.y-z.org"),
        ])
    func parses(text: String, local: String, domain: String) throws {
        let identifier = try #require(InternetIdentifier(text))
        #expect(identifier.local == local)
        #expect(identifier.domain == domain)
        #expect(InternetIdentifier(identifier.description) == identifier)
    }

    @Test(
        "refuses what cannot be one",
        arguments: [
            "", "bob", "bob@", "@example.com", "a@b@c.com", "bob@localhost", "bob@127.0.0.1", "bo b@example.com",
            "bob@exa mple.com", "bob@-x.com", "bob@x..com", "bob@example.com/path", "bob@example.com:80",
            "böb@example.com",
            "bob@example.com?x=y", "bob@example.com#", "bob+1@example.com",
        ])
    func refuses(text: String) {
        #expect(InternetIdentifier(text) == nil)
    }

    @Test("the document confirms, and points to relays")
    func document() throws {
        let key = TestPerson.bob.publicKey
        let json = """
            {"names":{"Bob":"\(key.hex)","bad":"npub1x","upper":"\(key.hex.uppercased())"},
             "relays":{"\(key.hex)":["wss://r.example.com","nonsense",1]}}
            """
        let names = try #require(WellKnownNames(json: Array(json.utf8)))
        let bob = try #require(InternetIdentifier("bob@example.com"))
        #expect(names.confirms(bob, for: key))
        #expect(!names.confirms(bob, for: TestPerson.eve.publicKey))
        #expect(names.pointer(for: bob)?.relays.map(\.text) == ["wss://r.example.com"])
        #expect(names.names.count == 1)
        #expect(bob.documentURL == "https://example.com/.well-known/nostr.json?name=bob")
        #expect(WellKnownNames(json: Array("{\"names\":[]}".utf8)) == nil)
        #expect(WellKnownNames(json: Array("<html>".utf8)) == nil)
    }
}
