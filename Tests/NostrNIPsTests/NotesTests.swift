import NostrCore
import NostrNIPs
import NostrTesting
import Testing

private let moment = Timestamp(seconds: 1_700_000_100)
private func id(_ letter: Character) -> EventID {
    // A repeated hex letter is always 64 characters of hex.
    guard let id = try? EventID(hex: String(repeating: letter, count: 64)) else { preconditionFailure("no hex letter") }
    return id
}
private func hex(_ letter: Character) -> String { String(repeating: letter, count: 64) }

@Suite("NIP-10 threads")
struct ThreadTests {
    @Test("reads the marked form")
    func marked() {
        let thread = ThreadReferences([
            ["e", hex("c"), "", "mention"], ["e", hex("b"), "wss://r.example.com", "reply", hex("9")],
            ["e", hex("a"), "", "root"],
        ])
        #expect(thread.root?.id == id("a"))
        #expect(thread.parent?.id == id("b"))
        #expect(thread.parent?.author?.hex == hex("9"))
        #expect(thread.parent?.relays.map(\.text) == ["wss://r.example.com"])
        #expect(thread.mentions.map(\.id) == [id("c")])
    }

    @Test("a single root or reply marker is both")
    func single() {
        for marker in ["root", "reply"] {
            let thread = ThreadReferences([["e", hex("a"), "", marker], ["e", hex("b")]])
            #expect(thread.root?.id == id("a"))
            #expect(thread.parent?.id == id("a"))
            #expect(thread.mentions.map(\.id) == [id("b")])
        }
    }

    @Test("reads the positional form", arguments: 0...4)
    func positional(count: Int) {
        let letters: [Character] = ["a", "b", "c", "d"]
        let thread = ThreadReferences(letters.prefix(count).map { ["e", hex($0), ""] })
        #expect(thread.root?.id == letters.prefix(count).first.map(id))
        #expect(thread.parent?.id == letters.prefix(count).last.map(id))
        #expect(thread.mentions.count == max(0, count - 2))
        #expect(thread.isReply == (count > 0))
    }

