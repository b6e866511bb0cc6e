import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-10 threads")
struct ThreadTests {
    @Test("reads the marked form")
    func marked() {
        let thread = ThreadReferences([
            ["e", repeatedHex("c"), "", "mention"],
            ["e", repeatedHex("b"), "wss://r.example.com", "reply", repeatedHex("9")],
            ["e", repeatedHex("a"), "", "root"],
        ])
        #expect(thread.root?.id == repeatedID("a"))
        #expect(thread.parent?.id == repeatedID("b"))
        #expect(thread.parent?.author?.hex == repeatedHex("9"))
        #expect(thread.parent?.relays.map(\.text) == ["wss://r.example.com"])
        #expect(thread.mentions.map(\.id) == [repeatedID("c")])
    }

    @Test("a single root or reply marker is both")
    func single() {
        for marker in ["root", "reply"] {
            let thread = ThreadReferences([["e", repeatedHex("a"), "", marker], ["e", repeatedHex("b")]])
            #expect(thread.root?.id == repeatedID("a"))
            #expect(thread.parent?.id == repeatedID("a"))
            #expect(thread.mentions.map(\.id) == [repeatedID("b")])
        }
    }

    @Test("reads the positional form", arguments: 0...4)
    func positional(count: Int) {
        let letters: [Character] = ["a", "b", "c", "d"]
        let thread = ThreadReferences(letters.prefix(count).map { ["e", repeatedHex($0), ""] })
        #expect(thread.root?.id == letters.prefix(count).first.map(repeatedID))
        #expect(thread.parent?.id == letters.prefix(count).last.map(repeatedID))
        #expect(thread.mentions.count == max(0, count - 2))
        #expect(thread.isReply == (count > 0))
    }

    @Test("only mentions make no answer")
    func onlyMentions() {
        let thread = ThreadReferences([
            ["e", repeatedHex("a"), "", "mention"], ["e", "garbage"], ["q", repeatedHex("b")],
        ])
        #expect(!thread.isReply)
        #expect(thread.mentions.map(\.id) == [repeatedID("a")])
    }

    @Test("of thousands of tags the ends count, and so many mentions are read")
    func thousands() {
        var tags: [Tag] = [["e", repeatedHex("a")]]
        for _ in 0..<5000 { tags.append(["e", repeatedHex("b"), "wss://r.example.com"]) }
        tags.append(["e", "garbage"])
        tags.append(["e", repeatedHex("c")])
        let thread = ThreadReferences(tags)
        #expect(thread.root?.id == repeatedID("a"))
        #expect(thread.parent?.id == repeatedID("c"))
        #expect(thread.mentions.count == ThreadReferences.mostMentions)
    }

    @Test("answers name root and parent, and tell everyone but the author")
    func writes() throws {
        let relay = try RelayURL("wss://r.example.com")
        let root = TestPerson.alice.event("root", tags: [["p", TestPerson.dave.publicKey.hex]])
        let first = ThreadReferences.replyTags(to: root, relay: relay, author: TestPerson.bob.publicKey)
        #expect(
            first == [
                ["e", root.id.hex, relay.text, "root", root.pubkey.hex], ["p", root.pubkey.hex],
                ["p", TestPerson.dave.publicKey.hex],
            ])
        let reply = TestPerson.bob.event("reply", tags: first)
        let second = ThreadReferences.replyTags(to: reply, relay: nil, author: TestPerson.alice.publicKey)
        #expect(
            second == [
                ["e", root.id.hex, relay.text, "root", root.pubkey.hex],
                ["e", reply.id.hex, "", "reply", reply.pubkey.hex],
                ["p", reply.pubkey.hex], ["p", TestPerson.dave.publicKey.hex],
            ])
        let read = ThreadReferences(second)
        #expect(read.root?.id == root.id)
        #expect(read.parent?.id == reply.id)
    }
}
