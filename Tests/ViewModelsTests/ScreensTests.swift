import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("the first screen")
struct FirstRunStateTests {
    @Test(
        "refuses what cannot work before anyone is asked",
        arguments: [
            (
                FirstRunState.Input.create(name: "", passphrase: "12345678", again: "12345678"),
                FirstRunState.Door.create
            ),
            (.create(name: "Ada", passphrase: "short", again: "short"), .create),
            (.create(name: "Ada", passphrase: "12345678", again: "12345679"), .create),
            (.bring(secret: "", passphrase: "12345678", again: "12345678"), .bring),
            (.bring(secret: "nsec1abc", passphrase: "short", again: "short"), .bring),
            (.bring(secret: "nsec1abc", passphrase: "12345678", again: "12345687"), .bring),
            (.bring(secret: "npub1abc", passphrase: "12345678", again: "12345678"), .bring),
            (.bring(secret: "ncryptsec1abc", passphrase: "", again: ""), .bring),
            (.read("  "), .read), (.unlock(FakeAuthor(1).key, passphrase: ""), .open),
        ])
    func refuses(input: FirstRunState.Input, door: FirstRunState.Door) {
        var state = FirstRunState()
        #expect(state.apply(input).isEmpty)
        #expect(state.problem?.door == door)
    }

    @Test("lets an ncryptsec in with the short passphrase it was made with")
    func short() {
        var state = FirstRunState()
        #expect(
            state.apply(.bring(secret: " ncryptsec1abc\n", passphrase: "abc", again: ""))
                == [.bring(secret: "ncryptsec1abc", passphrase: "abc")])
    }

    @Test("takes the words a key is made from, however they are spaced")
    func words() {
        var state = FirstRunState()
        let words = (1...12).map { "Word\($0)" }
        #expect(
            state.apply(
                .bring(secret: " " + words.joined(separator: "\n ") + " ", passphrase: "12345678", again: "12345678"))
                == [.bringWords(words.joined(separator: " ").lowercased(), passphrase: "12345678")])
        #expect(state.apply(.bring(secret: words.joined(separator: " "), passphrase: "short", again: "short")).isEmpty)
        #expect(state.problem?.door == .bring)
    }

    @Test("enters by every door")
    func enters() async {
        let account = FakeAccount(.plain(notes: 0))
        let inputs: [FirstRunState.Input] = [
            .create(name: "Ada", passphrase: "12345678", again: "12345678"),
            .bring(secret: "nsec1abc", passphrase: "12345678", again: "12345678"), .read("npub1abc"), .demo,
            .open(account.publicKey),
            .unlock(account.publicKey, passphrase: FakeOpening.passphrase),
        ]
        for input in inputs {
            let opening = FakeOpening(account)
            let state = await ScreenModel<FirstRunState>(opening) { #expect($0.publicKey == account.publicKey) }.send(
                input)
            #expect(state.entered == account.publicKey)
            #expect(await opening.asked.count == 1)
        }
    }

    @Test("says at the right door why it did not open")
    func wrong() async {
        let account = FakeAccount(.plain(notes: 0))
        let model = ScreenModel<FirstRunState>(FakeOpening(account)) { _ in Issue.record("nobody may come in") }
        let state = await model.send(.unlock(account.publicKey, passphrase: "wrong horse"))
        #expect(state.problem?.door == .open)
        #expect(state.entered == nil)
    }
}

@Suite("one's own profile")
struct ProfileFormTests {
    @Test(
        "is not saved while a field is wrong",
        arguments: [
            ("picture", "javascript:alert(1)"), ("website", "example.org"), ("nip05", "nobody"), ("banner", "http://"),
        ])
    func refuses(field: String, value: String) {
        var edit = ProfileForm(["name": "Ada"])
        #expect(edit.fill([field: value]) == nil)
        #expect(edit.problems[field] != nil)
        #expect(edit.fields[field] == value)
    }

    @Test("publishes what was filled in, and clears only what was there")
    func publishes() {
        var edit = ProfileForm(["name": "Ada", "website": "https://a.example", "unknown": "kept by the account"])
        let published = edit.fill(["name": "Ada L", "website": "", "nip05": ""])
        #expect(published == ["name": "Ada L", "website": ""])
    }

