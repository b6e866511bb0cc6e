import AsyncPrimitives
import Foundation
import Logging
import NIOCore
import NIOPosix
import NostrSigner
import Synchronization

/// The running program's ear for commands of the same person: a socket in the data directory that only they can open.
///
/// Only the holder of the directory's lock listens, so a file that is there is left over. Bounded: few connections, short
/// orders, and a deadline for each.
struct ControlServer: Sendable {
    typealias Connection = NIOAsyncChannel<ByteBuffer, ByteBuffer>
    /// Does one order, answering with any number of items.
    typealias Work = @Sendable (ControlOrder, _ answer: @escaping Answer) async throws -> Void
    typealias Answer = @Sendable (String) async throws -> Void

    private let listener: NIOAsyncChannel<Connection, Never>
    private let path: String
    private let patience: Patience
    private let log: Logger

    /// How long a connection may take.
    struct Patience: Sendable {
        /// For its order to come.
        var order = Duration.seconds(5)
        /// For all of it.
        var whole = Duration.seconds(120)
        /// How many connections are served at once.
        var connections = 16
    }

    /// Listens.
    ///
    /// - Throws: ``CommandFailure`` in one plain sentence.
    static func bind(
        _ directory: DataDirectory, patience: Patience = Patience(), log: Logger
    ) async throws -> ControlServer {
        let path = directory.control
        guard path.utf8.count < 104 else {
            throw CommandFailure(
                "The path \(path) is too long for a socket: commands do not reach this program. Use a shorter --data.")
        }
        do {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true) { channel in
                    channel.eventLoop.makeCompletedFuture { try Connection(wrappingChannelSynchronously: channel) }
                }
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
            return ControlServer(listener: listener, path: path, patience: patience, log: log)
        } catch {
            throw CommandFailure("Commands cannot reach this program: the socket \(path) cannot be made.")
        }
    }

    private init(listener: NIOAsyncChannel<Connection, Never>, path: String, patience: Patience, log: Logger) {
        self.listener = listener
        self.path = path
        self.patience = patience
        self.log = log
    }

    /// Serves commands until cancelled; what was acknowledged by then has been done.
    ///
    /// - Parameter answered: told of each order that was begun, once its answer is out: what failed, or was no longer
    ///   waited for, may have been done all the same.
    func run(
        _ work: @escaping Work, answered: @escaping @Sendable (ControlOrder) async -> Void = { _ in }
    ) async throws {
        // The file is of no use once nobody listens; the next start would clear it away too.
        defer { unsafe unlink(path) }
        try await withThrowingDiscardingTaskGroup { group in
            let slots = AsyncSemaphore(permits: patience.connections)
            try await listener.executeThenClose { connections in
                for try await connection in connections {
                    guard slots.tryAcquire() else {
                        // Closed at once; one that is gone already needs no closing.
                        group.addTask { _ = try? await connection.executeThenClose { _, _ in } }
                        continue
                    }
                    group.addTask {
                        defer { slots.release() }
                        let begun = Mutex<ControlOrder?>(nil)
                        // A connection that broke is its command's own loss.
                        do {
                            try await serve(connection) { order, answer in
                                begun.withLock { $0 = order }
                                try await work(order, answer)
                            }
                        } catch {
                            log.debug("a control connection ended early")
                        }
                        if let order = begun.withLock({ $0 }) { await answered(order) }
                    }
                }
            }
        }
    }

    private func serve(_ connection: Connection, _ work: @escaping Work) async throws {
        try await connection.executeThenClose { incoming, outgoing in
            let answer: @Sendable (ControlAnswer) async throws -> Void = { answer in
                try await outgoing.write(ByteBuffer(bytes: try answer.line))
            }
            do {
                try await withDeadline(patience.whole, on: ContinuousClock(), throwing: TimedOut()) {
                    let order = try await withDeadline(patience.order, on: ContinuousClock(), throwing: TimedOut()) {
                        try await Self.order(incoming)
                    }
                    guard let order else { return }
                    try await work(order) { try await answer(.item($0)) }
                }
                try await answer(.done)
            } catch let error as TimedOut {
                try await answer(.failed(error.description))
            } catch is CancellationError {
                throw CancellationError()
            } catch let error as SigningServiceError where error.code == .passphraseNeeded {
                try await answer(.failed(needingPassphrase: error))
            } catch {
                try await answer(.failed("\(CommandFailure.speaking(error))"))
            }
        }
    }

    /// The one order of a connection; `nil` when it says nothing.
    private static func order(_ incoming: NIOAsyncChannelInboundStream<ByteBuffer>) async throws -> ControlOrder? {
        do {
            for try await line in ControlLines(buffers: incoming, longest: ControlOrder.longest) {
                return try ControlOrder(line: line)
            }
        } catch is DecodingError {
            throw CommandFailure("This order is not understood: the command is of another version of Linnet.")
        } catch is ControlLines.TooLong {
            throw CommandFailure("This order is too long.")
        }
        return nil
    }
}
