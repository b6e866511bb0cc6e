import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import Synchronization

/// Relays that pass events on and keep none; each can be taken down.
final class Ether: SignerNetwork {
    private struct Listener {
        var requests: [RelayURL: [Filter]]
        let continuation: AsyncStream<LiveUpdate>.Continuation
    }

    private struct State {
        var dead: Set<RelayURL> = []
        var lost: Set<PublicKey> = []
        var listeners: [Int: Listener] = [:]
        var next = 0
        var passed: [(relay: RelayURL, event: Event)] = []
    }

    private let state = Mutex(State())
    /// Counts the events that were offered.
    private let offered = CurrentValue(0)

    /// Waits until something holds; looks again whenever an event is offered.
    func wait(until holds: () async throws -> Bool) async rethrows {
        for await _ in offered.values() {
            if try await holds() { return }
        }
    }

    /// What was offered to relays that were up.
    var passed: [(relay: RelayURL, event: Event)] { state.withLock { $0.passed } }

    /// Who listens where.
    var listened: Set<RelayURL> { state.withLock { Set($0.listeners.values.flatMap(\.requests.keys)) } }

    /// Events by these are taken by relays, and nobody gets them.
    func lose(by authors: Set<PublicKey>) { state.withLock { $0.lost = authors } }

    func kill(_ relay: RelayURL) {
        let listeners = state.withLock { state in
            state.dead.insert(relay)
            return state.listeners.values.filter { $0.requests[relay] != nil }
        }
        for listener in listeners { listener.continuation.yield(.interrupted(relay, .failed(.refused))) }
    }

    func revive(_ relay: RelayURL) {
        let listeners = state.withLock { state in
            state.dead.remove(relay)
            return state.listeners.values.filter { $0.requests[relay] != nil }
        }
        for listener in listeners { listener.continuation.yield(.live(relay)) }
    }

    func subscribe(_ requests: [RelayURL: [Filter]]) async -> any LiveSubscription {
        let (stream, continuation) = AsyncStream.makeStream(of: LiveUpdate.self)
        let key = state.withLock { state in
            state.next += 1
            state.listeners[state.next] = Listener(requests: requests, continuation: continuation)
            return state.next
        }
        greet(requests.keys, continuation)
        return EtherSubscription(updates: stream, key: key, ether: self)
    }

    func publish(_ event: Event, to relay: RelayURL, deadline: Duration) async -> PublishOutcome {
        let listeners = state.withLock { state -> [Listener]? in
            if state.dead.contains(relay) { return nil }
            state.passed.append((relay, event))
            if state.lost.contains(event.pubkey) { return [] }
            return state.listeners.values.filter { ($0.requests[relay] ?? []).contains { $0.matches(event) } }
        }
        offered.set(offered.value + 1)
        guard let listeners else { return .failed(.refused) }
        for listener in listeners { listener.continuation.yield(.events([event], from: relay)) }
        return .accepted(Reason(wire: ""))
    }

    func statistics() async -> [RelayURL: RelayStatistics] { [:] }

    fileprivate func change(_ key: Int, to requests: [RelayURL: [Filter]]) {
        let listener = state.withLock { state in
            state.listeners[key]?.requests = requests
            return state.listeners[key]
        }
        if let listener { greet(requests.keys, listener.continuation) }
    }

    fileprivate func cancel(_ key: Int) {
        state.withLock { $0.listeners.removeValue(forKey: key) }?.continuation.finish()
    }

    private func greet(_ relays: some Sequence<RelayURL>, _ continuation: AsyncStream<LiveUpdate>.Continuation) {
        let dead = state.withLock { $0.dead }
        for relay in relays {
            continuation.yield(dead.contains(relay) ? .interrupted(relay, .failed(.refused)) : .live(relay))
        }
    }
}

private struct EtherSubscription: LiveSubscription {
    let updates: AsyncStream<LiveUpdate>
    let key: Int
    let ether: Ether

    func change(to requests: [RelayURL: [Filter]]) async { ether.change(key, to: requests) }
    func cancel() async { ether.cancel(key) }
}
