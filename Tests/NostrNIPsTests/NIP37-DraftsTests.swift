import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-37 drafts, NIP-38 statuses, NIP-78 data")
struct DraftsTests {
    @Test("a wrapped draft says what it is and when it may go")
    func wraps() throws {
        let draft = DraftWrap.draft(identifier: "a", of: 1, payload: "sealed", replacing: nil, now: moment)
        #expect(draft.kind == 31_234)
        #expect(draft.tags == [["d", "a"], ["k", "1"], ["expiration", "\(moment.seconds + 90 * 86_400)"]])
        let event = TestPerson.alice.event(draft.content, kind: draft.kind, tags: draft.tags, at: moment.seconds)
        let wrap = try #require(DraftWrap(event))
        #expect(wrap.identifier == "a")
        #expect(wrap.draftKind == 1)
        #expect(!wrap.isDeleted)
        let blank = DraftWrap.draft(identifier: "a", of: 1, payload: "", replacing: wrap.changedAt, now: moment)
        #expect(blank.createdAt > wrap.changedAt)
        #expect(try #require(DraftWrap(TestPerson.alice.event(kind: 31_234, tags: blank.tags))).isDeleted)
    }

    @Test("a checkpoint belongs to its author's own draft only")
    func checkpoints() {
        let own = "31234:\(TestPerson.alice.publicKey.hex):a"
        let other = "31234:\(TestPerson.bob.publicKey.hex):a"
        #expect(DraftWrap(TestPerson.alice.event("x", kind: 1234, tags: [["a", own]]))?.identifier == "a")
        #expect(DraftWrap(TestPerson.alice.event("x", kind: 1234, tags: [["a", other]])) == nil)
        #expect(DraftWrap(TestPerson.alice.event("x", kind: 1)) == nil)
    }

    @Test("a draft survives the way to its text and back")
    func roundTrip() throws {
        let draft = EventDraft(kind: 1, tags: [["q", "x", ""]], content: "Grüße \"\n\u{1}", createdAt: moment)
        let unsigned = UnsignedDraft(draft, author: TestPerson.alice.publicKey)
        #expect(UnsignedDraft(json: unsigned.json) == unsigned)
    }

    @Test(
        "a draft needs only its kind",
        arguments: [
            (#"{"kind":1}"#, true), (#"{"kind":30023,"content":"x","tags":[["a",1],["t","x"]]}"#, true), ("{}", false),
            (#"{"kind":70000}"#, false), ("[]", false), ("", false), (#"{"kind":"1"}"#, false),
        ])
    func lenient(text: String, isDraft: Bool) {
        #expect((UnsignedDraft(json: text) != nil) == isDraft)
    }

    @Test(
        "a draft with nothing in it counts as deleted, as Wisp writes it; pictures, quotes and polls are something",
        arguments: [
            (#"{"kind":1,"tags":[],"content":""}"#, true), (#"{"kind":1,"tags":[["e","x"]],"content":" \n"}"#, true),
            (#"{"kind":1,"tags":[],"content":"a"}"#, false),
            (#"{"kind":20,"tags":[["imeta","url https://x.example/1.jpg"]],"content":""}"#, false),
            (#"{"kind":1,"tags":[["q","x"]],"content":""}"#, false),
            (#"{"kind":1068,"tags":[["option","1","yes"]],"content":""}"#, false),
        ])
    func blank(text: String, isBlank: Bool) throws {
        #expect(try #require(UnsignedDraft(json: text)).isBlank == isBlank)
    }

    @Test("files come by imeta, and in older drafts as addresses on the last lines; each counts once")
    func media() throws {
        func media(_ content: String, _ tags: [Tag] = []) -> [String] {
            UnsignedDraft(EventDraft(kind: 1, tags: tags, content: content, createdAt: moment), author: nil).media
        }
        let tag: Tag = ["imeta", "url https://x.example/1.jpg", "m image/jpeg", "dim 10x10"]
        #expect(media("a cat", [tag]) == ["https://x.example/1.jpg"])
        #expect(
            media("a cat\nhttps://x.example/1.jpg\nhttps://x.example/2.mp4\n", [tag])
                == ["https://x.example/1.jpg", "https://x.example/2.mp4"])
        #expect(media("https://x.example/1.jpg\nsaid the cat") == [])
        #expect(media("see https://x.example/1.jpg") == [])
        #expect(media("x", [["imeta"], ["imeta", "m image/png"], ["imeta", "url"], ["x", "url https://y"]]) == [])
        #expect(media("a cat\nhttps://x.example/1.jpg\r\n") == ["https://x.example/1.jpg"])
    }

    @Test("a draft never traps on noise")
    func noise() {
        let text = UnsignedDraft(
            EventDraft(kind: 1, tags: [["e", repeatedHex("a")]], content: "x", createdAt: moment), author: nil
        ).json
        Noise.run(Array(text.utf8), rounds: 10_000) {
            let draft = UnsignedDraft(json: String(decoding: $0, as: UTF8.self))
            _ = draft?.isBlank
            _ = draft?.media
        }
    }

    @Test("a status has a link and an end, and is cleared by an empty text")
    func status() throws {
        let draft = UserStatus.draft(
            "Hiking", link: "https://example.com", expires: moment, replacing: moment, now: moment)
        #expect(draft.tags == [["d", "general"], ["r", "https://example.com"], ["expiration", "\(moment.seconds)"]])
        #expect(draft.createdAt > moment)
        let status = try #require(UserStatus(TestPerson.alice.event("Hiking", kind: 30_315, tags: draft.tags)))
        #expect(status.type == UserStatus.general)
        #expect(status.link == "https://example.com")
        #expect(UserStatus.draft("", replacing: nil, now: moment).tags == [["d", "general"]])
    }

    @Test("a status brings along the emoji its text names")
    func statusEmoji() throws {
        let emoji = ["linnet", "gorse"].compactMap { CustomEmoji(shortcode: $0, url: "https://e.example/\($0).png") }
        let draft = UserStatus.draft("Out with a :linnet:", emoji: emoji, replacing: nil, now: moment)
        #expect(draft.tags == [["d", "general"], ["emoji", "linnet", "https://e.example/linnet.png"]])
        let status = UserStatus(TestPerson.alice.event(draft.content, kind: 30_315, tags: draft.tags))
        #expect(status?.emoji == Array(emoji.prefix(1)))
    }

    @Test("application data keeps the tags it had")
    func appData() throws {
        let old = TestPerson.alice.event("1", kind: 30_078, tags: [["d", "linnet/x"], ["z", "kept"]])
        let draft = AppData.draft("2", identifier: "linnet/x", replacing: old, now: moment)
        #expect(draft.tags == old.tags)
        #expect(AppData(TestPerson.alice.event("2", kind: 30_078, tags: draft.tags))?.identifier == "linnet/x")
        #expect(AppData.draft("2", identifier: "a", replacing: nil, now: moment).tags == [["d", "a"]])
    }
}
