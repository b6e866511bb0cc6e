public import NostrCore
internal import Synchronization

/// A push registry that is gone with the program: for tests, and as the plainest reading of the contract.
public final class MemoryPushRegistry: PushRegistry {
    private struct Pairing {
        var relays: Set<RelayURL>
        let since: Timestamp
        let network: PushNetworkID?
    }

    private struct State {
        var devices: [PublicKey: [String: PushDevice]] = [:]
        var pairings: [PublicKey: [PublicKey: Pairing]] = [:]
        var claims: [PushClaim: [EventID: Timestamp]] = [:]
        var deliveries: [RelayURL: ClosedRange<Timestamp>] = [:]
        var revision: Int64 = 0
    }

    private let state = Mutex(State())

    /// An empty registry; it is gone with the process.
    public init() {}

    public func register(_ device: PushDevice, quota: PushQuota) async throws {
        state.withLock { state in
            var devices = state.devices[device.signer] ?? [:]
            devices[device.address.identity] = device
            let surplus = devices.values.filter { $0 != device }
                .sorted { ($1.lastSeen, $0.address.identity) < ($0.lastSeen, $1.address.identity) }
                .dropFirst(max(quota.devices - 1, 0))
            for old in surplus { devices[old.address.identity] = nil }
            state.devices[device.signer] = devices
            state.revision += 1
        }
    }

    public func unregister(_ identity: String, of signer: PublicKey) async throws -> Bool {
        state.withLock { state in
            guard state.devices[signer]?.removeValue(forKey: identity) != nil else { return false }
            state.revision += 1
            return true
        }
    }

    public func prune(_ identity: String, seenBefore moment: Timestamp?) async throws {
        state.withLock { state in
            for (signer, devices) in state.devices {
                guard let device = devices[identity], moment.map({ device.lastSeen < $0 }) ?? true else { continue }
                state.devices[signer]?[identity] = nil
            }
            state.revision += 1
        }
    }

    public func devices(of signers: Set<PublicKey>) async throws -> [PublicKey: [PushDevice]] {
        state.withLock { state in
            var found: [PublicKey: [PushDevice]] = [:]
            for signer in signers {
                guard let devices = state.devices[signer], !devices.isEmpty else { continue }
                found[signer] = Array(devices.values)
            }
            return found
        }
    }

    public func pair(_ pairing: PushPairing, quota: PushQuota, now: Timestamp) async throws -> PairingOutcome {
        state.withLock { state in
            var mine = state.pairings[pairing.signer] ?? [:]
            if mine[pairing.client] == nil, mine.count >= quota.clients {
                return .tooManyClients(limit: quota.clients, used: mine.count)
            }
            let since = mine[pairing.client]?.since ?? now
            mine[pairing.client] = Pairing(relays: pairing.relays, since: since, network: pairing.network)
            let relays = mine.values.reduce(into: Set<RelayURL>()) { $0.formUnion($1.relays) }
            let others = state.pairings.filter { $0.key != pairing.signer }.values
            let novel = relays.filter { relay in
                !others.contains { $0.values.contains { $0.relays.contains(relay) } }
            }
            if novel.count > quota.novelRelays { return .tooManyNovelRelays(limit: quota.novelRelays) }
            state.pairings[pairing.signer] = mine
            state.revision += 1
            return .paired
        }
    }

    public func unpair(_ client: PublicKey, of signer: PublicKey) async throws -> Bool {
        state.withLock { state in
            guard state.pairings[signer]?.removeValue(forKey: client) != nil else { return false }
            state.revision += 1
            return true
        }
    }

    public func clients(of signers: Set<PublicKey>) async throws -> [PublicKey: Set<PublicKey>] {
        state.withLock { state in
            var found: [PublicKey: Set<PublicKey>] = [:]
            for signer in signers {
                guard let pairings = state.pairings[signer], !pairings.isEmpty else { continue }
                found[signer] = Set(pairings.keys)
            }
            return found
        }
    }

    public func watchedRelays() async throws -> [RelayURL: WatchedRelay] {
        state.withLock { state in
            var watched: [RelayURL: WatchedRelay] = [:]
            for (signer, pairings) in state.pairings where state.devices[signer]?.isEmpty == false {
                for pairing in pairings.values {
                    for relay in pairing.relays {
                        watched[relay, default: WatchedRelay()].add(signer, from: pairing.network)
                    }
                }
            }
            for (relay, delivered) in state.deliveries { watched[relay]?.delivered = delivered }
            return watched
        }
    }

    public func noteDeliveries(over relays: Set<RelayURL>, at moment: Timestamp) async throws {
        state.withLock { state in
            for relay in relays {
                let known = state.deliveries[relay] ?? moment...moment
                state.deliveries[relay] = min(known.lowerBound, moment)...max(known.upperBound, moment)
            }
        }
    }

    public func revision() async throws -> Int64 {
        state.withLock { $0.revision }
    }

    public func claim(
        _ ids: [EventID], for claim: PushClaim, until expiry: Timestamp
    ) async throws -> Set<EventID> {
        state.withLock { state in
            var won: Set<EventID> = []
            for id in ids where state.claims[claim]?[id] == nil {
                state.claims[claim, default: [:]][id] = expiry
                won.insert(id)
            }
            return won
        }
    }

    public func dropClaims(expiredBy moment: Timestamp) async throws {
        state.withLock { state in
            for claim in state.claims.keys {
                state.claims[claim] = state.claims[claim]?.filter { $0.value > moment }
            }
        }
    }

    public func dropUnseen(since moment: Timestamp) async throws -> Int {
        state.withLock { state in
            let before = state.devices.values.reduce(0) { $0 + $1.count }
            state.devices = state.devices.mapValues { $0.filter { $0.value.lastSeen >= moment } }
                .filter { !$0.value.isEmpty }
            for (signer, pairings) in state.pairings where state.devices[signer] == nil {
                let kept = pairings.filter { $0.value.since >= moment }
                state.pairings[signer] = kept.isEmpty ? nil : kept
            }
            state.deliveries = state.deliveries.filter { $0.value.upperBound >= moment }
            state.revision += 1
            return before - state.devices.values.reduce(0) { $0 + $1.count }
        }
    }

    public func counts() async throws -> PushCounts {
        state.withLock { state in
            PushCounts(
                devices: state.devices.values.reduce(0) { $0 + $1.count },
                signers: state.devices.values.count { !$0.isEmpty },
                pairings: state.pairings.values.reduce(0) { $0 + $1.count })
        }
    }
}
