internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import RelayServer
internal import Synchronization
internal import WebSocketNIO

/// One relay of the world as it runs: its store outlives its socket, so that it can be killed and revived.
final class RelayHost: Sendable {
    let relay: WorldRelay
    let store: MemoryEventStore
    let server: RelayServer

    init(
        _ relay: WorldRelay, members: Set<PublicKey>, time: Time<Timestamp>, log: Logger
    ) {
        self.relay = relay
        let store = MemoryEventStore(now: time.now)
        self.store = store
        // Some lists write the same place with its other name.
        let alias = relay.address.text.replacing("127.0.0.1", with: "localhost")
        // The alias of a valid address is valid.
        let addresses = [relay.address] + [try? RelayURL(alias)].compactMap { $0 }
        let isStray = relay.trait == .ignoringFilters
        server = RelayServer(
            store: isStray ? StrayStore(honest: store) : store,
            policies: relay.policies(members: members, time: time),
            information: relay.information, limits: relay.limits, addresses: addresses,
            challengesAtOnce: relay.trait == .authenticating || relay.trait == .inbox, clock: time.clock,
            now: time.now, log: log)
    }

    /// Serves one client in this relay's manner.
    func serve(_ connection: WebSocketConnection) async {
        let forger = relay.trait == .forging ? Forger() : nil
        await server.serve(
            frames: connection.incoming,
            send: { frame in try await connection.send(forger?.frame(frame) ?? frame) },
            close: { connection.beginClosing() }, peer: connection.request.peer)
    }
}

extension WorldRelay {
    /// What it says of itself (NIP-11).
    fileprivate var information: RelayInformation {
        var information = RelayInformation()
        information.name = name
        information.description = words
        information.supportedNIPs = RelayServer.supportedNIPs
        information.version = "world"
        switch trait {
        case .authenticating: information.limitation.authRequired = true
        case .inbox: information.limitation.restrictedWrites = true
        case .paid:
            information.limitation.paymentRequired = true
            information.limitation.restrictedWrites = true
        default: break
        }
        return information
    }

    fileprivate var limits: RelayLimits {
        var limits = RelayLimits()
        limits.sendDeadline = .seconds(10)
        switch trait {
        case .stingy:
            limits.subscriptions = 6
            limits.filters = 4
            limits.limit = 80
            limits.defaultLimit = 40
        case .pruning(let days): limits.past = .seconds(86_400 * days)
        default: break
        }
        return limits
    }

    fileprivate func policies(
        members: Set<PublicKey>, time: Time<Timestamp>
    ) -> RelayPolicies {
        switch trait {
        case .slow(let delay): delayed(by: delay, time)
        case .authenticating:
            RelayPolicies(publish: [requireAuthenticationToPublish()], ask: [requireAuthenticationToAsk()])
        case .inbox:
            RelayPolicies(
                publish: [
                    { event, _ in
                        event.kind == GiftWrap.kind ? .accept : .refuse(Reason(.blocked, "private messages only"))
                    }
                ], ask: RelayPolicies.privateMessagesForPartiesOnly.ask,
                see: RelayPolicies.privateMessagesForPartiesOnly.see)
        case .paid: RelayPolicies(publish: [onlyAuthors(members, because: "members only; 2100 sats a year")])
        case .pruning(let days):
            RelayPolicies(see: [
                { event, client in
                    Placement.isAboutPeople(event.kind) || event.createdAt > client.now - .seconds(86_400 * days)
                }
            ])
        case .rateLimiting:
            RelayPolicies(
                publish: [limitEvents(to: TokenRate(burst: 6, refill: .seconds(2)), elapsed: time.uptime)],
                ask: [limitQuestions(to: TokenRate(burst: 12, refill: .milliseconds(300)), elapsed: time.uptime)])
        case .indexer:
            RelayPolicies(publish: [
                { event, _ in
                    Placement.isAboutPeople(event.kind)
                        ? .accept : .refuse(Reason(.blocked, "profiles, follow lists and relay lists only"))
                }
            ])
        default: RelayPolicies()
        }
    }

    private func delayed(by delay: Duration, _ time: Time<Timestamp>) -> RelayPolicies {
        @Sendable func wait() async -> Verdict {
            // A cancelled wait means that the connection is over, and nobody hears the verdict.
            await time.pause(for: delay)
            return .accept
        }
        return RelayPolicies(publish: [{ _, _ in await wait() }], ask: [{ _, _ in await wait() }])
    }
}
