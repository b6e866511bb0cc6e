import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import linnet

@Suite("Lists by name")
struct ListNameTests {
    @Test(
        "a list is known by its name and by the number of its kind",
        arguments: [("mutes", Kind.muteList), ("Bookmarks", .bookmarks), ("10050", .directMessageRelays)])
    func kinds(text: String, kind: Kind) throws {
        #expect(try ListName.kind(text) == kind)
    }

    @Test("what is no list is refused with the names there are", arguments: ["", "friends", "1", "70000"])
    func noKind(text: String) throws {
        let failure = try #require(throws: CommandFailure.self) { try ListName.kind(text) }
        #expect(failure.description.contains("bookmarks"))
    }

    @Test("things are read as people write them")
    func items() throws {
        let person = TestPerson.alice
        let note = person.event("hello")
        let relay = try RelayURL("wss://relay.example")
        let key = ListItem.person(ProfilePointer(key: person.publicKey), petname: nil)
        #expect(try ListName.item(person.publicKey.npub, for: .followSets) == key)
        #expect(try ListName.item(person.publicKey.hex, for: .muteList) == key)
        #expect(try ListName.item(note.id.note, for: .bookmarks) == .event(EventPointer(id: note.id)))
        #expect(try ListName.item("#Birds", for: .interests) == .hashtag("birds"))
        #expect(try ListName.item("wss://relay.example", for: .directMessageRelays) == .relay(relay))
        #expect(try ListName.item("Crypto Giveaway", for: .muteList) == .word("crypto giveaway"))
        let emoji = try ListName.item(":linnet: https://example.com/linnet.png", for: .emojiList)
        #expect(emoji.tag == ["emoji", "linnet", "https://example.com/linnet.png"])
    }

    @Test("a word is no thing for a list of bookmarks, and a secret key is none for any list")
    func refusals() throws {
        #expect(throws: CommandFailure.self) { try ListName.item("birds", for: .bookmarks) }
        let secret = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
        let failure = try #require(throws: CommandFailure.self) { try ListName.item(secret, for: .muteList) }
        #expect(!failure.description.contains(secret))
    }
}
