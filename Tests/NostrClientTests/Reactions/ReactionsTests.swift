import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// Reactions by what they mean, and packs of emoji.
struct ReactionsTests {
    let bench = AccountBench()
    let alice = TestPerson.alice
    let bob = TestPerson.bob
    let carol = TestPerson.carol

    private func reactions() throws -> any ReactionKeeping { try #require(bench.account.reactions) }

    private func reaction(_ content: String, by person: TestPerson, to note: Event, _ more: [NostrCore.Tag] = [])
        -> Event
    {
        person.event(content, kind: 7, tags: [["e", note.id.hex], ["p", note.pubkey.hex]] + more)
    }

    private func pack(_ name: String = "birds", by person: TestPerson) -> Event {
        person.event(
            kind: 30_030, tags: [["d", name], ["title", "Birds"], ["emoji", "linnet", "https://e.example/l.png"]])
    }

    @Test("reactions are grouped by what they mean, each person once for each")
    func groups() async throws {
        let (note, other) = (bob.event("note"), bob.event("other"))
        let linnet: NostrCore.Tag = ["emoji", "linnet", "https://e.example/l.png"]
        let crow: NostrCore.Tag = ["emoji", "linnet", "https://e.example/crow.png"]
        _ = await bench.store.save(
            [
                note, other, reaction("+", by: bob, to: note), reaction("", by: carol, to: note),
                reaction("🔥", by: carol, to: note), reaction("🔥", by: alice, to: note),
                reaction("🔥", by: bob, to: note), reaction(":linnet:", by: bob, to: note, [linnet]),
                reaction(":linnet:", by: carol, to: note, [crow]), reaction("-", by: carol, to: note),
                reaction(String(repeating: "x", count: 500), by: carol, to: note),
                // About the other one: the last tag counts.
                carol.event("💜", kind: 7, tags: [["e", note.id.hex], ["e", other.id.hex]]),
            ], from: nil)
        let groups = try await reactions().reactions(to: note.id)
        #expect(groups.first?.content == "🔥" && groups.first?.count == 3 && groups.first?.isOwn == true)
        #expect(groups.dropFirst().first?.meaning == .like && groups.dropFirst().first?.count == 2)
        // Names are anybody's: two pictures of one name are two things.
        #expect(groups.filter { $0.content == ":linnet:" }.map(\.count) == [1, 1])
        #expect(groups.count == 5)
        #expect(!groups.contains { $0.meaning == .emoji("💜") })
    }

    @Test("one reaction is taken back, the others stay")
    func takenBack() async throws {
        let note = bob.event("note")
        _ = await bench.store.save([note], from: nil)
        let publishing = bench.account.publishing
        let fire = try await publishing.react(to: note.id, with: "🔥")
        let like = try await publishing.react(to: note.id, with: "+")
        let taken = try await reactions().takeBack("🔥", from: note.id)
        #expect(taken.kind == 5 && taken.tags.named("e").map(\.value) == [fire.id.hex])
        #expect(await bench.store.query([Filter(kinds: [7])]) == [like])
        await #expect(throws: AccountError(.unknownEvent)) { try await reactions().takeBack("🔥", from: note.id) }
    }

    @Test("what one reacted with before is offered once, the newest first, and only what can be sent again")
    func palette() async throws {
        let note = bob.event("note")
        func own(_ content: String, _ at: Int64, _ more: [NostrCore.Tag] = []) -> Event {
            alice.event(content, kind: 7, tags: [["e", note.id.hex]] + more, at: seconds(at))
        }
        _ = await bench.store.save(
            [
                note, own("🔥", -50), own("🌱", -40), own("🔥", -30), own("+", -20),
                own(":gone:", -10, [["emoji", "gone", "https://e.example/g.png"]]),
                own(":wave:", -5, [["emoji", "wave", "https://e.example/w.png"]]),
                alice.event(kind: 10_030, tags: [["emoji", "wave", "https://e.example/w.png"]]),
            ], from: nil)
        let palette = try await reactions().palette()
        let wave = try #require(CustomEmoji(shortcode: "wave", url: "https://e.example/w.png"))
        #expect(palette.recent == [.customEmoji(wave), .emoji("🔥"), .emoji("🌱")])
        #expect(palette.own == [wave])
    }

    @Test("a pack that is here is shown with its maker, whether it is adopted or not")
    func packs() async throws {
        let birds = pack(by: bob)
        let mine = pack("mine", by: alice)
        let address = try #require(birds.address)
        let own = try #require(mine.address)
        _ = await bench.store.save(
            [birds, mine, alice.event(kind: 10_030, tags: [["a", address.description]])], from: nil)
        let packs = try await reactions().packs()
        #expect(packs.adopted.map(\.id) == [address] && packs.adopted.first?.isAdopted == true)
        #expect(packs.own.map(\.id) == [own] && packs.missing.isEmpty)
        let one = try await reactions().pack(AddressPointer(address: address))
        #expect(one?.author.key == bob.publicKey && one?.isAdopted == true)
        let wrong = EventAddress(kind: 30_000, author: bob.publicKey, identifier: "birds")
        let none = try await reactions().pack(AddressPointer(address: wrong))
        #expect(none == nil)
    }

    @Test("what is not a pack is not adopted")
    func refused() async throws {
        let people = EventAddress(kind: 30_000, author: bob.publicKey, identifier: "x")
        await #expect(throws: AccountError.self) {
            try await reactions().setAdopted(AddressPointer(address: people), true)
        }
    }
}
