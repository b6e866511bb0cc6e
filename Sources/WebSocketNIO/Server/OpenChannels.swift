import NIOCore
import NostrCore
import Synchronization

/// The sockets and handlers of one server: how many there are, and how they are asked to end.
final class OpenChannels: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var handlers = 0
        var draining: EventLoopPromise<Void>?
    }

    private let state = Mutex(State())
    private let connections: OpenConnections

    init(_ limits: ConnectionLimits, proxies: TrustedProxies) {
        connections = OpenConnections(limits, proxies: proxies)
    }

    /// Takes in a socket; `false` when there are too many or the server is ending.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        // Nobody logs in here, so there is no room for those who did.
        guard connections.admit(channel) == .welcome else { return false }
        let admitted = state.withLock { state in
            guard state.draining == nil else { return false }
            state.channels[id] = channel
            return true
        }
        guard admitted else { return false }
        channel.closeFuture.whenComplete { _ in _ = self.state.withLock { $0.channels.removeValue(forKey: id) } }
        return true
    }

    /// Runs a connection's handler, counted.
    func counted(_ body: () async -> Void) async {
        state.withLock { $0.handlers += 1 }
        await body()
        let drained = state.withLock { state -> EventLoopPromise<Void>? in
            state.handlers -= 1
            return state.handlers == 0 ? state.draining : nil
        }
        drained?.succeed()
    }

    /// Asks every socket to say goodbye; returns when all handlers have ended or the deadline has come.
    func drain(on loop: any EventLoop, deadline: Duration) async {
        let drained = loop.makePromise(of: Void.self)
        let (channels, empty) = state.withLock { state in
            state.draining = drained
            return (Array(state.channels.values), state.handlers == 0)
        }
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
        if empty { drained.succeed() }
        let timer = loop.scheduleTask(in: TimeAmount(deadline)) { drained.succeed() }
        // The promise is never failed.
        try? await drained.futureResult.get()
        timer.cancel()
        let left = state.withLock { Array($0.channels.values) }
        for channel in left { channel.close(promise: nil) }
    }

    /// How many sockets are open.
    var count: Int { state.withLock { $0.channels.count } }
}
