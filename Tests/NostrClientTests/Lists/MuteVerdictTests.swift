import NostrClient
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

private let alice = TestPerson.alice
private let bob = TestPerson.bob
private let carol = TestPerson.carol

/// The one question that every reader asks.
struct MuteVerdictTests {
    private static let root = bob.event("root")
    private let mutes = Mutes(
        [
            .person(ProfilePointer(key: carol.publicKey), petname: nil), .word("tea"), .hashtag("cats"),
            .event(EventPointer(id: root.id)),
        ], owner: alice.publicKey)

    @Test("rules hold in their order: person, what is reposted, word, conversation, topic")
    func order() {
        let thread: NostrCore.Tag = ["e", Self.root.id.hex]
        func reason(_ event: Event) -> MuteReason? { mutes.verdict(on: event, in: .timeline).reason }
        #expect(reason(carol.event("tea #cats", tags: [thread])) == .person)
        #expect(reason(bob.event("tea #cats", tags: [thread])) == .word)
        #expect(reason(bob.event("x #cats", tags: [thread])) == .conversation)
        #expect(reason(bob.event("x #cats")) == .topic)
        #expect(reason(bob.event("x")) == nil)
        let json = String(decoding: carol.event("tea").json, as: UTF8.self)
        #expect(reason(bob.event(json, kind: 6)) == .reposted)
    }

    @Test(
        "places leave out, leave a mark, or count",
        arguments: [
            (MutePlace.timeline, MuteVerdict.dropped(.person), MuteVerdict.dropped(.word)),
            (.notifications, .dropped(.person), .dropped(.word)), (.conversation, .stub(.person), .stub(.word)),
            (.quote, .stub(.person), .stub(.word)), (.counts, .dropped(.person), .shown),
        ])
    func places(place: MutePlace, person: MuteVerdict, word: MuteVerdict) {
        #expect(mutes.verdict(on: carol.event("x"), in: place) == person)
        #expect(mutes.verdict(on: bob.event("tea"), in: place) == word)
        #expect(mutes.verdict(on: carol.publicKey, in: place) == person)
        #expect(mutes.verdict(on: alice.event("tea"), in: place) == .shown)
        #expect(mutes.verdict(on: nil, in: place) == .shown)
    }

    @Test("a repost gives nobody away: not by its content, its tags, or a repost inside")
    func reposts() {
        let note = carol.event("hello")
        let json = String(decoding: note.json, as: UTF8.self)
        let inner = bob.event(json, kind: 6, tags: [["e", note.id.hex]])
        let outer = String(decoding: inner.json, as: UTF8.self)
        #expect(mutes.hides(bob.event(outer, kind: 16, tags: [["e", inner.id.hex], ["k", "6"]])))
        // The content is of another event than the tag names; either may be what is shown.
        #expect(mutes.hides(bob.event(json, kind: 6, tags: [["e", bob.event("y").id.hex]])))
        #expect(mutes.hides(bob.event("", kind: 16, tags: [["e", note.id.hex], ["p", carol.publicKey.hex]])))
        #expect(mutes.hides(alice.event(json, kind: 6, tags: [["e", note.id.hex]])))
    }

    @Test(
        "width and what nobody sees do not count",
        arguments: [
            ("tea", "ＴＥＡ, please"), ("tea", "t\u{200B}e\u{00AD}a"), ("カガパ", "ｶｶﾞﾊﾟ"), ("ﾃｨｰ", "ティー"), ("❤️", "so ❤"),
        ])
    func folding(word: String, text: String) {
        #expect(Mutes([.word(word)]).hides(bob.event(text)))
    }

    @Test("words are found in titles, options and what an unknown kind says it is, not in what is for programs")
    func texts() {
        #expect(mutes.hides(bob.event("x", kind: 1068, tags: [["option", "a", "Tea"]])))
        #expect(mutes.hides(bob.event("", kind: 30_311, tags: [["title", "Tea time"]])))
        #expect(mutes.hides(bob.event("{}", kind: 31_871, tags: [["alt", "a cup of tea"]])))
        #expect(!mutes.hides(bob.event("{\"about\":\"tea\"}", kind: 0)))
        #expect(!mutes.hides(bob.event("tea", kind: 10_003)))
    }
}
