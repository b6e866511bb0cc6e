internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What the people of a running world remember of the private messages they answer.
struct Answers {
    /// The most messages that are remembered, so that none is answered twice.
    private static let memory = 512

    var dice: Dice
    private var answered: Set<EventID> = []

    init(dice: Dice) {
        self.dice = dice
    }

    /// Whether a message has not been answered yet; from now on it has.
    mutating func isFirst(_ message: EventID) -> Bool {
        if answered.count >= Self.memory { answered.removeAll() }
        return answered.insert(message).inserted
    }
}

// People who read their private messages and answer them.
extension WorldNetwork {
    /// Watches every inbox until the task is cancelled.
    func keepAnswering() async {
        await withDiscardingTaskGroup { group in
            for host in hosts where host.relay.trait == .inbox {
                let changes = await host.store.changes()
                group.addTask {
                    await withDiscardingTaskGroup { letters in
                        for await change in changes {
                            guard case .added(let event) = change, event.kind == GiftWrap.kind else { continue }
                            letters.addTask { await self.answer(event) }
                        }
                    }
                }
            }
        }
    }

    /// Lets whom a message is for answer it, when the demo person or somebody from outside the world wrote it.
    private func answer(_ wrap: Event) async {
        guard let world, let key = wrap.tags.named("p").first?.publicKey(at: 1),
            let reader = world.placement.number(of: key), reader != world.hero
        else { return }
        let person = world.people[reader]
        // What cannot be opened is junk to its reader too.
        guard
            let gift = try? UnwrappedGift(
                opening: wrap, with: person.keyholder.key, authors: ConversationKeyCache(capacity: 1)),
            let message = ChatMessage(gift.rumor), isFromOutside(message.author, world),
            answers.isFirst(message.id)
        else { return }
        do {
            try await time.sleep(for: plan.answerPause)
        } catch {
            return
        }
        let later = max(time.now(), message.createdAt + .seconds(1))
        if answers.dice.chance(0.3) {
            let reaction = ChatReaction.draft("❤️", to: message, by: person.publicKey, createdAt: later)
            await deliver(Rumor(reaction, author: person.publicKey), by: person, in: message.room, world)
        }
        let text = Language.english.grammar.expand("dm.reply", using: &answers.dice)
        let draft = ChatMessage.draft(
            text, to: message.room, by: person.publicKey, createdAt: later + .seconds(1))
        await deliver(Rumor(draft, author: person.publicKey), by: person, in: message.room, world)
    }

    private func isFromOutside(_ author: PublicKey, _ world: World) -> Bool {
        world.placement.number(of: author).map { $0 == world.hero } ?? true
    }

    private func deliver(_ rumor: Rumor, by author: WorldPerson, in room: ChatRoom, _ world: World) async {
        for member in room.participants {
            // Texts of the world are short, and the author of a message has a key.
            guard
                let wrap = try? GiftWrap.make(
                    rumor, by: author.keyholder.key, for: member, now: rumor.createdAt, using: &answers.dice)
            else { continue }
            for host in await inbox(of: member, world) { _ = await host.store.save([wrap], from: nil) }
        }
    }

    /// The relays where somebody's private messages go, also for people from outside who have said so here.
    private func inbox(of key: PublicKey, _ world: World) async -> [RelayHost] {
        if let number = world.placement.number(of: key) {
            return world.placement.inbox(of: number).map { hosts[$0] }
        }
        let question = Filter(authors: [key], kinds: [.directMessageRelays], limit: 1)
        var newest: Event?
        for host in hosts {
            for event in await host.store.query([question]) where event.createdAt > newest?.createdAt ?? .distantPast {
                newest = event
            }
        }
        let named = Set(newest?.tags.named("relay").compactMap { $0.relay(at: 1) } ?? [])
        return hosts.filter { named.contains($0.relay.address) }
    }
}

extension Timestamp {
    fileprivate static var distantPast: Timestamp { Timestamp(seconds: .min) }
}
