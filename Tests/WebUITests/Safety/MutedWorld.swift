import NostrCore
import NostrNIPs
import NostrTesting

/// A small Nostr in which Alice muted Carol, a word, a topic and a conversation, and where each of them comes up in every
/// way that anybody can bring them up.
struct MutedWorld {
    /// What no page may hold: Carol's name, words and picture, and the words of whatever else is muted.
    static let marks = [
        "Mutilda", "mutilda@carol.example", "carolpicture", "carolwords", "carolabout", "carolarticle", "carolstatus",
        "zanzibar", "threadwords", "topicwords",
    ]

    private(set) var events: [Event] = []
    /// What Carol wrote.
    private(set) var hers: [Event] = []
    private var dice: SeededRandom
    private var moment: Int64 = 1_700_000_000

    private let alice = TestPerson.alice
    private let bob = TestPerson.bob
    private let carol = TestPerson.carol
    private let dave = TestPerson.dave

    init(seed: UInt64) {
        dice = SeededRandom(seed: seed)
        introduce()
        let root = add(dave, "threadwords: the root")
        add(
            alice, kind: 10_000,
            tags: [["p", carol.publicKey.hex], ["word", "zanzibar"], ["t", "moldy"], ["e", root.id.hex]])
        add(bob, "an answer with threadwords", tags: [["e", root.id.hex, "", "root"]])
        add(bob, "back from ＺＡＮＺＩＢＡＲ and Zan\u{200B}zibar, zanzibar")
        add(bob, "topicwords", tags: [["t", "Moldy"]])
        add(dave, "more topicwords #moldy")
        writeCarol()
        for _ in 0..<40 { bringUp() }
        showOff()
        concernAlice()
        postEveryKind()
        openStreams()
        add(carol, "carolwords", kind: 1984, tags: [["e", root.id.hex, "spam"], ["p", dave.publicKey.hex]])
        add(carol, "carolwords", kind: 1984, tags: [["p", bob.publicKey.hex, "spam"]])
    }

    @discardableResult
    private mutating func add(
        _ person: TestPerson, _ content: String = "", kind: Kind = 1, tags: [NostrCore.Tag] = []
    ) -> Event {
        moment += 7
        let event = person.event(content, kind: kind, tags: tags, at: moment)
        events.append(event)
        if person == carol { hers.append(event) }
        return event
    }

