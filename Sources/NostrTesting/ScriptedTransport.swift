public import NostrCore
public import NostrRelay
import Synchronization

/// A network whose relays do what a test says, without sockets and without waiting.
public final class ScriptedTransport: RelayTransport {
    private struct Host {
        var failure: TransportFailure?
        var document: [UInt8]?
        var connections: [ScriptedConnection] = []
        var attempts = 0
        var questions = 0
        var holds = false
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<ScriptedConnection, Never>] = []
        var attemptWatchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let hosts = Mutex<[RelayURL: Host]>([:])

    /// Every relay answers, and none has a document.
    public init() {}

    /// From now on connections to this relay fail, or come up again with `nil`.
    public func fail(_ relay: RelayURL, with failure: TransportFailure?) {
        hosts.withLock { $0[relay, default: Host()].failure = failure }
    }

    /// The relay's information document (NIP-11).
    public func document(_ relay: RelayURL, _ json: String) {
        hosts.withLock { $0[relay, default: Host()].document = Array(json.utf8) }
    }

    /// From now on connecting to this relay takes until ``release(_:)``.
    public func hold(_ relay: RelayURL) {
        hosts.withLock { $0[relay, default: Host()].holds = true }
    }

    /// Lets held connections come up.
    public func release(_ relay: RelayURL) {
        let held = hosts.withLock { hosts in
            let held = hosts[relay]?.held ?? []
            hosts[relay]?.holds = false
            hosts[relay]?.held = []
            return held
        }
        for continuation in held { continuation.resume() }
    }

