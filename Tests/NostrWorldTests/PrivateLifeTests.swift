import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import Testing

@testable import NostrWorld

@Suite("What people of the world do in private", .timeLimit(.minutes(10)))
struct PrivateLifeTests {
    /// Every gift the demo person can open, with the wrap it came in.
    private func gifts(of world: World) throws -> [UnwrappedGift] {
        let keys = ConversationKeyCache()
        let hero = world.heroPerson
        return try world.events.filter { $0.kind == GiftWrap.kind && $0.isFor(hero.publicKey) }
            .map { try UnwrappedGift(opening: $0, with: hero.keyholder.key, authors: keys) }
    }

    private func hidden(_ kind: Kind, of world: World) throws -> [NostrCore.Tag] {
        let hero = world.heroPerson
        let list = try #require(world.events.last { $0.kind == kind && $0.pubkey == hero.publicKey })
        let key = try ConversationKey(between: hero.keyholder.key, and: hero.publicKey)
        return try #require(PrivateItems(json: key.decrypt(list.content))).tags
    }

    @Test("most people say where their private messages go, the demo person too")
    func inboxes() throws {
        let world = try WorldTests.town.get()
        let lists = world.events.filter { $0.kind == .directMessageRelays }
        let share = Double(Set(lists.map(\.pubkey)).count) / Double(world.people.count)
        #expect((0.7...0.9).contains(share))
        let inboxes = Set(world.relays.filter { $0.trait == .inbox }.map(\.address))
        #expect(inboxes.count == 3)
        for list in lists {
            #expect(Set(list.tags.named("relay").compactMap { $0.relay(at: 1) }).isSubset(of: inboxes))
        }
        #expect(lists.first { $0.pubkey == world.heroPerson.publicKey }?.tags.count == 2)
    }

    @Test("private messages wait where they should, a few hundred of them")
    func places() throws {
        let world = try WorldTests.town.get()
        var count = 0
        for (event, holders) in zip(world.events, world.holders) where event.kind == GiftWrap.kind {
            count += 1
            let key = try #require(event.tags.first { $0.name == "p" }?.publicKey(at: 1))
            let person = try #require(world.placement.number(of: key))
            #expect(Set(holders) == Set(world.placement.inbox(of: person)) && !holders.isEmpty)
            #expect(!holders.contains { world.relays[$0].trait != .inbox })
            #expect(event.createdAt <= world.now)
        }
        #expect((100...400).contains(count), "\(count)")
    }

    @Test("friends sent sealed files: a picture that opens, one that is another, and one that claims to be a page")
    func sealedFiles() throws {
        let world = try WorldTests.town.get()
        let files = WorldSealedBlobs(world)
        let messages = try gifts(of: world).compactMap { ChatMessage($0.rumor) }
        var outcomes: [String: Bool] = [:]
        for message in messages {
            guard case .file(let file) = message.body else { continue }
            let encrypted = try #require(files.file(at: file.url))
            outcomes[file.type + (file.dimensions ?? "")] =
                (outcomes[file.type + (file.dimensions ?? "")] ?? true) && (try? file.decrypt(encrypted)) != nil
        }
        // Of two pictures one does not open.
        #expect(outcomes == ["image/png360x240": false, "text/html": true])
        #expect(try SealedPicture.all[0].file.decrypt(SealedPicture.all[0].encrypted).starts(with: [0x89, 0x50]))
        #expect(files.file(at: world.pictures + "/sealed/9.bin") == nil && files.file(at: "https://x.example") == nil)
    }

