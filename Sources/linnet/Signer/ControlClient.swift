import AsyncPrimitives
import Foundation
import NIOCore
import NIOPosix
import NostrSigner

/// How a command reaches the program that runs in a data directory.
struct ControlClient: Sendable {
    let directory: DataDirectory
    /// How long an order may take.
    var deadline = Duration.seconds(150)

    /// Nobody listens.
    struct NotRunning: Error {}

    /// Gives an order and hands over each item of the answer, one JSON value.
    ///
    /// - Throws: ``NotRunning``, a ``CommandFailure`` with what the program said, what the body throws, or
    ///   ``/NostrSigner/SigningServiceError`` where the passphrase has to be typed.
    func order(_ order: ControlOrder, _ body: @escaping @Sendable (String) async throws -> Void) async throws {
        let connection = try await connected()
        try await withDeadline(deadline, on: ContinuousClock(), throwing: TimedOut()) {
            try await connection.executeThenClose { incoming, outgoing in
                try await outgoing.write(ByteBuffer(bytes: try order.line))
                for try await line in ControlLines(buffers: incoming, longest: ControlAnswer.longest) {
                    let answer = try JSONDecoder().decode(ControlAnswer.self, from: Data(line))
                    if let item = answer.item { try await body(item) }
                    if answer.needsPassphrase == true { throw SigningServiceError(.passphraseNeeded) }
                    if let failure = answer.failure { throw CommandFailure(failure) }
                    if answer.isDone == true { return }
                }
                throw CommandFailure("The running program ended before it had answered; nothing more is known.")
            }
        }
    }

    private func connected() async throws -> ControlServer.Connection {
        let path = directory.control
        guard FileManager.default.fileExists(atPath: path) else { throw NotRunning() }
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.seconds(5))
                .connect(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try ControlServer.Connection(wrappingChannelSynchronously: channel)
                    }
                }
        } catch {
            // A file that nobody listens at is left over from a program that was killed.
            throw NotRunning()
        }
    }
}
