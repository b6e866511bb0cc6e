import NostrClient
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import ViewModels

/// Emoji in names and descriptions (NIP-30).
struct PersonEmojiTests {
    @Test("a name is text but for the emoji its profile brings along")
    func name() throws {
        let linnet = try #require(CustomEmoji(shortcode: "linnet", url: "https://e.example/l.png"))
        var person = Person(key: TestPerson.bob.publicKey, fields: ["name": "Bob :linnet: #1 :gone:"])
        #expect(PersonItem(person).nameParts == [.text("Bob :linnet: #1 :gone:")])
        person.emoji = [linnet]
        #expect(
            PersonItem(person).nameParts == [
                .text("Bob "), .emoji(code: "linnet", picture: "https://e.example/l.png"), .text(" #1 :gone:"),
            ])
    }
}
