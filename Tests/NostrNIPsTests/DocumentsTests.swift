import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

private let moment = Timestamp(seconds: 1_700_000_100)

@Suite("NIP-24 profiles")
struct ProfileTests {
    private let content = """
        { "name" : "Alice", "age":1.50, "nested":{"b":[1,2]}, "about":"a\\u00e9\\n", "lud16":"", "bot":true,
          "birthday":{"year":1990,"month":13}, "nip05":"_@example.com" }
        """

    @Test("reads the fields")
    func reads() throws {
        let profile = try #require(ProfileMetadata(TestPerson.alice.event(content, kind: 0)))
        #expect(profile.name == "Alice")
        #expect(profile.about == "aé\n")
        #expect(profile.lightningAddress == nil)
        #expect(profile.isBot)
        #expect(profile.nip05?.description == "example.com")
        #expect(profile.birthday?.year == 1990)
        #expect(profile.birthday?.month == nil)
        #expect(profile.fields == ["name": "Alice", "about": "aé\n", "nip05": "_@example.com"])
    }

    @Test("an edit changes its field and not one byte elsewhere")
    func edits() throws {
        var profile = try #require(ProfileMetadata(TestPerson.alice.event(content, kind: 0, tags: [["i", "x"]])))
        #expect(profile.content == content)
        profile["name"] = "Ålice \"A\""
        profile["website"] = "https://example.com"
        profile["lud16"] = nil
        profile["missing"] = nil
        let expected = content.replacingOccurrences(of: "\"Alice\"", with: "\"Ålice \\\"A\\\"\"")
            .replacingOccurrences(of: "\"lud16\":\"\", ", with: "")
            .replacingOccurrences(
                of: "\"_@example.com\" }", with: "\"_@example.com\",\"website\":\"https://example.com\" }")
        #expect(profile.content == expected)
        #expect(profile.draft(now: moment).tags == [["i", "x"]])
    }

    @Test("fields can be taken out one by one, from any place")
    func removes() throws {
        for field in ["a", "b", "c"] {
            var profile = try #require(ProfileMetadata(TestPerson.alice.event(#"{"a":"1","b":"2","c":"3"}"#, kind: 0)))
            profile[field] = nil
            #expect(profile.fields.count == 2)
            profile["a"] = nil
            profile["b"] = ""
            profile["c"] = nil
            #expect(profile.content == "{}")
        }
        var empty = ProfileMetadata()
        empty["name"] = "N"
        #expect(empty.content == #"{"name":"N"}"#)
        #expect(empty.draft(now: moment).createdAt == moment)
    }

    @Test("old field names are read where the new ones are missing")
    func deprecated() throws {
        let event = TestPerson.alice.event(#"{"username":"u","displayName":"d"}"#, kind: 0)
        #expect(ProfileMetadata(event)?.name == "u")
        #expect(ProfileMetadata(event)?.displayName == "d")
    }

    @Test(
        "what is no JSON object is no profile", arguments: ["", "[]", "null", "{", "{\"a\":1}}", "{\"a\":01}", "\"x\""])
    func refuses(content: String) {
        #expect(ProfileMetadata(TestPerson.alice.event(content, kind: 0)) == nil)
    }
}

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

@Suite("NIP-11 relay information")
struct RelayInformationTests {
    @Test("reads a real document and writes it back with the same meaning")
    func roundTrip() throws {
        let json = """
            {"contact":"wino@nostr.wine","description":"A paid relay","fees":{"admission":[{"amount":1,"unit":"msats"}]},
            "limitation":{"auth_required":false,"created_at_lower_limit":94608000,"max_event_tags":4000,"max_limit":1000,
            "max_message_length":524288,"max_subid_length":71,"max_subscriptions":50,"min_pow_difficulty":0,
            "payment_required":true,"restricted_writes":true},"name":"nostr.wine","payments_url":"https://nostr.wine/i",
            "pubkey":"\(TestPerson.bob.publicKey.hex)","supported_nips":[1,2,4,"42",50.0,77.5,-1e400],"version":"0.3.3"}
            """
        let information = try #require(RelayInformation(json: Array(json.utf8)))
        #expect(information.supportedNIPs == [1, 2, 4, 42, 50])
        #expect(information.pubkey == TestPerson.bob.publicKey)
        #expect(information.limitation.maxSubscriptions == 50)
        #expect(information.limitation.authRequired == false)
        #expect(information.limitation.defaultLimit == nil)
        #expect(RelayInformation(json: information.json) == information)
    }