    private mutating func introduce() {
        add(alice, #"{"name":"Ada"}"#, kind: 0)
        add(bob, #"{"name":"Ben"}"#, kind: 0)
        add(dave, #"{"name":"Dan"}"#, kind: 0)
        add(
            carol,
            """
            {"name":"Mutilda","display_name":"Mutilda M","about":"carolabout","nip05":"mutilda@carol.example",\
            "picture":"https://pictures.example/carolpicture.png"}
            """, kind: 0)
        add(alice, kind: 3, tags: [bob, carol, dave].map { NostrCore.Tag(["p", $0.publicKey.hex]) })
    }

    private mutating func writeCarol() {
        for index in 0..<6 { add(carol, "carolwords \(index)") }
        add(
            carol, "# carolarticle\n\ncarolwords", kind: 30_023,
            tags: [["d", "long"], ["title", "carolarticle"], ["summary", "carolwords"]])
        add(carol, "carolstatus", kind: 30_315, tags: [["d", "general"]])
        add(carol, kind: 30_000, tags: [["d", "x"], ["title", "carolwords"], ["p", bob.publicKey.hex]])
        add(carol, "{}", kind: 31_871, tags: [["d", "x"], ["alt", "carolwords"]])
        add(carol, "", kind: 10_001, tags: [["e", hers.first?.id.hex ?? ""]])
    }

    /// One way of many to bring her up, or to be answered by her.
    private mutating func bringUp() {
        guard let note = hers.randomElement(using: &dice), let person = [bob, dave].randomElement(using: &dice) else {
            return
        }
        let json = String(decoding: note.json, as: UTF8.self)
        switch Int.random(in: 0..<12, using: &dice) {
        case 0: add(person, json, kind: 6, tags: [["e", note.id.hex], ["p", carol.publicKey.hex]])
        case 1: add(person, "", kind: 6, tags: [["e", note.id.hex]])
        case 2: add(person, json, kind: 16, tags: [["e", note.id.hex], ["k", "\(note.kind.rawValue)"]])
        case 3: repostRepost(json, of: note, by: person)
        case 4: add(person, "a quote", tags: [["q", note.id.hex]])
        case 5:
            let code = (try? NostrEntity.nevent(EventPointer(note)).encoded()) ?? ""
            add(person, "look nostr:\(code)")
        case 6: add(person, "with nostr:\(carol.publicKey.npub)", tags: [["p", carol.publicKey.hex]])
        case 7: answered(by: carol, below: person)
        case 8: add(person, "an answer to her", tags: [["e", note.id.hex, "", "root"], ["p", carol.publicKey.hex]])
        case 9:
            let mine = add(person, "mine")
            add(carol, "carolwords", kind: 7, tags: [["e", mine.id.hex], ["p", person.publicKey.hex]])
        case 10:
            guard let address = note.address else { return }
            let code = (try? NostrEntity.naddr(AddressPointer(address: address)).encoded()) ?? ""
            add(person, "read nostr:\(code)", tags: [["q", address.description]])
        default:
            add(
                person, kind: 30_000,
                tags: [["d", "set\(moment)"], ["title", "People"], ["p", carol.publicKey.hex, "", "petname"]])
        }
    }

    private mutating func repostRepost(_ json: String, of note: Event, by person: TestPerson) {
        let inner = add(dave, json, kind: 6, tags: [["e", note.id.hex]])
        add(
            person, String(decoding: inner.json, as: UTF8.self), kind: 16, tags: [["e", inner.id.hex], ["k", "6"]])
    }

    private mutating func answered(by stranger: TestPerson, below person: TestPerson) {
        let root = add(person, "a question")
        let bad = add(stranger, "carolwords", tags: [["e", root.id.hex, "", "root"]])
        add(dave, "below", tags: [["e", root.id.hex, "", "root"], ["e", bad.id.hex, "", "reply"]])
        add(bob, "zanzibar again", tags: [["e", root.id.hex, "", "root"]])
    }

    /// What others show on their pages.
    private mutating func showOff() {
        let mine = add(bob, "zanzibar, pinned")
        add(bob, kind: 10_001, tags: [["e", mine.id.hex], ["e", hers.first?.id.hex ?? ""]])
        add(bob, "off to zanzibar", kind: 30_315, tags: [["d", "general"]])
        let article = add(
            bob, "Written with nostr:\(carol.publicKey.npub).", kind: 30_023,
            tags: [["d", "good"], ["title", "A good one"]])
        add(
            carol, "carolwords", kind: 1111,
            tags: [
                ["A", article.address?.description ?? ""], ["K", "30023"], ["P", bob.publicKey.hex],
                ["a", article.address?.description ?? ""], ["e", article.id.hex], ["k", "30023"],
            ])
    }

    /// What would stand among Alice's notifications.
    private mutating func concernAlice() {
        let mine = add(alice, "what do you think?")
        let me: NostrCore.Tag = ["p", alice.publicKey.hex]
        let about: [NostrCore.Tag] = [["e", mine.id.hex, "", "root"], me]
        add(carol, "carolwords for you", tags: about)
        add(carol, "carolwords", kind: 7, tags: about)
        add(carol, "", kind: 6, tags: about)
        add(carol, "carolwords, look", tags: [me])
        add(carol, kind: 3, tags: [me])
        add(dave, "off to zanzibar with you", tags: about)
        add(dave, "with nostr:\(carol.publicKey.npub)", tags: about)
    }

    /// What people post beside notes and articles.
    private mutating func postEveryKind() {
        let picture = "https://pictures.example/carolpicture.png"
        let options: [NostrCore.Tag] = [["option", "a", "carolwords"], ["option", "b", "No"]]
        add(carol, "carolwords?", kind: 1068, tags: options)
        add(carol, "carolwords?", kind: 6969, tags: [["poll_option", "0", "carolwords"], ["poll_option", "1", "No"]])
        let poll = add(bob, "Which way?", kind: 1068, tags: [["option", "a", "Up"], ["option", "b", "Down"]])
        add(carol, kind: 1018, tags: [["e", poll.id.hex], ["response", "a"]])
        add(dave, "Where to?", kind: 1068, tags: [["option", "a", "Home"], ["option", "b", "zanzibar"]])
        add(
            carol, "carolwords", kind: 20,
            tags: [["title", "carolwords"], ["imeta", "url \(picture)", "m image/png", "alt carolabout"]])
        add(carol, "carolwords", kind: 1063, tags: [["url", picture], ["m", "image/png"], ["alt", "carolabout"]])
        add(
            carol, kind: 30_030,
            tags: [["d", "pack"], ["title", "carolwords"], ["emoji", "carolabout", picture]])
    }

    /// Streams of hers, hers by what another says, and one where she only talks.
    private mutating func openStreams() {
        add(carol, kind: 30_311, tags: [["d", "show"], ["title", "carolwords"], ["status", "live"]])
        let speaker: NostrCore.Tag = ["p", carol.publicKey.hex, "", "Speaker"]
        let host: NostrCore.Tag = ["p", carol.publicKey.hex, "", "Host"]
        let hers = add(dave, kind: 30_311, tags: [["d", "hers"], ["title", "An hour"], ["status", "live"], host])
        let room = add(bob, kind: 30_311, tags: [["d", "room"], ["title", "A room"], ["status", "live"], speaker])
        for stream in [hers, room] {
            let here: NostrCore.Tag = ["a", stream.address?.description ?? "", "", "root"]
            let line = add(bob, "a fair line", kind: 1311, tags: [here])
            let answer: NostrCore.Tag = ["e", line.id.hex, "", "reply"]
            let bad = add(carol, "carolwords", kind: 1311, tags: [here, answer])
            add(dave, "to that", kind: 1311, tags: [here, ["e", bad.id.hex, "", "reply"]])
            add(dave, "zanzibar", kind: 1311, tags: [here, answer])
            add(dave, "see nostr:\(carol.publicKey.npub)", kind: 1311, tags: [here])
            add(
                carol, ":carolabout:", kind: 7,
                tags: [
                    answer, ["k", "1311"], ["a", stream.address?.description ?? ""],
                    ["emoji", "carolabout", "https://pictures.example/carolpicture.png"],
                ])
        }
    }
}
