internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import Synchronization

extension LiveSigner {
    /// Listens, answers and keeps house until it is cancelled; a service group owns it.
    public func run() async {
        while await !load() {
            // A disk that is full or locked now may be well in a minute.
            guard (try? await clock.sleep(for: .seconds(10))) != nil else { return }
        }
        let (strangers, stranger) = AsyncStream.makeStream(
            of: [VerifiedRequest].self, bufferingPolicy: .bufferingOldest(configuration.strangersWaiting))
        await withDiscardingTaskGroup { group in
            group.addTask { await self.resume() }
            group.addTask { await self.listen(stranger) }
            group.addTask { for await batch in strangers { await self.handleStrangers(batch) } }
            group.addTask { await self.work(strangers: stranger) }
            group.addTask { await self.keepHouse() }
            group.addTask { await self.retryUnfinished() }
        }
    }

    /// Reads what is kept, once.
    func load() async -> Bool {
        if state.withLock({ $0.isLoaded }) { return true }
        do {
            let settings = try await records.settings(of: account)
            let clients = try await records.clients(of: account)
            let secret = try await records.secret(of: account)
            var uses: [RequestingApp: HourUses] = [:]
            for client in clients { uses[client.app] = try await recentUses(of: client) }
            let waiting = try await records.waiting(of: account)
            let unfinished = try await records.unfinished(of: account).map(\.request)
            state.withLock { state in
                guard !state.isLoaded else { return }
                // Known before anything comes by a relay: a copy of what a crash left is no new request.
                state.leftUndone = unfinished.filter { state.progress.begin($0.event, cameBy: $0.relay) == nil }
                state.settings = settings
                state.sealedSecret = secret
                state.clients = Dictionary(clients.map { ($0.app, $0) }) { first, _ in first }
                state.uses = uses
                for kept in waiting { state.seat(kept) }
                state.isLoaded = true
            }
            return true
        } catch {
            logger.error("the signer's records could not be read", metadata: ["problem": "\(error)"])
            return false
        }
    }

    /// What an app used within the last hour, as far as its limits ask for it, by five minutes.
    private func recentUses(of client: SignerClient) async throws -> HourUses {
        var uses = HourUses()
        var permissions = client.grants.filter { $0.perHour != nil }.map(\.permission)
        if client.perHour != nil, permissions.isEmpty { permissions = [RemotePermission(.signEvent)] }
        let moment = now()
        for permission in permissions {
            var later = 0
            var slices: [(Timestamp, Int)] = []
            for slice in 1...12 {
                let since = moment - .seconds(300 * slice)
                let count = try await records.uses(of: client.id, permission: permission, since: since)
                slices.append((since, count - later))
                later = count
            }
            for (since, count) in slices.reversed() { uses.note(permission, at: since, count: count) }
        }
        return uses
    }

    // MARK: Listening

    private func listen(_ strangers: AsyncStream<[VerifiedRequest]>.Continuation) async {
        let since = now() - configuration.overlap
        let subscription = await network.subscribe(requests(since: since))
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in self.relayChanges {
                    await subscription.change(to: self.requests(since: since))
                    self.tell(.relays)
                }
            }
            var running = 0
            for await update in subscription.updates {
                for request in sorted(update, strangers) {
                    if running >= configuration.atOnce {
                        await group.next()
                        running -= 1
                    }
                    group.addTask { await self.handleAndPost(request) }
                    running += 1
                }
            }
            group.cancelAll()
        }
        strangers.finish()
        await subscription.cancel()
    }

    private func requests(since: Timestamp) -> [RelayURL: [Filter]] {
        let filter = Filter(kinds: [RemoteSigning.kind], tags: ["p": [account.hex]], since: since)
        let relays = state.withLock { $0.listeningRelays }
        return Dictionary(relays.map { ($0, [filter]) }) { first, _ in first }
    }

    /// The requests of paired apps; those of strangers go another way, where they hold up nobody.
    private func sorted(
        _ update: LiveUpdate, _ strangers: AsyncStream<[VerifiedRequest]>.Continuation
    ) -> [VerifiedRequest] {
        switch update {
        case .events(let events, let relay):
            let moment = now()
            let requests = events.compactMap {
                // What is no request for us is passed over; the relay answers for sending it.
                try? VerifiedRequest($0, relay: relay, moment: moment, for: account)
            }
            let clients = state.withLock { $0.clients }
            let unknown = requests.filter { clients[.remote($0.sender)] == nil }
            if !unknown.isEmpty { strangers.yield(unknown) }
            return unknown.isEmpty ? requests : requests.filter { clients[.remote($0.sender)] != nil }
        case .live(let relay):
            state.withLock { state in
                state.relays[relay, default: SignerState.RelayFigures()].isLive = true
                state.relays[relay]?.problem = nil
            }
            tell(.relays)
        case .interrupted(let relay, let ending):
            state.withLock { state in
                state.relays[relay, default: SignerState.RelayFigures()].isLive = false
                state.relays[relay]?.problem = ending.sentence
            }
            tell(.relays)
        }
        return []
    }

    /// One at a time and `connect` first, so that what an app sends right behind it finds the app paired.
    private func handleStrangers(_ batch: [VerifiedRequest]) async {
        var read: [(request: VerifiedRequest, connects: Bool)] = []
        for request in batch {
            // What cannot be decrypted now is found out again when it is handled.
            let text = batch.count > 1 ? try? await withKey { try await request.decrypted(by: $0).text } : nil
            read.append((request, text?.contains("\"connect\"") ?? false))
        }
        for (request, _) in read.filter(\.connects) + read.filter({ !$0.connects }) { await handleAndPost(request) }
    }

    // MARK: Working

    private func work(strangers: AsyncStream<[VerifiedRequest]>.Continuation) async {
        await withDiscardingTaskGroup { group in
            for await job in jobs {
                switch job {
                case .deliver(let answer): group.addTask { await self.deliver(answer) }
                case .handshake(let handshake): group.addTask { await self.goOn(with: handshake) }
                case .unlocked: group.addTask { await self.tryUnread(strangers) }
                case .reconsider: group.addTask { await self.reconsider() }
                }
            }
            group.cancelAll()
        }
    }

    /// Works on what was admitted while the disk or the key failed.
    private func retryUnfinished() async {
        while (try? await clock.sleep(for: configuration.retryUnfinished)) != nil {
            let isNeeded = state.withLock { state in
                defer { state.hasUnfinished = false }
                return state.hasUnfinished
            }
            if isNeeded { await finishUnfinished() }
        }
    }

    private func keepHouse() async {
        while !Task.isCancelled {
            let moment = now()
            do {
                try await records.forgetRequests(before: moment - configuration.remembers)
                try await records.trimActivity(
                    of: account, before: moment - configuration.logsFor, keeping: configuration.logsLines)
                await dismissUnanswered(before: moment - configuration.waitsFor)
                for app in state.withLock({ Array($0.clients.keys) }) { try await keep(app) }
            } catch {
                logger.warning("old requests could not be cleared away", metadata: ["problem": "\(error)"])
            }
            // Cancelled: the loop ends.
            try? await clock.sleep(for: configuration.housekeeping)
        }
    }
}

extension RelayEnding {
    /// One sentence for the person.
    fileprivate var sentence: String {
        switch self {
        case .complete: "It ended."
        case .deadline: "It did not answer in time."
        case .closed(let reason): "It refuses: \(reason.text)."
        case .failed(let failure): "It cannot be reached: \(failure)."
        case .notAsked(let why): "It was not asked: \(why)."
        }
    }
}
