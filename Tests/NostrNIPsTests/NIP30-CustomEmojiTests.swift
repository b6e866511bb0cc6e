import NostrCore
import NostrNIPs
import Testing

@Suite("NIP-30 custom emoji")
struct CustomEmojiTests {
    @Test("emoji need a name and a web address")
    func emoji() {
        #expect(CustomEmoji(shortcode: "a b", url: "https://example.com/x.png") == nil)
        #expect(CustomEmoji(shortcode: "", url: "https://example.com/x.png") == nil)
        #expect(CustomEmoji(shortcode: "a", url: "javascript:alert(1)") == nil)
        #expect(CustomEmoji(shortcode: "a", url: "https://") == nil)
        let emoji = CustomEmoji(shortcode: "a-_1", url: "https://example.com/x.png")
        #expect(emoji.flatMap { CustomEmoji(tag: $0.tag) } == emoji)
    }

    @Test("a text brings along the emoji it names, each once, and nothing else it names")
    func named() {
        let emoji = ["a", "b", "c"].compactMap { CustomEmoji(shortcode: $0, url: "https://example.com/\($0).png") }
        #expect(
            emoji.tags(namedIn: ":b: #topic :a: :b: :gone: 12:30") == [
                ["emoji", "b", "https://example.com/b.png"], ["emoji", "a", "https://example.com/a.png"],
            ])
        #expect(emoji.tags(namedIn: "none").isEmpty && [CustomEmoji]().tags(namedIn: ":a:").isEmpty)
    }
}