    @Test("runs through an account")
    func saves() async throws {
        let account = FakeAccount(.plain(notes: 0))
        var form = try await ProfileForm.load(of: account)
        await form.save(["about": "Birds."], in: account)
        #expect(form.isSaved)
        #expect(await account.acts == ["profile about name"])
        await account.refuse(with: Trouble("The disk is full."))
        await form.save(["about": "More birds."], in: account)
        #expect(form.problems[""] == "The disk is full.")
    }
}

@Suite("conversations, people and searches")
struct ReadingScreensTests {
    @Test("a conversation shows what is above and below, and receipts only for one's own")
    func thread() async throws {
        var world = FakeWorld.plain(notes: 0)
        let root = world.write("root", by: 0, ago: 100)
        let reply = world.write("reply", by: 1, tags: [["e", root.id.hex, "", "root"]], ago: 90)
        world.write(
            "deeper", by: 2, tags: [["e", root.id.hex, "", "root"], ["e", reply.id.hex, "", "reply"]], ago: 80)
        let account = FakeAccount(world)
        let own = try await ThreadPage.load(root.id, hints: [], of: account)
        #expect(own.replies.map(\.depth) == [0, 1])
        #expect(own.receipts.count == 3)
        let other = try await ThreadPage.load(reply.id, hints: [], of: account)
        #expect(other.ancestors.map(\.id) == [root.id])
        #expect(other.receipts.isEmpty)
        #expect(other.focus?.replyTo == root.id)
    }

    @Test("a person's notes come with or without answers")
    func profile() async throws {
        var world = FakeWorld.plain(notes: 0)
        let root = world.write("root", by: 1, ago: 100)
        world.write("answer", by: 1, tags: [["e", root.id.hex, "", "root"]], ago: 90)
        let account = FakeAccount(world)
        let key = world.authors[1].key
        for (withReplies, count) in [(false, 1), (true, 2)] {
            let model = ScreenModel(.author(key, replies: withReplies), of: account)
            #expect(await model.send(.opened(below: nil)).notes.count == count)
        }
        #expect(try await PersonItem.load(key, from: account).name == "Ben")
    }

    @Test("a search finds people and notes, and asks nobody for nothing")
    func search() async {
        var world = FakeWorld.plain(notes: 0)
        world.write("birds in the hills", by: 1, ago: 10)
        let account = FakeAccount(world)
        let found = await SearchPage.load(SearchRequest(" birds\n"), below: nil, of: account)
        #expect(found.text == "birds" && found.notes.count == 1)
        #expect(
            await SearchPage.load(SearchRequest("  "), below: nil, of: account)
                == SearchPage(SearchRequest(""), own: account.publicKey))
    }

    @Test("every screen says what went wrong")
    func silent() async {
        let account = FakeAccount(.plain(notes: 3))
        await account.fall(silent: Trouble("The disk is full."))
        let trouble = Phase.failed(Trouble("The disk is full."))
        let note = FakeWorld.plain(notes: 1).notes[0].id
        #expect(await ScreenModel<TimelineState>(.home, of: account).send(.opened(below: nil)).phase == trouble)
        #expect(
            await SearchPage.load(SearchRequest("ab"), below: nil, of: account).trouble == Trouble("The disk is full."))
        await #expect(throws: Trouble("The disk is full.")) { try await ThreadPage.load(note, hints: [], of: account) }
        await #expect(throws: Trouble("The disk is full.")) { try await RelaysPage.load(from: account) }
    }
}

@Suite("one's own relays")
struct OwnRelaysEditorTests {
    private let world = FakeWorld()

    private func editor(write: Int, read: Int, isPublished: Bool = true) throws -> OwnRelaysEditor {
        var list = RelayList()
        for number in 0..<write { list.set(try RelayURL("wss://w\(number).example"), .write) }
        for number in 0..<read { list.set(try RelayURL("wss://r\(number).example"), .read) }
        return OwnRelaysEditor(OwnRelayList(entries: list.entries, isPublished: isPublished))
    }

