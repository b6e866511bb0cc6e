import NostrCore
import NostrNIPs
import NostrTesting
import Testing

private let bob = TestPerson.bob.publicKey
private let carol = TestPerson.carol.publicKey

@Suite("The private part of a list")
struct PrivateItemsTests {
    /// Entries as several programs write them: spaces, escapes, unknown names, values that are no strings.
    private static let text =
        #"[ ["p","\#(TestPerson.bob.publicKey.hex)" , "", "Bob\u00e9"], ["word","tea"],["x",  "\/"],["p",null,{"a":[1,"]"]}], [] ]"#

    @Test("is given back byte for byte while nothing changed")
    func untouched() throws {
        var items = try #require(PrivateItems(json: Self.text))
        #expect(items.items.count == 2)
        #expect(items.unknownEntries == 3)
        items.remove(.word("coffee"))
        #expect(!items.isChanged)
        #expect(items.json == Self.text)
    }

    @Test("keeps every other entry as it was written when one comes and one goes")
    func changed() throws {
        var items = try #require(PrivateItems(json: Self.text))
        #expect(items.remove(.word("TEA")) == [["word", "tea"]])
        items.append([["t", "nostr"]])
        #expect(items.isChanged)
        #expect(
            items.json
                == #"[["p","\#(bob.hex)" , "", "Bob\u00e9"],["x",  "\/"],["p",null,{"a":[1,"]"]}],[],["t","nostr"]]"#)
        #expect(items.difference.dropped == [["word", "tea"]])
        #expect(PrivateItems(json: items.json)?.tags == items.tags)
    }

    @Test("an empty part is an empty array")
    func empty() throws {
        #expect(PrivateItems().json == "[]")
        var items = try #require(PrivateItems(json: #"[["word","x"]]"#))
        items.remove(.word("x"))
        #expect(items.isEmpty)
        #expect(items.json == "[]")
    }

    @Test(
        "is nothing but an array of arrays",
        arguments: ["", "{}", "null", "[1]", #"["p","x"]"#, #"[["p"],{}]"#, "[[]", "[[]]x", #"[["p","\x"]]"#]
    )
    func refuses(text: String) {
        #expect(PrivateItems(json: text) == nil)
    }

    @Test(
        "shows its cipher without being decrypted",
        arguments: [
            ("", PublicList.PrivatePart.none), ("words for all", .words), (#"{"wss://a.example":{}}"#, .words),
            ("TJob1dQrf2nd==?iv=S3rFeFr1gsYqmQA7bNnNTQ==", .nip04), ("#3unknownversion", .nip44),
            (String(repeating: "Ab+/", count: 40), .nip44),
        ])
    func cipher(content: String, part: PublicList.PrivatePart) throws {
        let list = try #require(PublicList(TestPerson.alice.event(content, kind: 10_000)))
        #expect(list.privatePart == part)
    }

    @Test("never traps on noise")
    func noise() {
        Noise.run(Array(Self.text.utf8), rounds: 20_000) { bytes in
            guard var items = PrivateItems(json: String(decoding: bytes, as: UTF8.self)) else { return }
            #expect(items.json == String(decoding: bytes, as: UTF8.self))
            items.append([["word", "noise"]])
            #expect(PrivateItems(json: items.json)?.tags == items.tags)
        }
    }
}

@Suite("Lists as they are changed")
struct ListChangeTests {
    @Test("a set is named in its place, and its name taken out again")
    func rename() throws {
        let tags: [Tag] = [["d", "x"], ["p", bob.hex], ["description", "old", "kept?"]]
        var list = try #require(PublicList(TestPerson.alice.event(kind: 30_000, tags: tags)))
        list.rename(title: "Friends", summary: "new")
        #expect(list.tags == [["d", "x"], ["title", "Friends"], ["p", bob.hex], ["description", "new"]])
        #expect(list.title == "Friends")
        list.rename(title: "", summary: "new")
        #expect(list.tags == [["d", "x"], ["p", bob.hex], ["description", "new"]])
    }

    @Test("a relay is written the way its list has it")
    func relays() throws {
        let relay = try RelayURL("wss://one.example")
        var mine = PublicList(kind: RelayList.kind)
        mine.append(.relay(relay))
        #expect(mine.tags == [["r", "wss://one.example"]])
        var sets = PublicList(kind: .relaySets, identifier: "a")
        sets.append(.relay(relay))
        #expect(sets.tags == [["d", "a"], ["relay", "wss://one.example"]])
    }

    @Test("what is no item and no heading is counted as unknown")
    func unknown() throws {
        let tags: [Tag] = [
            ["d", "x"], ["title", "T"], ["z", "1"], ["p", "broken"], ["p", carol.hex], ["client", "W"],
        ]
        let list = try #require(PublicList(TestPerson.alice.event(kind: 30_000, tags: tags)))
        #expect(list.unknownEntries == 2)
    }

    @Test("addresses are the same when their bytes are")
    func addresses() {
        let (one, two) = ("\u{E9}", "e\u{301}")
        #expect(one == two)
        let a = EventAddress(kind: 30_000, author: bob, identifier: one)
        let b = EventAddress(kind: 30_000, author: bob, identifier: two)
        #expect(a != b)
        #expect(Set([a, b, a]).count == 2)
    }
}
