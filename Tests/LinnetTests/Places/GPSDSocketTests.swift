import AsyncPrimitives
import DBus
import Location
import NIOCore
import NIOPosix
import NostrClient
import NostrCore
import NostrTesting
import Testing

@testable import linnet

@Suite("gpsd over TCP", .timeLimit(.minutes(10)))
struct GPSDSocketTests {
    private static let greeting = #"{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
    private static let watch = #"?WATCH={"enable":true,"json":true};"#
    private static let position = #"{"class":"TPV","mode":2,"lat":47.25,"lon":8.5,"eph":4.5}"# + "\r\n"

    @Test("a position comes over the socket once a watch was asked for, and an early end is told and tried again")
    func position() async throws {
        try await LoopbackListener.run { incoming, outgoing in
            try await outgoing.write(ByteBuffer(string: Self.greeting))
            var lines = LineInput(incoming)
            #expect(try await lines.next() == Self.watch)
            try await outgoing.write(ByteBuffer(string: Self.position))
        } _: { port in
            let clock = ManualClock()
            let start = Timestamp(seconds: 1_700_000_000)
            let source = GPSDSource(
                GPSDSocketConnector(address: GPSDAddress(host: "127.0.0.1", port: port)),
                time: Time(clock: clock, now: { start + clock.now.offset }))
            var readings = source.readings(every: .seconds(1)).makeAsyncIterator()
            let expected = try Fix(latitude: 47.25, longitude: 8.5, accuracy: 4.5, moment: start)
            #expect(await readings.next() == .fix(expected))
            #expect(await readings.next() == .failure(.sourceGone))
            async let again = readings.next()
            await clock.waitForSleepers()
            clock.advance(by: .seconds(1))
            guard case .fix? = await again else {
                Issue.record("no position after the second try")
                return
            }
        }
    }

