import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-89 apps for kinds")
struct AppHandlersTests {
    private func handler(_ tags: [Tag], _ content: String = "") -> AppHandler? {
        AppHandler(TestPerson.bob.event(content, kind: 31_990, tags: [["d", "app"], ["k", "31337"]] + tags))
    }

    @Test("the page for exactly such a code goes before the one for anything")
    func pages() throws {
        let app = try #require(
            handler(
                [
                    ["web", "https://a.example/e/<bech32>", "nevent"], ["web", "https://a.example/x#<bech32>"],
                    ["web", "https://a.example/a/<bech32>", "naddr"], ["ios", "app:<bech32>"], ["k", "x"], ["k", "1"],
                ], #"{"name":"Tracks","about":1}"#))
        #expect(app.name == "Tracks" && app.kinds == [31_337, 1])
        #expect(app.page(opening: ["naddr1abc"])?.address == "https://a.example/a/naddr1abc")
        #expect(app.page(opening: ["nevent1abc", "naddr1abc"])?.address == "https://a.example/e/nevent1abc")
        #expect(app.page(opening: ["note1abc"])?.address == "https://a.example/x#note1abc")
        #expect(app.page(opening: ["note1abc"])?.host == "a.example" && app.page(opening: []) == nil)
        let narrow = try #require(handler([["web", "https://a.example/p/<bech32>", "nprofile"]]))
        #expect(narrow.page(opening: ["naddr1abc", "nevent1abc"]) == nil)
        let second = try #require(handler([["web", "https://a.example/<bech32>", "note"]]))
        #expect(second.page(opening: ["naddr1abc", "note1abc"])?.address == "https://a.example/note1abc")
    }

    @Test(
        "only pages of the open web are read",
        arguments: [
            "http://a.example/<bech32>", "javascript:alert('<bech32>')", "HTTPS://a.example/<bech32>",
            "a.example/<bech32>",
            "https://a.example/", "https://<bech32>.a.example/", "https://a.example@b.example/<bech32>",
            "https://127.0.0.1/<bech32>", "https://0x7f000001/<bech32>", "https://2130706433/<bech32>",
            "https://[::1]/<bech32>", "https://localhost/<bech32>", "https://tv.local/<bech32>",
            "https://a.internal/<bech32>", "https://router/<bech32>", "https://a..example/<bech32>",
            "https://.example/<bech32>", "https://a.example./<bech32>", "https://a.example:x/<bech32>",
            "https://a.example:1:2/<bech32>", "https://a.example\\@b.example/<bech32>", "https://ä.example/<bech32>",
            "https://a.example/ <bech32>", "https://a.example/\"><bech32>", "https:///<bech32>", "",
            "https://a.example/<bech32>" + String(repeating: "x", count: 1024),
        ])
    func refused(template: String) throws {
        let app = try #require(handler([["web", template]]))
        #expect(app.page(opening: ["naddr1abc"]) == nil)
    }

    @Test(
        "hosts of the open web, also with a port and in other scripts' letters",
        arguments: ["a.example", "a-b.co.example:8443", "xn--bcher-kva.example", "a.xn--p1ai", "1.example"])
    func hosts(host: String) throws {
        let app = try #require(handler([["web", "https://\(host)/<bech32>"]]))
        #expect(app.page(opening: ["note1x"])?.host == host)
    }

    @Test(
        "a name is what the app calls itself, and nothing where its content is none",
        arguments: [
            ("", nil), ("{}", nil), ("[1]", nil), ("{broken", nil), (#"{"name":" "}"#, nil), (#"{"name":7}"#, nil),
            (#"{"name":"a","display_name":"B"}"#, "B"), (#"{"name":"a","display_name":""}"#, "a"),
        ] as [(String, String?)])
    func names(content: String, name: String?) throws {
        let app = try #require(handler([], content))
        #expect(app.name == name)
    }

    @Test("a recommendation names apps for the web or for no platform, each once")
    func recommendation() throws {
        let (bob, key) = (TestPerson.bob, TestPerson.carol.publicKey.hex)
        func read(_ tags: [Tag], kind: Kind = 31_989) -> AppRecommendation? {
            AppRecommendation(bob.event(kind: kind, tags: tags))
        }
        let found = try #require(
            read([
                ["d", "31337"], ["a", "31990:\(key):one", "wss://r.example", "web"],
                ["a", "31990:\(key):two", "", "ios"],
                ["a", "31990:\(key):three"], ["a", "31990:\(key):one"], ["a", "30023:\(key):four"], ["a", "x"],
            ]))
        #expect(found.handledKind == 31_337 && found.author == bob.publicKey)
        #expect(found.apps.map(\.address.identifier) == ["one", "three"])
        #expect(read([["d", "tracks"]]) == nil && read([]) == nil && read([["d", "1"]], kind: 31_990) == nil)
        let many = (0..<500).map { Tag(["a", "31990:\(key):\($0)"]) }
        #expect(read([["d", "1"]] + many)?.apps.count == 32)
        #expect(AppHandler(bob.event(kind: 31_989, tags: [["d", "1"]])) == nil)
    }
}
