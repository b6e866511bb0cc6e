import Foundation
import Logging
import NIOCore
import NIOPosix
import NostrTesting
import Synchronization
import Testing

@testable import linnet

@Suite("The control socket", .serialized, .timeLimit(.minutes(10)))
struct ControlSocketTests {
    private func withServer(
        _ work: @escaping ControlServer.Work, patience: ControlServer.Patience = ControlServer.Patience(),
        answered: @escaping @Sendable (ControlOrder) async -> Void = { _ in },
        _ body: (DataDirectory) async throws -> Void
    ) async throws {
        let home = try AccountHome()
        let server = try await ControlServer.bind(home.directory, patience: patience, log: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run(work, answered: answered) }
            try await body(home.directory)
            group.cancelAll()
            // Being cancelled is how it ends.
            try? await group.waitForAll()
        }
        #expect(!FileManager.default.fileExists(atPath: home.directory.control))
    }

    private func items(_ directory: DataDirectory, _ verb: ControlOrder.Verb) async throws -> [String] {
        let seen = Lines()
        try await ControlClient(directory: directory).order(ControlOrder(verb)) { await seen.add($0) }
        return await seen.all
    }

    @Test("an order arrives whole, its items come back in order, and only the owner can open the socket")
    func orders() async throws {
        let verb = ControlOrder.Verb.decide(
            .these(["ab", "cd"]), verdict: SpokenVerdict(allows: true, isAlways: true, until: 5), knowingLoss: true)
        try await withServer({ order, answer in
            #expect(order == ControlOrder(verb))
            for number in 0..<100 { try await answer(#"{"number":\#(number)}"#) }
        }) { directory in
            #expect(try await items(directory, verb) == (0..<100).map { #"{"number":\#($0)}"# })
            let attributes = try FileManager.default.attributesOfItem(atPath: directory.control)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("a failure is told in its own sentence")
    func failures() async throws {
        try await withServer({ _, answer in
            try await answer("1")
            throw CommandFailure("There is no such app.")
        }) { directory in
            await #expect(throws: CommandFailure("There is no such app.")) {
                _ = try await items(directory, .clients)
            }
        }
    }

    @Test("an order that failed, or took too long, is told of like one that was done: it may have been done")
    func answered() async throws {
        var patience = ControlServer.Patience()
        patience.whole = .milliseconds(200)
        let (orders, told) = AsyncStream.makeStream(of: ControlOrder.self)
        try await withServer(
            { order, _ in
                if order.verb == .clients { throw CommandFailure("No relay has it yet.") }
                try await Task.sleep(for: .seconds(600))
            }, patience: patience, answered: { told.yield($0) }
        ) { directory in
            var next = orders.makeAsyncIterator()
            for verb in [ControlOrder.Verb.clients, .relays] {
                await #expect(throws: CommandFailure.self) { _ = try await items(directory, verb) }
                let heard = await next.next()
                #expect(heard == ControlOrder(verb))
            }
        }
    }

    @Test("work that takes too long is cancelled and said to be late")
    func late() async throws {
        var patience = ControlServer.Patience()
        patience.whole = .milliseconds(50)
        try await withServer({ _, _ in try await Task.sleep(for: .seconds(600)) }, patience: patience) { directory in
            await #expect(throws: CommandFailure(TimedOut().description)) {
                _ = try await items(directory, .clients)
            }
        }
    }

    @Test("noise, silence and lines without end are turned away, and orders after them are served")
    func noise() async throws {
        var patience = ControlServer.Patience()
        patience.order = .milliseconds(200)
        patience.connections = 2
        try await withServer({ _, answer in try await answer("7") }, patience: patience) { directory in
            for bytes in [Array("no order\n".utf8), [], [UInt8](repeating: 0x20, count: ControlOrder.longest + 70_000)]
            {
                let answer = try await raw(bytes, to: directory)
                // Whoever sends more than is read may find the line cut before the reason arrives.
                #expect(answer.contains("failure") || bytes.count > ControlOrder.longest, "\(bytes.count) bytes")
            }
            #expect(try await items(directory, .clients) == ["7"])
        }
    }

    @Test("where nobody listens, also behind a socket that is left over, the program is not running")
    func notRunning() async throws {
        let home = try AccountHome()
        await #expect(throws: ControlClient.NotRunning.self) { _ = try await items(home.directory, .clients) }
        try Data().write(to: URL(filePath: home.directory.control))
        await #expect(throws: ControlClient.NotRunning.self) { _ = try await items(home.directory, .clients) }
    }

    /// Sends bytes as they are; everything that comes back.
    private func raw(_ bytes: [UInt8], to directory: DataDirectory) async throws -> String {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(unixDomainSocketPath: directory.control) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try ControlServer.Connection(wrappingChannelSynchronously: channel)
                }
            }
        return try await connection.executeThenClose { incoming, outgoing in
            // The other side may have had enough before all is written.
            try? await outgoing.write(ByteBuffer(bytes: bytes))
            var all = ByteBuffer()
            do {
                for try await var buffer in incoming { all.writeBuffer(&buffer) }
            } catch {
                // A connection that was cut has said what it had to say.
            }
            return String(buffer: all)
        }
    }
}

private actor Lines {
    private(set) var all: [String] = []

    func add(_ line: String) { all.append(line) }
}