    /// The next connection opened to this relay, waiting for it if need be.
    public func connection(to relay: RelayURL) async -> ScriptedConnection {
        await withCheckedContinuation { continuation in
            let ready = hosts.withLock { hosts -> ScriptedConnection? in
                if let first = hosts[relay]?.connections.first {
                    hosts[relay]?.connections.removeFirst()
                    return first
                }
                hosts[relay, default: Host()].watchers.append(continuation)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    /// Waits until so many attempts to connect to this relay were made in all.
    public func waitForAttempts(_ count: Int, at relay: RelayURL) async {
        await withCheckedContinuation { continuation in
            let isReady = hosts.withLock { hosts in
                if hosts[relay, default: Host()].attempts >= count { return true }
                hosts[relay, default: Host()].attemptWatchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// How many attempts to connect to this relay were made.
    public func attempts(at relay: RelayURL) -> Int {
        hosts.withLock { $0[relay]?.attempts ?? 0 }
    }

    /// Every relay that was contacted in any way: a connection tried, or its document asked for.
    public var contacted: Set<RelayURL> {
        hosts.withLock { hosts in Set(hosts.filter { $0.value.attempts + $0.value.questions > 0 }.keys) }
    }

    public func connect(to relay: RelayURL, deadline: Duration) async throws -> any RelayConnection {
        let (watchers, holds) = hosts.withLock { hosts in
            hosts[relay, default: Host()].attempts += 1
            let count = hosts[relay]?.attempts ?? 0
            let ready = hosts[relay]?.attemptWatchers.filter { $0.count <= count } ?? []
            hosts[relay]?.attemptWatchers.removeAll { $0.count <= count }
            return (ready.map(\.continuation), hosts[relay]?.holds ?? false)
        }
        for watcher in watchers { watcher.resume() }
        if holds {
            await withCheckedContinuation { continuation in
                let goesOn = hosts.withLock { hosts in
                    if hosts[relay]?.holds == false { return true }
                    hosts[relay]?.held.append(continuation)
                    return false
                }
                if goesOn { continuation.resume() }
            }
        }
        return try open(relay)
    }

    private func open(_ relay: RelayURL) throws -> ScriptedConnection {
        let connection = ScriptedConnection(relay: relay)
        let watcher = try hosts.withLock { hosts -> CheckedContinuation<ScriptedConnection, Never>? in
            if let failure = hosts[relay]?.failure { throw failure }
            if let watcher = hosts[relay]?.watchers.first {
                hosts[relay]?.watchers.removeFirst()
                return watcher
            }
            hosts[relay, default: Host()].connections.append(connection)
            return nil
        }
        watcher?.resume(returning: connection)
        return connection
    }

    public func information(of relay: RelayURL, deadline: Duration, maxBytes: Int) async throws -> [UInt8] {
        let asked = hosts.withLock { hosts in
            hosts[relay, default: Host()].questions += 1
            return hosts[relay]?.document
        }
        guard let document = asked else {
            throw TransportFailure.handshake(status: 404)
        }
        guard document.count <= maxBytes else { throw TransportFailure.frameTooLong(limit: maxBytes) }
        return document
    }
}

/// One connection of a ``ScriptedTransport``; the test plays the relay.
public final class ScriptedConnection: RelayConnection {
    private struct State {
        var sent: [ClientMessage] = []
        var watchers: [CheckedContinuation<ClientMessage?, Never>] = []
        var isClosed = false
        var answersPings = true
        var pings = 0
        var pingWatchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    /// The relay it leads to.
    public let relay: RelayURL
    public let incoming: AsyncThrowingStream<[UInt8], any Error>
    private let frames: AsyncThrowingStream<[UInt8], any Error>.Continuation
    private let state = Mutex(State())

    init(relay: RelayURL) {
        self.relay = relay
        (incoming, frames) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    }

    // MARK: The relay's side

    /// The next message the client sends; `nil` once the connection is closed.
    public func sent() async -> ClientMessage? {
        await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> ClientMessage?? in
                if let first = state.sent.first {
                    state.sent.removeFirst()
                    return .some(first)
                }
                if state.isClosed { return .some(nil) }
                state.watchers.append(continuation)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    /// The next message, which must be a REQ.
    public func request() async -> (SubscriptionID, [Filter])? {
        guard case .req(let id, let filters) = await sent() else { return nil }
        return (id, filters)
    }

    /// Sends a message to the client.
    public func deliver(_ message: RelayMessage) {
        frames.yield(message.json)
    }

    /// Sends any bytes to the client.
    public func deliver(raw frame: [UInt8]) {
        frames.yield(frame)
    }

    /// Breaks the connection, or ends it cleanly with `nil`.
    public func end(_ failure: TransportFailure? = nil) {
        if let failure { frames.finish(throwing: failure) } else { frames.finish() }
        shut()
    }

    /// Whether pings are answered from now on.
    public func answersPings(_ answers: Bool) {
        state.withLock { $0.answersPings = answers }
    }

    /// How many pings came.
    public var pings: Int { state.withLock { $0.pings } }

    /// Waits until so many pings have come, or the connection is closed.
    public func waitForPings(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if state.pings >= count || state.isClosed { return true }
                state.pingWatchers.append((count, continuation))
                return false
            }
            if isReady { continuation.resume() }
        }
    }

    /// Whether either side has closed it.
    public var isClosed: Bool { state.withLock { $0.isClosed } }

    // MARK: The client's side

    public func send(_ text: [UInt8]) async throws {
        let message = try ClientMessage(json: text)
        let watcher = try state.withLock { state -> CheckedContinuation<ClientMessage?, Never>? in
            if state.isClosed { throw TransportFailure.closed(code: nil) }
            if let watcher = state.watchers.first {
                state.watchers.removeFirst()
                return watcher
            }
            state.sent.append(message)
            return nil
        }
        watcher?.resume(returning: message)
    }

    public func ping(deadline: Duration) async throws {
        let (answers, watchers) = state.withLock { state in
            state.pings += 1
            let (count, all) = (state.pings, state.pingWatchers)
            state.pingWatchers = all.filter { $0.count > count }
            return (state.answersPings && !state.isClosed, all.filter { $0.count <= count })
        }
        for watcher in watchers { watcher.continuation.resume() }
        if !answers { throw TransportFailure.timedOut }
    }

    public func close() async {
        frames.finish()
        shut()
    }

    private func shut() {
        let (watchers, pingWatchers) = state.withLock { state in
            state.isClosed = true
            defer { (state.watchers, state.pingWatchers) = ([], []) }
            return (state.watchers, state.pingWatchers)
        }
        for watcher in watchers { watcher.resume(returning: nil) }
        for watcher in pingWatchers { watcher.continuation.resume() }
    }
}