    @Test("only mentions make no answer")
    func onlyMentions() {
        let thread = ThreadReferences([["e", hex("a"), "", "mention"], ["e", "garbage"], ["q", hex("b")]])
        #expect(!thread.isReply)
        #expect(thread.mentions.map(\.id) == [id("a")])
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

@Suite("NIP-09 deletion requests")
struct DeletionTests {
    private let note = TestPerson.alice.event("note")
    private let article = TestPerson.alice.event("text", kind: 30_023, tags: [["d", "x:y"]])

    @Test("names events by id, address and kind, and covers them")
    func roundTrip() throws {
        let draft = DeletionRequest.draft(deleting: [note, article], reason: "why", createdAt: moment)
        var random = SeededRandom(seed: 1)
        let event = Event(signing: draft, with: TestPerson.alice.secretKey, using: &random)
        let request = try #require(DeletionRequest(event))
        #expect(request.events == [note.id, article.id])
        #expect(request.addresses.map(\.identifier) == ["x:y"])
        #expect(request.kinds == [1, 30_023])
        #expect(request.reason == "why")
        #expect(request.covers(note))
        let older = TestPerson.alice.event("older", kind: 30_023, tags: [["d", "x:y"]], at: 1_600_000_000)
        let newer = TestPerson.alice.event("newer", kind: 30_023, tags: [["d", "x:y"]], at: 1_800_000_000)
        #expect(request.covers(older))
        #expect(!request.covers(newer))
        #expect(!request.covers(TestPerson.alice.event("other")))
    }

    @Test("never covers another person's events, nor a deletion request")
    func limits() throws {
        let request = TestPerson.eve.event(
            kind: 5, tags: [["e", note.id.hex], ["a", "30023:\(note.pubkey.hex):x:y"]], at: moment.seconds)
        let read = try #require(DeletionRequest(request))
        #expect(!read.covers(note))
        #expect(!read.covers(article))
        #expect(read.addresses.isEmpty)
        let own = TestPerson.eve.event(kind: 5, tags: [["e", request.id.hex]])
        #expect(try #require(DeletionRequest(own)).covers(request) == false)
    }
}

@Suite("NIP-18 reposts and quotes")
struct RepostTests {
    @Test("carries the note whole and names it")
    func note() throws {
        let note = TestPerson.alice.event("hello \"world\"\n")
        let relay = try RelayURL("wss://r.example.com")
        let draft = Repost.draft(of: note, relay: relay, createdAt: moment)
        #expect(draft.kind == 6)
        let event = TestPerson.bob.event(draft.content, kind: draft.kind, tags: draft.tags)
        let repost = try #require(Repost(event))
        #expect(repost.embedded == note.unverified)
        #expect(repost.target.author == note.pubkey)
        #expect(repost.target.relays == [relay])
        #expect(repost.target.kind == 1)
    }

    @Test("other kinds are kind 16 with kind and address")
    func generic() throws {
        let article = TestPerson.alice.event("a", kind: 30_023, tags: [["d", "x"]])
        let draft = Repost.draft(of: article, relay: nil, createdAt: moment)
        let repost = try #require(Repost(TestPerson.bob.event(draft.content, kind: draft.kind, tags: draft.tags)))
        #expect(draft.kind == 16)
        #expect(repost.address == article.address)
        #expect(repost.target.kind == 30_023)
    }

    @Test("an inside that is another event, protected or garbage is not taken")
    func foreignInside() throws {
        let note = TestPerson.alice.event("hello")
        let other = String(decoding: TestPerson.alice.event("other").unverified.json, as: UTF8.self)
        let secret = TestPerson.alice.event("secret", tags: [.protected])
        #expect(Repost.draft(of: secret, relay: nil, createdAt: moment).content.isEmpty)
        let embedded = String(decoding: secret.unverified.json, as: UTF8.self)
        for (content, target) in [(other, note), ("{broken", note), ("", note), (embedded, secret)] {
            let repost = try #require(Repost(TestPerson.bob.event(content, kind: 6, tags: [["e", target.id.hex]])))
            #expect(repost.embedded == nil)
            #expect(repost.target.id == target.id)
        }
        #expect(Repost(TestPerson.bob.event("", kind: 6)) == nil)
    }

    @Test("quotes name events and addresses")
    func quotes() throws {
        let address = EventAddress(kind: 30_023, author: TestPerson.alice.publicKey, identifier: "")
        let quotes: [Quote] = [
            .event(EventPointer(id: id("a"), author: TestPerson.bob.publicKey)),
            .address(AddressPointer(address: address, relays: [try RelayURL("ws://r.example.com")])),
        ]
        #expect((quotes.map(\.tag) + [["q", "x"], ["e", hex("b")]]).quotes == quotes)
    }
}

@Suite("NIP-25 reactions")
struct ReactionTests {
    @Test("understands likes, dislikes and emoji")
    func meanings() throws {
        let tags: [Tag] = [["e", hex("a")], ["emoji", "wave", "https://example.com/w.png"]]
        func meaning(_ content: String) -> Reaction.Meaning? {
            Reaction(TestPerson.bob.event(content, kind: 7, tags: tags))?.meaning
        }
        #expect(meaning("+") == .like)
        #expect(meaning("") == .like)
        #expect(meaning("-") == .dislike)
        #expect(meaning("🤙") == .emoji("🤙"))
        #expect(meaning(":wave:") == .customEmoji(try #require(tags.customEmoji.first)))
        #expect(meaning(":nope:") == .emoji(":nope:"))
    }

    @Test("the last event and person named are the target")
    func target() throws {
        let event = TestPerson.bob.event(
            kind: 7, tags: [["e", hex("a")], ["p", hex("1")], ["e", hex("b")], ["p", hex("2")], ["e", "x"]])
        let reaction = try #require(Reaction(event))
        #expect(reaction.target.id == id("b"))
        #expect(reaction.target.author?.hex == hex("2"))
        #expect(Reaction(TestPerson.bob.event(kind: 7, tags: [["e", "x"]])) == nil)
    }

    @Test("a draft reads back as it was meant")
    func roundTrip() throws {
        let article = TestPerson.alice.event("a", kind: 30_023, tags: [["d", "x"]])
        let relay = try RelayURL("wss://r.example.com")
        let draft = Reaction.draft(to: article, relay: relay, createdAt: moment)
        let reaction = try #require(Reaction(TestPerson.bob.event(draft.content, kind: 7, tags: draft.tags)))
        #expect(reaction.target == EventPointer(article, relays: [relay]))
        #expect(reaction.address == article.address)
        #expect(reaction.meaning == .like)
    }
}

@Suite("NIP-22 comments")
struct CommentTests {
    private let article = TestPerson.alice.event("a", kind: 30_023, tags: [["d", "x"]])

    @Test("a first comment names an article by address and version")
    func first() throws {
        let relay = try RelayURL("wss://r.example.com")
        let draft = Comment.draft(on: article, relay: relay, text: "good", createdAt: moment)
        let comment = try #require(Comment(TestPerson.bob.event(draft.content, kind: draft.kind, tags: draft.tags)))
        let address = try #require(article.address)
        #expect(comment.root == .address(AddressPointer(address: address, relays: [relay]), version: nil))
        #expect(comment.parent == .address(AddressPointer(address: address, relays: [relay]), version: article.id))
        #expect(comment.text == "good")
    }

    @Test("an answer keeps the root and names the comment")
    func answer() throws {
        let draft = Comment.draft(on: article, relay: nil, text: "good", createdAt: moment)
        let first = TestPerson.bob.event(draft.content, kind: draft.kind, tags: draft.tags)
        let answer = Comment.draft(on: first, relay: nil, text: "yes", createdAt: moment)
        let read = try #require(Comment(TestPerson.carol.event(answer.content, kind: answer.kind, tags: answer.tags)))
        #expect(read.root == Comment(first)?.root)
        #expect(read.parent == .event(EventPointer(first)))
    }

    @Test("comments on the outside name it by identifier and kind")
    func external() throws {
        let draft = Comment.draft(on: "https://example.com/a", kind: "web", text: "nice", createdAt: moment)
        let read = try #require(Comment(TestPerson.carol.event(draft.content, kind: draft.kind, tags: draft.tags)))
        #expect(read.root == .external("https://example.com/a", kind: "web", page: nil))
        #expect(read.parent == read.root)
    }

    @Test("without a root or a parent it is no comment")
    func incomplete() {
        #expect(Comment(TestPerson.bob.event(kind: 1111, tags: [["E", hex("a")], ["K", "1063"]])) == nil)
        #expect(Comment(TestPerson.bob.event(kind: 1, tags: [["E", hex("a")], ["e", hex("a")]])) == nil)
    }
}

@Suite("Small tags: NIP-13, 23, 30, 36, 40, 42, 70")
struct SmallTagTests {
    @Test("counts leading zero bits as the NIP does")
    func difficulty() throws {
        #expect(try EventID(hex: "000000000e9d97a1ab09fc381030b346cdd7a142ad57e6df0b46dc9bef6c7e2d").difficulty == 36)
        #expect(try EventID(hex: "000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358").difficulty == 21)
        #expect(try EventID(hex: String(repeating: "0", count: 64)).difficulty == 256)
        #expect(id("f").difficulty == 0)
    }

    @Test("a commitment below the demand does not count, however lucky the id")
    func commitment() throws {
        let mined = UnverifiedEvent(
            id: try EventID(hex: "000006d8c378af1779d2feebc7603a125d99eca0ccf1085959b307f64e5dd358"),
            pubkey: try PublicKey(hex: "a48380f4cfcc1ad5378294fcac36439770f9c878dd880ffa94bb74ea54a6f243"),
            createdAt: Timestamp(seconds: 1_651_794_653), kind: 1, tags: [["nonce", "776797", "20"]],
            content: "It's just me mining my own business",
            signature: try Signature(
                hex: "284622fc0a3f4f1303455d5175f7ba962a3300d136085b9566801bc2e0699de0"
                    + "c7e31e44c81fb40ad9049173742e904713c3594a1da0fc5d2382a25c11aba977"))
        let work = ProofOfWork(try Event(verifying: mined))
        #expect(work.difficulty == 21)
        #expect(work.committedTarget == 20)
        #expect(work.meets(20))
        #expect(!work.meets(21))
        #expect(ProofOfWork(TestPerson.alice.event()).meets(0))
        #expect(!ProofOfWork(TestPerson.alice.event()).meets(250))
    }

    @Test("expiration counts at its very second and ignores garbage")
    func expiration() {
        let tags: [Tag] = [.expiration(moment)]
        #expect(tags.expiration == moment)
        #expect(tags.isExpired(now: moment))
        #expect(!tags.isExpired(now: moment - .seconds(1)))
        for garbage in ["", "soon", "-5", "1e9", "99999999999999999999", "٣"] {
            #expect([["expiration", garbage]].expiration == nil, "\(garbage)")
        }
    }

    @Test("content warnings with and without a reason")
    func contentWarning() {
        #expect([Tag.contentWarning("spoiler")].contentWarning == "spoiler")
        #expect([Tag.contentWarning("")].contentWarning == "")
        #expect([Tag.contentWarning("")] == [["content-warning"]])
        #expect(([] as [Tag]).contentWarning == nil)
    }

    @Test("emoji need a name and a web address")
    func emoji() {
        #expect(CustomEmoji(shortcode: "a b", url: "https://example.com/x.png") == nil)
        #expect(CustomEmoji(shortcode: "", url: "https://example.com/x.png") == nil)
        #expect(CustomEmoji(shortcode: "a", url: "javascript:alert(1)") == nil)
        #expect(CustomEmoji(shortcode: "a", url: "https://") == nil)
        let emoji = CustomEmoji(shortcode: "a-_1", url: "https://example.com/x.png")
        #expect(emoji.flatMap { CustomEmoji(tag: $0.tag) } == emoji)
    }

    @Test("reads an article")
    func article() throws {
        let tags: [Tag] = [
            ["d", "lorem"], ["title", "Lorem"], ["published_at", "1296962229"], ["t", "Place"], ["t", "place"],
            ["summary", ""],
        ]
        let article = try #require(Article(TestPerson.alice.event("# Hi", kind: 30_023, tags: tags)))
        #expect(article.title == "Lorem")
        #expect(article.summary == nil)
        #expect(article.publishedAt?.seconds == 1_296_962_229)
        #expect(article.hashtags == ["place"])
        #expect(article.markdown == "# Hi")
        #expect(article.address.identifier == "lorem")
    }

    @Test("an authentication must be for this relay, this challenge and this moment")
    func authentication() throws {
        let relay = try RelayURL("wss://relay.example.com")
        let now = Timestamp(seconds: 1_700_000_000)
        let draft = RelayAuthentication.draft(relay: relay, challenge: "abc", createdAt: now)
        func refusal(
            kind: Kind = 22_242, tags: [Tag]? = nil, at seconds: Int64 = 0, challenge: String = "abc"
        ) -> RelayAuthentication.Refusal? {
            let event = TestPerson.alice.event(kind: kind, tags: tags ?? draft.tags, at: now.seconds + seconds)
            do throws(RelayAuthentication.Refusal) {
                try RelayAuthentication.check(event, addresses: [relay], challenge: challenge, now: now)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal() == nil)
        #expect(refusal(tags: [["relay", "WSS://Relay.Example.com:443/"], ["challenge", "abc"]]) == nil)
        #expect(refusal(at: 600) == nil)
        #expect(refusal(at: -600) == nil)
        #expect(refusal(at: 601) == .wrongMoment(now + .seconds(601)))
        #expect(refusal(at: -601) == .wrongMoment(now - .seconds(601)))
        #expect(refusal(kind: 1) == .wrongKind(1))
        #expect(refusal(challenge: "abd") == .wrongChallenge)
        #expect(refusal(challenge: "") == .wrongChallenge)
        #expect(refusal(tags: [["relay", "wss://relay.example.com:7000"], ["challenge", "abc"]]) == .wrongRelay)
        #expect(refusal(tags: [["challenge", "abc"]]) == .wrongRelay)
        #expect(refusal(tags: [["relay", relay.text]]) == .wrongChallenge)
    }
}
