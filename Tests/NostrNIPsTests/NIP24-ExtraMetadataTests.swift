import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

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
        for content in [
            #"{"x":1,"x":2, "y":3}"#, #"{"y":3 ,"x":1,"x":2}"#, #"{"x":0,"y":3, "x":1}"#, #"{"x":1,"x":2}"#,
        ] {
            var profile = try #require(ProfileMetadata(TestPerson.alice.event(content, kind: 0)))
            profile["x"] = nil
            #expect(["{\"y\":3}", "{\"y\":3 }", "{}"].contains(profile.content), "\(profile.content)")
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
