import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import BlossomServer

@Suite("the pace of transfers")
struct TransferPaceTests {
    private let upload = HTTPRequest(method: .put, scheme: "http", authority: "localhost", path: "/upload")

    private func channel(path: @escaping (String) -> Bool = { _ in true }) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "192.168.1.7", port: 1)).wait()
        try channel.pipeline.syncOperations.addHandler(TransferPace(path: path))
        return channel
    }

    private func feed(_ channel: EmbeddedChannel, bytes: Int) throws {
        try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: bytes)))
    }

    @Test("a blob may take hours, as long as some of it comes")
    func steady() throws {
        let channel = try channel()
        try channel.writeInbound(HTTPRequestPart.head(upload))
        for _ in 0..<600 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(20))
            try feed(channel, bytes: 32 * 1024)
        }
        #expect(channel.isActive)
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test("one that trickles ends within a minute, with 408 and why, readable by any page")
    func trickle() throws {
        let channel = try channel()
        try channel.writeInbound(HTTPRequestPart.head(upload))
        try feed(channel, bytes: 100_000)
        for _ in 0..<59 {
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            try feed(channel, bytes: 1)
        }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("nothing was said")
            return
        }
        #expect(head.status == .requestTimeout && head.headerFields[.accessControlAllowOrigin] == "*")
        #expect(head.headerFields[.reason] == "The blob came too slowly.")
    }

    @Test("who goes on sending what was refused is hung up on, and not answered twice")
    func refused() throws {
        let channel = try channel()
        try channel.writeInbound(HTTPRequestPart.head(upload))
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .unauthorized)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(4))
        try feed(channel, bytes: 1 << 20)
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        var heads = 0
        while let part = try channel.readOutbound(as: HTTPResponsePart.self) { if case .head = part { heads += 1 } }
        #expect(heads == 1)
    }

    @Test("who finishes what was refused keeps the connection")
    func finished() throws {
        let channel = try channel()
        try channel.writeInbound(HTTPRequestPart.head(upload))
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .unauthorized)))
        try channel.writeOutbound(HTTPResponsePart.end(nil))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test("other paths are left alone")
    func others() throws {
        let channel = try channel { $0 != "/upload" }
        try channel.writeInbound(HTTPRequestPart.head(upload))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
    }

    @Test("a reader that takes nothing for half a minute is let go")
    func stalledReader() throws {
        let channel = try channel()
        try channel.writeInbound(HTTPRequestPart.head(upload))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(!channel.isActive)
    }

    @Test("a reader that takes some of it goes on, however long, until it takes nothing")
    func slowReader() throws {
        let channel = try channel()
        try channel.writeInbound(HTTPRequestPart.head(upload))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        let pace = try channel.pipeline.syncOperations.context(handlerType: TransferPace.self)
        channel.isWritable = false
        pace.write(NIOAny(ByteBuffer(repeating: 1, count: 100_000)), promise: nil)
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.advanceTime(by: .seconds(29))
        pace.flush()
        channel.embeddedEventLoop.advanceTime(by: .seconds(30))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test("the head of a blob goes together with what follows it, any other head at once")
    func headWaits() throws {
        let channel = try channel()
        try channel.writeInbound(HTTPRequestPart.head(upload))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .partialContent)), promise: nil)
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
        channel.writeAndFlush(HTTPResponsePart.body(ByteBuffer(string: "blob")), promise: nil)
        let head = try channel.readOutbound(as: HTTPResponsePart.self)
        let body = try channel.readOutbound(as: HTTPResponsePart.self)
        #expect(head == .head(HTTPResponse(status: .partialContent)) && body == .body(ByteBuffer(string: "blob")))
        channel.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == .end(nil))
        channel.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .notFound)), promise: nil)
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == .head(HTTPResponse(status: .notFound)))
    }
}
