import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing
import WebSocketNIO

@testable import linnet

@Suite("Visitors of the port")
struct VisitorTests {
    private let request = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/login")

    /// The status and the words of what was written.
    private func answer(_ channel: EmbeddedChannel) throws -> (status: Int, words: String)? {
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else { return nil }
        guard case .body(let body)? = try channel.readOutbound(as: HTTPResponsePart.self) else { return nil }
        return (head.status.code, String(buffer: body))
    }

    private func channel(_ handler: any ChannelHandler) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "192.168.1.7", port: 1)).wait()
        try channel.pipeline.syncOperations.addHandler(handler)
        return channel
    }

    @Test("a body that comes a byte at a time ends at its deadline, with 408 and why")
    func slowBody() throws {
        let channel = try channel(RequestDeadline(.seconds(60)))
        try channel.writeInbound(HTTPRequestPart.head(request))
        for _ in 0..<119 {
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(500))
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
        }
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(500))
        let answer = try #require(try answer(channel))
        #expect(answer == (408, "The request took too long to arrive.\n"))
        #expect(!channel.isActive)
    }

    @Test("a request that has come whole may be answered for as long as it takes")
    func slowAnswer() throws {
        let channel = try channel(RequestDeadline(.seconds(60)))
        try channel.writeInbound(HTTPRequestPart.head(request))
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .hours(1))
        #expect(channel.isActive)
        try channel.writeInbound(HTTPRequestPart.head(request))
        try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        // Half an answer is out: there is no room for another.
        guard case .head(let head)? = try channel.readOutbound(as: HTTPResponsePart.self) else {
            Issue.record("the answer began")
            return
        }
        #expect(head.status == .ok)
        #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil && !channel.isActive)
    }

    @Test("the last places are for browsers that are logged in", arguments: [false, true])
    func lastPlaces(isLoggedIn: Bool) throws {
        let connections = OpenConnections(ConnectionLimits(all: 1, perAddress: 1, kept: 0, loggedIn: 1))
        let check = VisitorCheck(connections, .ifLoggedIn) { $0.headerFields[.cookie] == "good" }
        let channel = try channel(check)
        var request = request
        request.headerFields[.cookie] = isLoggedIn ? "good" : "bad"
        try channel.writeInbound(HTTPRequestPart.head(request))
        #expect(channel.isActive == isLoggedIn)
        #expect((try channel.readInbound(as: HTTPRequestPart.self) != nil) == isLoggedIn)
        let words = "Too many connections at the moment; try again soon.\n"
        #expect(try answer(channel)?.words == (isLoggedIn ? nil : words))
        // Its address is known from then on, so the next of it may try, too.
        #expect(connections.admit(channel) == .welcome)
        #expect(connections.admit(channel) == (isLoggedIn ? .ifLoggedIn : .refused))
    }

    @Test("as many descriptors as the system gives, and what there was where it gives no more")
    func descriptors() {
        let raised = Descriptors.raise()
        #expect(raised >= 256 && Descriptors.raise() == raised)
    }

    @Test("freed memory goes back once much more is held than before, and seldom where that takes long")
    func freedMemory() {
        let megabyte = 1 << 20
        var memory = FreedMemory(held: 100 * megabyte)
        func isGivenBack(_ held: Int, after seconds: Int) -> Bool {
            memory.shouldGiveBack(held: held * megabyte, after: .seconds(seconds))
        }
        #expect(!isGivenBack(100, after: 5))
        #expect(!isGivenBack(120, after: 5))
        #expect(isGivenBack(1000, after: 5))
        memory.gaveBack(in: .milliseconds(300))
        #expect(!isGivenBack(900, after: 5))
        // A flood that goes on is looked at again, and what it leaves is given back after it.
        #expect(isGivenBack(900, after: 1))
        memory.gaveBack(in: .milliseconds(1))
        #expect(!isGivenBack(90, after: 5))
        #expect(isGivenBack(130, after: 5))
        memory.gaveBack(in: .seconds(1))
        #expect(!isGivenBack(130, after: 10))
        #expect(isGivenBack(130, after: 5))
        #if os(Linux)
            #expect((HeldMemory.now()?.own ?? 0) > megabyte)
        #endif
    }
}
