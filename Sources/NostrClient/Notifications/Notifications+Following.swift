internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// What reaches the account although it does not name it: votes in its polls, quotes and answers without a `p` tag,
/// reposts of its articles by their addresses alone; lists of follows that do; and what names it at relays where the home
/// timeline does not ask for that.
extension Notifications {
    private static let mostAnswers = 200
    private static let mostVotes = 500
    private static let mostMentions = 300
    /// So far back is asked for what names the account, at each start.
    private static let oldestMention: Duration = .seconds(30 * 86_400)
    /// At so many of the relays where the account reads, and as many of those where it writes.
    private static let mostRelays = 5
    /// Lists of follows are long.
    private static let mostLists = 100

    /// Keeps a standing question for them until cancelled; another one whenever the account wrote something.
    func followAnswers() async {
        gossip.ring(ownChanged)
        await withDiscardingTaskGroup { group in
            let requests = CurrentValue<[RelayURL: [Filter]]>([:])
            // By itself: with each own note the other changes, and relays give all of it again.
            let mentions = CurrentValue<[RelayURL: [Filter]]>([:])
            group.addTask {
                // Before that it is not known which relays are the account's own.
                await self.gossip.ownWasLookedFor()
                let since = self.context.time.now() - Self.oldestMention
                while !Task.isCancelled {
                    mentions.set(self.mentionRequests(since: since))
                    requests.set(await self.answerRequests())
                    await self.ownChanged.wait()
                    // What was just written is followed by more.
                    await self.context.time.pause(for: self.context.configuration.coalescing)
                }
                mentions.finish()
                requests.finish()
            }
            group.addTask { await self.subscribe(to: requests.values()) { await self.followers.heard() } }
            group.addTask { await self.subscribe(to: mentions.values()) {} }
        }
        gossip.ringNoMore(ownChanged)
    }

    /// - Parameter whenLive: called whenever a relay has given all it has.
    private func subscribe(
        to requests: AsyncStream<[RelayURL: [Filter]]>, whenLive: @escaping @Sendable () async -> Void
    ) async {
        await withDiscardingTaskGroup { group in
            var live: (any LiveSubscription)?
            for await wanted in requests where live != nil || !wanted.isEmpty {
                if let live {
                    await live.change(to: wanted)
                    continue
                }
                let subscription = await context.network.subscribe(wanted)
                live = subscription
                group.addTask {
                    for await update in subscription.updates {
                        switch update {
                        case .events(let events, let relay): await self.gossip.keep(events, from: relay)
                        case .live: await whenLive()
                        case .interrupted: break
                        }
                    }
                }
            }
            await live?.cancel()
            group.cancelAll()
        }
    }

    /// Looks on the account's own relays for notes of its own that pages tell of, until cancelled.
    func fetchTargets() async {
        while !Task.isCancelled {
            await lacking.wait()
            await context.time.pause(for: context.configuration.coalescing)
            let ids = takeMissing()
            guard !ids.isEmpty else { continue }
            let router = gossip.router
            let relays = Array(router.ownWrite.prefix(4)) + Array(router.ownRead.prefix(2))
            await gossip.ask(
                gossip.requests([Filter(ids: ids)], of: relays.uniqued()),
                deadline: context.configuration.deadlines.thread)
            context.changes.send(.notifications)
        }
    }

    private func answerRequests() async -> [RelayURL: [Filter]] {
        let own: OwnNotes
        do { own = try await ownNotes() } catch {
            context.report("the account's own notes could not be read from disk", error)
            return [:]
        }
        var filters: [Filter] = []
        if !own.ids.isEmpty {
            let ids = Set(own.ids.map(\.hex))
            filters.append(Filter(kinds: [1, 1111], tags: ["e": ids], limit: Self.mostAnswers))
            filters.append(Filter(kinds: [1, 1111], tags: ["q": ids], limit: Self.mostAnswers))
        }
        if !own.polls.isEmpty {
            filters.append(
                Filter(
                    kinds: [PollResponse.kind], tags: ["e": Set(own.polls.map(\.hex))], limit: Self.mostVotes))
        }
        if !own.lines.isEmpty {
            filters.append(
                Filter(
                    kinds: [LiveChatMessage.kind], tags: ["e": Set(own.lines.map(\.hex))], limit: Self.mostAnswers))
        }
        if !own.askedAddresses.isEmpty {
            filters.append(
                Filter(kinds: [Repost.genericKind], tags: ["a": own.askedAddresses], limit: Self.mostAnswers))
        }
        let answers = filters.isEmpty ? [:] : gossip.requests(filters, of: ownRelays)
        return await listRequests().merging(answers) { $0 + $1 }
    }

    private var ownRelays: [RelayURL] {
        let router = gossip.router
        return (Array(router.ownRead.prefix(Self.mostRelays)) + router.ownWrite.prefix(Self.mostRelays)).uniqued()
    }

    /// What names the account, at those of its relays where home does not ask for that: whoever answers may know only some
    /// of the relays where it reads, or only where it writes.
    private func mentionRequests(since: Timestamp) -> [RelayURL: [Filter]] {
        let home = gossip.router.homeReaders
        let filter = Filter(
            kinds: NoteKinds.naming, tags: ["p": [context.publicKey.hex]], since: since, limit: Self.mostMentions)
        return gossip.requests([filter], of: ownRelays.filter { !home.contains($0) })
    }

    /// Lists of follows that name the account: at the relays it reads, and at those that keep everybody's lists.
    private func listRequests() async -> [RelayURL: [Filter]] {
        let since: Timestamp
        do { since = try await followers.askSince() } catch {
            context.report("who follows the account could not be read from disk", error)
            return [:]
        }
        let lists = Filter(
            kinds: [FollowList.kind], tags: ["p": [context.publicKey.hex]], since: since, limit: Self.mostLists)
        let router = gossip.router
        let relays = Array(router.ownRead.prefix(3)) + Array(router.indexers.prefix(2))
        return gossip.requests([lists], of: relays.uniqued())
    }
}
