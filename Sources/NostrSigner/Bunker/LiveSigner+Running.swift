internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

extension LiveSigner {
    /// Listens, answers and keeps house until it is cancelled; a service group owns it.
    public func run() async {
        while await !load() {
            // A disk that is full or locked now may be well in a minute.
            guard (try? await environment.time.clock.sleep(for: .seconds(10))) != nil else { return }
        }
        let (strangers, stranger) = AsyncStream.makeStream(
            of: [VerifiedRequest].self,
            bufferingPolicy: .bufferingOldest(environment.configuration.limits.strangers))
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
        if isLoaded { return true }
        do {
            let settings = try await records.settings(of: account)
            let clients = try await records.clients(of: account)
            let secret = try await records.secret(of: account)
            var uses: [RequestingApp: HourUses] = [:]
            for client in clients {
                uses[client.app] = try await records.recentUses(of: client, now: environment.time.now())
            }
            let waiting = try await records.waiting(of: account)
            let left = try await records.unfinished(of: account).map(\.request)
            guard !isLoaded else { return true }
            // Known before anything comes by a relay: a copy of what a crash left is no new request.
            unfinished = left.filter { state.progress.begin($0.event, cameBy: $0.relay) == nil }
            state.settings = settings
            state.sealedSecret = secret
            state.clients = Dictionary(clients.map { ($0.app, $0) }) { first, _ in first }
            state.uses = uses
            for kept in waiting { state.restore(kept) }
            isLoaded = true
            return true
        } catch {
            logger.error("the signer's records could not be read", metadata: ["problem": "\(error)"])
            return false
        }
    }

    // MARK: Listening

    private func listen(_ strangers: AsyncStream<[VerifiedRequest]>.Continuation) async {
        let since = environment.time.now() - environment.configuration.retention.overlap
        let subscription = await environment.network.subscribe(requests(since: since))
        let places = AsyncSemaphore(permits: environment.configuration.limits.requests)
        await withDiscardingTaskGroup { group in
            do {
                async let _: Void = followRelayChanges(of: subscription, since: since)
                for await update in subscription.updates {
                    for request in sorted(update, strangers) {
                        // Cancelled: there are no more updates either.
                        guard (try? await places.acquire()) != nil else { break }
                        group.addTask { await self.answer(request, leaving: places) }
                    }
                }
            }
            strangers.finish()
            await subscription.cancel()
            // Where the network ended, and not this task, what is worked on is still done and answered.
        }
    }

    private func followRelayChanges(of subscription: any LiveSubscription, since: Timestamp) async {
        for await _ in relayChanges.stream {
            await subscription.change(to: requests(since: since))
            announce(.relays)
        }
    }

    private func requests(since: Timestamp) -> [RelayURL: [Filter]] {
        let filter = Filter(kinds: [RemoteSigning.kind], tags: ["p": [account.hex]], since: since)
        return Dictionary(state.listeningRelays.map { ($0, [filter]) }) { first, _ in first }
    }

    private func receive(_ request: VerifiedRequest) async {
        await driveAndPost(.receive(request, &state))
    }

    /// Works on a request, and sends its answer once another may be worked on: relays may take long.
    private func answer(_ request: VerifiedRequest, leaving places: AsyncSemaphore) async {
        let end = await drive(.receive(request, &state))
        places.release()
        if case .answer(let answer) = end { await deliver(answer) }
    }

    /// The requests of paired apps; those of strangers go another way, where they hold up no paired app.
    private func sorted(
        _ update: LiveUpdate, _ strangers: AsyncStream<[VerifiedRequest]>.Continuation
    ) -> [VerifiedRequest] {
        switch update {
        case .events(let events, let relay):
            let moment = environment.time.now()
            let requests = events.compactMap {
                // What is no request for us is passed over; the relay answers for sending it.
                try? VerifiedRequest($0, relay: relay, moment: moment, for: account)
            }
            let unknown = requests.filter { state.clients[.remote($0.sender)] == nil }
            if unknown.isEmpty { return requests }
            strangers.yield(unknown)
            return requests.filter { state.clients[.remote($0.sender)] != nil }
        case .live(let relay):
            listening[relay, default: ListeningFigures()].isLive = true
            listening[relay]?.problem = nil
            announce(.relays)
        case .interrupted(let relay, let ending):
            listening[relay, default: ListeningFigures()].isLive = false
            listening[relay]?.problem = ending
            announce(.relays)
        }
        return []
    }

