import NIOCore
import NostrRelay
import Synchronization

/// One try to reach a host that ends once: by success, failure, deadline or cancellation, whichever is first.
///
/// The losing side's socket is closed, so a late connection leaks nothing.
final class ConnectAttempt<Outcome: Sendable>: Sendable {
    private struct State {
        var channel: (any Channel)?
        var over = false
    }

    private let state = Mutex(State())
    private let promise: EventLoopPromise<Outcome>
    private let timer: Scheduled<Void>

    init(on loop: any EventLoop, deadline: Duration) {
        let promise = loop.makePromise(of: Outcome.self)
        self.promise = promise
        let expired = loop.makePromise(of: Void.self)
        timer = loop.scheduleTask(in: TimeAmount(deadline)) { expired.succeed() }
        timer.futureResult.whenFailure { expired.fail($0) }
        expired.futureResult.whenSuccess { self.end(.failure(TransportFailure.timedOut)) }
    }

    /// Notes the socket; throws when the attempt is already over.
    func connected(_ channel: any Channel) throws {
        let over = state.withLock { state in
            state.channel = channel
            return state.over
        }
        guard over else { return }
        channel.close(promise: nil)
        throw TransportFailure.timedOut
    }

    /// Ends the attempt, and closes the socket on failure; only the first ending counts.
    func end(_ result: Result<Outcome, any Error>) {
        let (first, channel) = state.withLock { state -> (Bool, (any Channel)?) in
            defer { state.over = true }
            return (!state.over, state.channel)
        }
        guard first else {
            channel?.close(promise: nil)
            return
        }
        timer.cancel()
        if case .failure = result { channel?.close(promise: nil) }
        promise.completeWith(result)
    }

    /// The outcome.
    ///
    /// - Throws: ``NostrRelay/TransportFailure``.
    func outcome() async throws -> Outcome {
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                end(.failure(CancellationError()))
            }
        } catch {
            throw TransportFailure(error)
        }
    }
}