    @Test("where nobody listens, gpsd does not answer")
    func refused() async throws {
        let port = LoopbackListener.deadPort
        for host in ["127.0.0.1", "::1"] {
            await #expect(throws: GPSDProblem.noAnswer) {
                _ = try await GPSDSocketConnector(address: GPSDAddress(host: host, port: port)).connect()
            }
        }
    }

    #if os(Linux)
        @Test("a machine that takes no connection is given up in time, and at once by who is cancelled")
        func slow() async throws {
            // A full queue of connections that nobody accepts drops those that come after.
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 1).serverChannelOption(.autoRead, value: false)
                .bind(host: "127.0.0.1", port: 0).get()
            let port = try #require(listener.localAddress?.port)
            var held: [StreamSocket] = []
            await #expect(throws: SocketProblem.tooSlow) {
                for _ in 0..<20 {
                    held.append(
                        try await StreamSocket(
                            to: .tcp(host: "127.0.0.1", port: port), within: .milliseconds(300)))
                }
            }
            let address = StreamSocket.Address.tcp(host: "127.0.0.1", port: port)
            let waiting = Task { try await StreamSocket(to: address, within: .seconds(3600)) }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { _ = try await waiting.value }
            for socket in held { await socket.close() }
            try await listener.close()
        }
    #endif

    @Test("whoever listens there and says nothing is left after ten seconds, and finds the connection closed")
    func mute() async throws {
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        try await LoopbackListener.run { incoming, _ in
            for try await _ in incoming {}
            ended.yield()
        } _: { port in
            let clock = ManualClock()
            var connector = GPSDSocketConnector(address: GPSDAddress(host: "127.0.0.1", port: port))
            connector.clock = clock
            let connection = try await connector.connect()
            let reading = Task { try await connection.receive() }
            await clock.waitForSleepers()
            clock.advance(by: .seconds(10))
            await #expect(throws: GPSDProblem.silent) { _ = try await reading.value }
            #expect(await ends.first { _ in true } != nil)
        }
    }

    @Test("a line that falls silent is asked whether it is there, and kept while it answers")
    func silence() async throws {
        try await LoopbackListener.run { incoming, outgoing in
            try await outgoing.write(ByteBuffer(string: Self.greeting))
            var lines = LineInput(incoming)
            #expect(try await lines.next() == "?VERSION;")
            try await outgoing.write(ByteBuffer(string: Self.greeting))
            #expect(try await lines.next() == "?VERSION;")
            while try await lines.next() != nil {}
        } _: { port in
            let clock = ManualClock()
            var connector = GPSDSocketConnector(address: GPSDAddress(host: "127.0.0.1", port: port))
            connector.clock = clock
            let connection = try await connector.connect()
            #expect(try await connection.receive() == Array(Self.greeting.utf8))
            let answered = Task { try await connection.receive() }
            await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
            #expect(try await answered.value == Array(Self.greeting.utf8))
            let silent = Task { try await connection.receive() }
            for span in [60, 10] {
                await clock.waitForSleepers()
                clock.advance(by: .seconds(span))
            }
            await #expect(throws: GPSDProblem.silent) { _ = try await silent.value }
        }
    }

    @Test("a reader who is cancelled closes the connection")
    func cancelled() async throws {
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        try await LoopbackListener.run { incoming, _ in
            for try await _ in incoming {}
            ended.yield()
        } _: { port in
            let connector = GPSDSocketConnector(address: GPSDAddress(host: "127.0.0.1", port: port))
            let connection = try await connector.connect()
            let reading = Task { try await connection.receive() }
            reading.cancel()
            await #expect(throws: CancellationError.self) { _ = try await reading.value }
            #expect(await ends.first { _ in true } != nil)
        }
    }

    @Test("a flood stays with its sender: what nobody asks for is not taken, and each piece is small")
    func flood() async throws {
        let (ends, ended) = AsyncStream.makeStream(of: Void.self)
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { $0.pipeline.addHandler(Flood { ended.yield() }) }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let socket = try await StreamSocket(to: .tcp(host: "127.0.0.1", port: port), within: .seconds(10))
        for _ in 0..<10 {
            let piece = try #require(try await socket.receive())
            #expect((1...StreamSocket.mostAtOnce).contains(piece.count))
        }
        let ending: Void?? = await withDeadline(.seconds(1), on: ContinuousClock()) { await ends.first { _ in true } }
        #expect(ending == nil)
        #expect(try await socket.receive()?.isEmpty == false)
        await socket.close()
        try await listener.close()
    }

    @Test("whoever takes nothing is not sent to for ever")
    func unread() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        try await LoopbackListener.run { _, _ in
            _ = await ends.first { _ in true }
        } _: { port in
            let address = StreamSocket.Address.tcp(host: "127.0.0.1", port: port)
            let socket = try await StreamSocket(to: address, within: .milliseconds(300))
            await #expect(throws: SocketProblem.tooSlow) {
                for _ in 0..<64 { try await socket.send([UInt8](repeating: 0, count: 1 << 20)) }
            }
            await #expect(throws: SocketProblem.tooSlow) { _ = try await socket.receive() }
            end.yield()
        }
    }

    private static let addresses: [(String, GPSDAddress?)] = [
        ("", nil), ("localhost", GPSDAddress(host: "localhost", port: 2947)),
        ("10.0.0.7:3000", GPSDAddress(host: "10.0.0.7", port: 3000)),
        (":3000", GPSDAddress(host: "127.0.0.1", port: 3000)), ("::1", GPSDAddress(host: "::1", port: 2947)),
        ("[::1]:3000", GPSDAddress(host: "::1", port: 3000)), ("[::1]", GPSDAddress(host: "::1", port: 2947)),
        ("a:0", nil), ("a:65536", nil), ("a:", nil), ("a:+1", nil), ("[a]:1", nil), ("[::1", nil), ("[::1]x", nil),
        ("http://a", nil), ("a b", nil), ("a/b", nil), (String(repeating: "a", count: 300), nil),
    ]

    @Test("addresses are read as people write them", arguments: addresses)
    func address(text: String, address: GPSDAddress?) {
        #expect(GPSDAddress(text) == address)
        if let address { #expect(GPSDAddress(address.description) == address) }
    }
}

/// Sends 64 MiB without a line feed to everybody who connects, and says when they have gone out.
private final class Flood: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let whenTaken: @Sendable () -> Void

    init(_ whenTaken: @escaping @Sendable () -> Void) { self.whenTaken = whenTaken }

    func channelActive(context: ChannelHandlerContext) {
        let junk = NIOAny(ByteBuffer(repeating: UInt8(ascii: "{"), count: 1 << 20))
        for _ in 0..<63 { context.write(junk, promise: nil) }
        let last = context.eventLoop.makePromise(of: Void.self)
        context.writeAndFlush(junk, promise: last)
        last.futureResult.whenSuccess(whenTaken)
    }
}