    @Test(
        "advice is given for more than four on a side, and for none",
        arguments: [(4, 4, 0), (5, 4, 1), (5, 5, 2), (0, 3, 1), (0, 0, 2)])
    func advice(write: Int, read: Int, count: Int) throws {
        #expect(try editor(write: write, read: read).advice.count == count)
    }

    @Test("a relay in use that a first list will not name says so")
    func unreachable() throws {
        var list = RelayList()
        let near = try RelayURL("ws://192.168.1.5:7777")
        for relay in [near, try RelayURL("wss://one.example")] { list.set(relay, .both) }
        var own = OwnRelayList(entries: list.entries, isPublished: false)
        own.unreachable = [near]
        let notes = OwnRelaysEditor(own).rows.map(\.note)
        #expect(notes.first??.contains("cannot reach it") == true && notes.last == .some(nil))
    }

    @Test("somebody who has no list is not told that it is empty")
    func unpublished() throws {
        #expect(try editor(write: 0, read: 0, isPublished: false).advice.isEmpty)
    }

    @Test("an address is read as people write it", arguments: ["wss://one.example", " one.example ", "ONE.example"])
    func addresses(text: String) async throws {
        let account = FakeAccount(world)
        let sentence = try await OwnRelaysEditor.set(text, .write, of: account)
        #expect(sentence == "You write to one.example.")
        #expect(await account.acts == ["relay wss://one.example 2"])
    }

    @Test(
        "what is no address changes nothing",
        arguments: ["", "  ", "no relay.at all", "relay", "http://one.example", "wss://"])
    func noAddress(text: String) async throws {
        let account = FakeAccount(world)
        await #expect(throws: Trouble.self) { try await OwnRelaysEditor.set(text, .both, of: account) }
        #expect(await account.acts.isEmpty)
    }

    @Test("an account that only reads has none to change")
    func readOnly() async throws {
        let account = FakeAccount(world, canSign: false)
        await #expect(throws: Trouble.self) { try await OwnRelaysEditor.set("wss://one.example", .both, of: account) }
        await #expect(throws: Trouble.self) { try await OwnRelaysEditor.publish(of: account) }
    }
}

@Suite("the relays")
struct RelaysPageTests {
    private func coverage(_ seed: UInt8, _ endings: [String: RelayEnding]) throws -> AuthorCoverage {
        var asked: [RelayURL: RelayEnding?] = [:]
        for (name, ending) in endings { asked[try RelayURL("wss://\(name).example")] = .some(ending) }
        return AuthorCoverage(
            person: Person(key: FakeAuthor(seed).key), asked: asked, received: asked.mapValues { _ in 2 },
            basis: .relayList)
    }

    @Test("count who was heard, and who in full")
    func counts() throws {
        let page = RelaysPage(
            relays: [],
            coverage: [
                try coverage(1, ["a": .complete, "b": .complete]), try coverage(2, ["a": .complete, "b": .deadline]),
                try coverage(3, ["b": .deadline]), try coverage(4, [:]),
            ])
        #expect(page.heard == 2)
        #expect(page.fullyHeard == 1)
        #expect(page.coverage.last?.isComplete == true)
    }

    @Test("say until when a relay was heard that has not answered since the start")
    func heardUntil() throws {
        var person = try coverage(1, ["a": .complete, "b": .deadline])
        person.heardUntil = [
            try RelayURL("wss://a.example"): Timestamp(seconds: 9),
            try RelayURL("wss://b.example"): Timestamp(seconds: 7),
        ]
        #expect(CoverageItem(person).answers.map(\.heardUntil) == [nil, Timestamp(seconds: 7)])
    }

    @Test("list people part by part, each once, and a place that is not there is the nearest that is")
    func parts() throws {
        let page = RelaysPage(
            relays: [], coverage: try (1...120).map { try coverage(UInt8($0), ["a": .complete]) })
        var listed: [PublicKey] = []
        var next: Int? = 0
        while let start = next {
            let part = page.people(from: start)
            #expect(part.rows.count <= RelaysPage.rowsAtOnce)
            #expect(part.previous == (start == 0 ? nil : start - RelaysPage.rowsAtOnce))
            listed += part.rows.map(\.person.key)
            next = part.next
        }
        #expect(listed == page.coverage.map(\.person.key))
        #expect(page.people(from: -7).rows.startIndex == 0)
        #expect(page.people(from: 9000).rows.count == 1)
        #expect(page.relays(from: 3).rows.isEmpty && page.relays(from: 3).next == nil)
    }

