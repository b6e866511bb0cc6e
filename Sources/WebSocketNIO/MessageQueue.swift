import NIOCore
import NostrRelay
import Synchronization

/// Whole messages on their way from the event loop to one reader, bounded in bytes and in number.
///
/// The writer is told when to stop reading the socket, and `drained` is called when it may go on. Not a `BoundedQueue`:
/// the event loop cannot wait as its senders do, the end may be a failure, and a message that finds its reader waiting
/// is handed over at half the price, which every socket pays for every message.
final class MessageQueue: Sendable {
    private struct State {
        var messages = CircularBuffer<[UInt8]>()
        var bytes = 0
        var paused = false
        var ending: Result<Void, TransportFailure>?
        var reader: CheckedContinuation<[UInt8]?, any Error>?
    }

    private let state = Mutex(State())
    private let maxBytes: Int
    private let maxMessages: Int
    private let drained: @Sendable () -> Void

    init(maxBytes: Int, maxMessages: Int, drained: @escaping @Sendable () -> Void) {
        self.maxBytes = maxBytes
        self.maxMessages = maxMessages
        self.drained = drained
    }

    /// Adds a message; `false` means: read no more until `drained` is called.
    func append(_ message: [UInt8]) -> Bool {
        let (reader, open) = state.withLock { state -> (CheckedContinuation<[UInt8]?, any Error>?, Bool) in
            guard state.ending == nil else { return (nil, true) }
            if let reader = state.reader {
                state.reader = nil
                return (reader, true)
            }
            state.messages.append(message)
            state.bytes += message.count
            if state.bytes >= maxBytes || state.messages.count >= maxMessages { state.paused = true }
            return (nil, !state.paused)
        }
        reader?.resume(returning: message)
        return open
    }

    /// Ends the queue; what waits is still delivered, and only the first ending counts.
    func finish(_ ending: Result<Void, TransportFailure>) {
        let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            guard state.ending == nil else { return nil }
            state.ending = ending
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume(with: ending.map { nil }.mapError { $0 })
    }

    /// The next message; `nil` after a clean end or when the task is cancelled.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { answer($0) }
        } onCancel: {
            let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
                defer { state.reader = nil }
                return state.reader
            }
            reader?.resume(returning: nil)
        }
    }

    private func answer(_ reader: CheckedContinuation<[UInt8]?, any Error>) {
        var mayResume = false
        let answer = state.withLock { state -> Result<[UInt8]?, any Error>? in
            if let message = state.messages.popFirst() {
                state.bytes -= message.count
                if state.paused, state.bytes <= maxBytes / 4, state.messages.count <= maxMessages / 4 {
                    state.paused = false
                    mayResume = true
                }
                return .success(message)
            }
            if let ending = state.ending { return ending.map { nil }.mapError { $0 } }
            // A cancelled task, or a second reader against the contract, must not wait for ever.
            if Task.isCancelled || state.reader != nil { return .success(nil) }
            state.reader = reader
            return nil
        }
        if mayResume { drained() }
        if let answer { reader.resume(with: answer) }
    }
}