    @Test("wrong types count as missing")
    func wrongTypes() throws {
        let json =
            #"{"name":7,"pubkey":"","supported_nips":"all","limitation":{"max_limit":"5","max_subscriptions":-1},"version":null}"#
        let information = try #require(RelayInformation(json: Array(json.utf8)))
        #expect(information == RelayInformation())
        #expect(RelayInformation(json: Array("[1]".utf8)) == nil)
    }
}

@Suite("NIP-50 search")
struct SearchTests {
    @Test(
        "splits words and extensions",
        arguments: [
            ("best nostr apps", "best nostr apps", 0), ("  orange   domain:example.com ", "orange", 1),
            ("language:en nsfw:false", "", 2),
            ("at 12:30 https://x.example.com a: :b", "at 12:30 https://x.example.com a: :b", 0),
        ])
    func splits(text: String, words: String, extensions: Int) {
        let query = SearchQuery(text)
        #expect(query.words == words)
        #expect(query.extensions.count == extensions)
        #expect(SearchQuery(query.text) == query)
    }
}

@Suite("NIP-66 relay discovery")
struct RelayDiscoveryTests {
    @Test("reads a discovery")
    func discovery() throws {
        let tags: [Tag] = [
            ["d", "wss://some.relay/"], ["n", "clearnet"], ["N", "40"], ["N", "x"], ["R", "!payment"], ["R", "auth"],
            ["rtt-open", "234"], ["k", "1"], ["k", "!4"], ["t", "nsfw"],
        ]
        let found = try #require(RelayDiscovery(TestPerson.bob.event("{\"name\":\"R\"}", kind: 30_166, tags: tags)))
        #expect(found.relay.text == "wss://some.relay")
        #expect(found.openTime == .milliseconds(234))
        #expect(found.supportedNIPs == [40])
        #expect(found.requirements.map(\.isRequired) == [false, true])
        #expect(found.acceptedKinds == [1])
        #expect(found.refusedKinds == [4])
        #expect(found.information?.name == "R")
        #expect(RelayDiscovery(TestPerson.bob.event(kind: 30_166, tags: [["d", "x"]])) == nil)
    }

    @Test("reads a monitor, with the timeout in both orders")
    func monitor() throws {
        let tags: [Tag] = [["timeout", "open", "5000"], ["timeout", "3000"], ["frequency", "3600"], ["c", "ws"]]
        let monitor = try #require(RelayMonitor(TestPerson.bob.event(kind: 10_166, tags: tags)))
        #expect(monitor.timeouts == ["open": .seconds(5), "": .seconds(3)])
        #expect(monitor.frequency == .seconds(3600))
        #expect(monitor.checks == ["ws"])
    }
}

@Suite("SupportedNIPs")
struct SupportedNIPsTests {
    @Test("docs/NIPS.md is what the list says (LINNET_WRITE_DOCS=1 writes it)")
    func document() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/NIPS.md")
        if ProcessInfo.processInfo.environment["LINNET_WRITE_DOCS"] == "1" {
            try SupportedNIP.document.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == SupportedNIP.document)
    }

    @Test("numbers stand once and in order")
    func order() {
        let numbers = SupportedNIP.all.map(\.number)
        #expect(numbers == Set(numbers).sorted())
        #expect(SupportedNIP.relayNumbers.contains(1))
    }
}