    @Test("are drawn inside the square, every line from a relay to a person")
    func map() throws {
        let people = try (1...40).map { try coverage(UInt8($0), ["r\($0 % 7)": .complete, "s\($0 % 3)": .deadline]) }
        var served: [RelayURL: [PublicKey]] = [:]
        for person in people { for relay in person.asked.keys { served[relay, default: []].append(person.person.key) } }
        let reports = served.map { relay, authors in
            RelayReport(
                relay: relay, statistics: RelayStatistics(), authors: authors, isOwnRead: false, isOwnWrite: false)
        }
        let map = RelaysPage(relays: reports, coverage: people).map
        #expect(map.relays.count == 10)
        #expect(map.people.count == 40)
        let places = Set(map.relays.map(\.place)), ends = Set(map.people.map(\.place))
        #expect(map.lines.allSatisfy { places.contains($0.from) && ends.contains($0.to) })
        #expect(
            (places.union(ends)).allSatisfy { (0...RelayMap.side).contains($0.x) && (0...RelayMap.side).contains($0.y) }
        )
    }

    @Test("that forged much are not believed for a while, whatever else holds, and the page says what goes on")
    func distrusted() throws {
        var statistics = RelayStatistics()
        statistics.state = .connected
        statistics.distrusted = RelayStatistics.Distrust(bad: 60, all: 90, pause: .seconds(300))
        for isOwn in [false, true] {
            let item = RelayItem(
                RelayReport(
                    relay: try RelayURL("wss://a.example"), statistics: statistics, authors: [], isOwnRead: false,
                    isOwnWrite: isOwn))
            #expect(item.health == .distrusted)
            #expect(item.name == "a.example")
            #expect(item.problem?.contains("60 of its last 90 messages") == true)
            #expect(item.problem?.contains("What you write still goes there.") == isOwn)
        }
    }
}

private func isSilent(_ live: inout LiveState) -> Bool { live.takeDigest() == nil }

@Suite("what an open page hears")
struct LiveStateTests {
    let world = FakeWorld.plain(notes: 2)

    @Test("is handed out once")
    func once() {
        var live = LiveState()
        let silent = isSilent(&live)
        #expect(silent)
        let fresh = world.note("fresh", ago: -5)
        live.apply(.homeNote(fresh.id, author: fresh.event.pubkey, createdAt: fresh.event.createdAt))
        live.apply(.touched(world.notes[0].id))
        live.apply(.connection)
        let digest = live.takeDigest()
        #expect(digest?.homeNotes == [ArrivedNote(fresh.event.cursor)])
        #expect(digest?.touched == [world.notes[0].id])
        #expect(digest?.connectionChanged == true)
        let silent1 = isSilent(&live)
        #expect(silent1)
    }

    @Test("counts notes up to a bound, and says that there are more")
    func manyNotes() throws {
        var live = LiveState()
        for index in 0...LiveDigest.limit {
            let bytes = (0..<32).map { UInt8(truncatingIfNeeded: index >> ($0 * 8)) }
            live.apply(
                .homeNote(EventID(try Bytes32(bytes.span)), author: world.own.key, createdAt: Timestamp(seconds: 5)))
        }
        let taken = live.takeDigest()
        let digest = try #require(taken)
        #expect(digest.homeNotes.count == LiveDigest.limit && digest.missed)
    }

    @Test("stays small, and says when it had to leave something out")
    func bounded() throws {
        var live = LiveState()
        for index in 0..<(LiveDigest.limit * 3) {
            let bytes = (0..<32).map { UInt8(truncatingIfNeeded: index >> ($0 * 8)) }
            live.apply(.touched(EventID(try Bytes32(bytes.span))))
        }
        let taken = live.takeDigest()
        let digest = try #require(taken)
        #expect(digest.touched.count == LiveDigest.limit)
        #expect(digest.missed)
    }
}