    @Test("the demo person has conversations with friends, a group of five, requests, spam, a reply and reactions")
    func letters() throws {
        let world = try WorldTests.town.get()
        let gifts = try gifts(of: world)
        let messages = gifts.compactMap { ChatMessage($0.rumor) }
        let hero = world.heroPerson.publicKey
        let follows = Set(world.heroFollows)
        let rooms = Set(messages.map(\.room))
        #expect(
            rooms.count { $0.participants.count == 2 && follows.contains($0.others(than: hero).first ?? hero) } == 4)
        let group = try #require(rooms.first { $0.participants.count == 5 })
        #expect(messages.first { $0.room == group && $0.subject != nil }?.subject == "Saturday at the marsh")
        let strangers = Set(messages.map(\.author)).subtracting(follows).subtracting([hero])
        #expect(strangers.count == 3)
        #expect(messages.contains { $0.replyTo != nil })
        #expect(gifts.contains { ChatReaction($0.rumor) != nil })
        // Custom emoji in a message and in reactions, one without its picture.
        #expect(messages.contains { $0.room == group && $0.emoji.map(\.shortcode) == ["linnet"] })
        let named = gifts.compactMap { ChatReaction($0.rumor) }.filter { $0.rumor.content.hasPrefix(":") }
        let drawn = named.compactMap { if case .customEmoji(let emoji) = $0.meaning { emoji } else { nil } }
        #expect(!drawn.isEmpty && Set(drawn.map(\.url)) == ["\(world.pictures)/emoji/wave.svg"])
        #expect(named.count > drawn.count)
        #expect(messages.contains { $0.author == hero })
        #expect(!messages.contains { $0.rumor.content.contains("{") })
        let muted = try hidden(.muteList, of: world)
        #expect(muted.contains(["word", "airdrop"]))
        let spammer = try #require(muted.first { $0.name == "p" }?.publicKey(at: 1))
        #expect(strangers.contains(spammer))
        #expect(messages.filter { $0.author == spammer }.allSatisfy { $0.rumor.content.contains("airdrop") })
    }

    @Test("the demo person has lists with a private part, and drafts")
    func lists() throws {
        let world = try WorldTests.town.get()
        #expect(try hidden(.bookmarks, of: world).allSatisfy { $0.name == "e" })
        #expect(try hidden(.followSets, of: world).allSatisfy { $0.name == "p" })
        let hero = world.heroPerson
        let key = try ConversationKey(between: hero.keyholder.key, and: hero.publicKey)
        let drafts = world.events.filter { $0.pubkey == hero.publicKey }.compactMap(DraftWrap.init)
        #expect(Set(drafts.map(\.identifier)).count == 2)
        for draft in drafts {
            let inner = try #require(UnsignedDraft(json: key.decrypt(draft.payload)))
            #expect(inner.draft.kind == 1 && inner.author == hero.publicKey && !inner.draft.content.isEmpty)
        }
    }

    @Test("relays that are behind hold three versions of the demo person's profile and follow list", arguments: [0, 3])
    func versions(kind: UInt16) throws {
        let world = try WorldTests.town.get()
        let hero = world.heroPerson.publicKey
        var newest: [Int: Event] = [:]
        for (event, holders) in zip(world.events, world.holders) where event.kind == Kind(kind) && event.pubkey == hero
        {
            for holder in holders { newest[holder] = event }
        }
        let versions = Set(newest.values.map(\.id))
        #expect(versions.count == 3)
        let current = try #require(world.events.last { $0.kind == Kind(kind) && $0.pubkey == hero })
        #expect(newest.values.count { $0 == current } >= 3)
        let late = try #require(world.relays.last { $0.trait == .indexer })
        #expect(newest[late.number]?.id != current.id)
    }

    @Test("an inbox shows private messages only to those they are for, once they have proved who they are")
    func authentication() async throws {
        let filter = Filter(kinds: [GiftWrap.kind])
        try await withWorld(size: .hamlet) { running in
            let inbox = try running.relay(.inbox)
            #expect(await !running.network.events(on: inbox, matching: filter).isEmpty)
            #expect(await running.read(filter, at: inbox).events.isEmpty)
        }
        try await withWorld(size: .hamlet, authenticator: WillingHero(sign: try heroSigner())) { running in
            let inbox = try running.relay(.inbox)
            let read = await running.read(filter, at: inbox).events
            #expect(!read.isEmpty)
            #expect(read.allSatisfy { $0.isFor(running.addresses.hero) })
        }
    }

    @Test("whoever the demo person writes to answers, to everybody in the room")
    func answers() async throws {
        try await withWorld(size: .hamlet) { running in
            let world = running.world
            let hero = world.heroPerson
            let friend = try #require(
                world.people.first { $0.number != world.hero && !world.choices[$0.number].inbox.isEmpty })
            let inbox = world.relays[try #require(world.choices[friend.number].inbox.first)].address
            let own = world.relays[try #require(world.choices[world.hero].inbox.first)].address
            let changes = await running.network.changes(on: own)
            let draft = ChatMessage.draft(
                "Are you there?", to: ChatRoom([hero.publicKey, friend.publicKey]), by: hero.publicKey,
                createdAt: testNow)
            var dice = Dice(seed: 5)
            let wrap = try GiftWrap.make(
                Rumor(draft, author: hero.publicKey), by: hero.keyholder.key, for: friend.publicKey, now: testNow,
                using: &dice)
            _ = await running.pool.publish(wrap, to: inbox, deadline: .seconds(10))
            let keys = ConversationKeyCache()
            var answer: ChatMessage?
            for await _ in changes {
                answer = await running.network.events(on: own, matching: Filter(kinds: [GiftWrap.kind]))
                    .filter { $0.isFor(hero.publicKey) }
                    // Wraps of the history were opened in another test; junk is none here.
                    .compactMap { try? UnwrappedGift(opening: $0, with: hero.keyholder.key, authors: keys) }
                    .compactMap { ChatMessage($0.rumor) }
                    .first { $0.author == friend.publicKey && $0.createdAt > testNow }
                if answer != nil { break }
            }
            #expect(answer?.room == ChatRoom([hero.publicKey, friend.publicKey]))
        }
    }

    @Test("private life is the same for the same seed")
    func determinism() throws {
        let (one, again) = (try hamlet(), try hamlet())
        #expect(one.events.filter { $0.kind == GiftWrap.kind } == again.events.filter { $0.kind == GiftWrap.kind })
    }
}

extension Event {
    fileprivate func isFor(_ key: PublicKey) -> Bool {
        tags.contains { $0.name == "p" && $0.value == key.hex }
    }
}