    /// Works on strangers' requests in turn and on `connect` first, so that what an app sends right behind it finds the
    /// app paired.
    private func handleStrangers(_ batch: [VerifiedRequest]) async {
        var connecting: [VerifiedRequest] = [], others: [VerifiedRequest] = []
        for request in batch {
            // What cannot be decrypted now is found out again when it is handled.
            if batch.count > 1, case .success(let opened) = await environment.open(request),
                case .success(let read) = opened.content, case .connect = read.action
            {
                connecting.append(request)
            } else {
                others.append(request)
            }
        }
        for request in connecting + others { await receive(request) }
    }

    // MARK: Working

    private func work(strangers: AsyncStream<[VerifiedRequest]>.Continuation) async {
        await withDiscardingTaskGroup { group in
            for await job in jobs.stream {
                switch job {
                case .deliver(let answer): group.addTask { await self.deliver(answer) }
                case .handshake(let handshake): group.addTask { await self.goOn(with: handshake) }
                case .unlocked: group.addTask { await self.tryUnread(strangers) }
                case .reconsider: group.addTask { await self.reconsider() }
                case .keep(let app): group.addTask { await self.keepWhatIsKnown(of: app) }
                }
            }
            group.cancelAll()
        }
    }

    /// Keeps what was learnt about an app; what fails now is kept when house is kept.
    private func keepWhatIsKnown(of app: RequestingApp) async {
        do {
            try await keep(app)
            announce(.clients)
        } catch {
            logger.warning("an app could not be kept", metadata: ["problem": "\(error)"])
        }
    }

    /// Works on what was admitted while the disk or the key failed.
    private func retryUnfinished() async {
        while (try? await environment.time.clock.sleep(for: environment.configuration.pauses.unfinished)) != nil {
            guard state.hasUnfinished else { continue }
            state.hasUnfinished = false
            await finishUnfinished()
        }
    }

    private func keepHouse() async {
        let retention = environment.configuration.retention
        while !Task.isCancelled {
            let moment = environment.time.now()
            do {
                try await records.forgetRequests(before: moment - retention.answered)
                try await records.trimActivity(
                    of: account, before: moment - retention.log, keeping: retention.logLines)
                await dismissUnanswered(before: moment - retention.waiting)
                for app in state.clients.keys { try await keep(app) }
            } catch {
                logger.warning("old requests could not be cleared away", metadata: ["problem": "\(error)"])
            }
            // Cancelled: the loop ends.
            try? await environment.time.clock.sleep(for: environment.configuration.pauses.housekeeping)
        }
    }
}

extension SignerRecords {
    /// What an app used within the last hour, as far as its limits ask for it, by five minutes.
    fileprivate func recentUses(of client: SignerClient, now: Timestamp) async throws -> HourUses {
        var recent = HourUses()
        var permissions = client.grants.filter { $0.perHour != nil }.map(\.permission)
        if client.perHour != nil, permissions.isEmpty { permissions = [RemotePermission(.signEvent)] }
        for permission in permissions {
            var later = 0
            var slices: [(Timestamp, Int)] = []
            for slice in 1...12 {
                let since = now - .seconds(300 * slice)
                let count = try await uses(of: client.id, permission: permission, since: since)
                slices.append((since, count - later))
                later = count
            }
            for (since, count) in slices.reversed() { recent.note(permission, at: since, count: count) }
        }
        return recent
    }
}
