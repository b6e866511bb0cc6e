import Foundation
import NIOCore
import Testing

@testable import linnet

@Suite("The home's own name below localhost")
struct LoopbackNameTests {
    private let home = DataDirectory(
        path: FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)").path)

    @Test("is drawn once for a data directory, and read by its owner only")
    func kept() throws {
        defer { try? FileManager.default.removeItem(atPath: home.path) }
        try home.prepare()
        let name = try LoopbackName.kept(in: home)
        #expect(try LoopbackName.kept(in: home) == name)
        let mode = try FileManager.default.attributesOfItem(atPath: home.loopbackName)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try home.demo.prepare()
        #expect(try LoopbackName.kept(in: home.demo) != name)
    }

    @Test("is drawn anew where its file is damaged", arguments: ["", "localhost", "evil.example\n", "\u{0}"])
    func damaged(text: String) throws {
        defer { try? FileManager.default.removeItem(atPath: home.path) }
        try home.prepare()
        try Data(text.utf8).write(to: URL(filePath: home.loopbackName))
        let name = try LoopbackName.kept(in: home)
        #expect(LoopbackName(name.host) == name && name.host.count == "linnet-.localhost".count + 24)
    }

    @Test(
        "is of one shape",
        arguments: [
            "linnet-.localhost", "linnet-0123456789abcdef01234567", "0123456789abcdef01234567.localhost",
            "linnet-0123456789ABCDEF01234567.localhost", "linnet-0123456789abcdef0123456g.localhost",
            "linnet-0123456789abcdef01234567.localhost.evil.example", "localhost", "linnet-localhost", "",
        ])
    func shape(text: String) {
        #expect(LoopbackName(text) == nil)
    }

    @Test("keeps its port at the other loopback address from other programs")
    func reserved() throws {
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: try freePort())
        do {
            let reserved = try ReservedPort(address)
            #expect(reserved != nil)
            #expect(throws: ReservedPort.Taken.self) { try ReservedPort(address) }
            withExtendedLifetime(reserved) {}
        }
        #expect(try ReservedPort(address) != nil)
        #expect(try ReservedPort(try SocketAddress(ipAddress: "203.0.113.7", port: 4869)) == nil)
    }

    @Test("is used only while no other program has the port at the other address")
    func shared() throws {
        var serving = ServingConfiguration(
            host: "::1", port: 0, names: [], origins: [], address: nil, isRelay: true, hasMetrics: true)
        serving.loopbackName = LoopbackName("linnet-0123456789abcdef01234567.localhost")
        let port = try freePort()
        let listening = try SocketAddress(ipAddress: "::1", port: port)
        let page = PageAddress()
        do {
            let other = try ReservedPort(try SocketAddress(ipAddress: "127.0.0.1", port: port))
            #expect(!page.set(serving, port: port, listening: listening))
            #expect(page.text == "http://[::1]:\(port)" && page.plain == nil)
            withExtendedLifetime(other) {}
        }
        #expect(page.set(serving, port: port, listening: listening))
        let links = try #require(LoginLinks(page, path: "/login?token=1"))
        #expect(links.here == "http://linnet-0123456789abcdef01234567.localhost:\(port)/login?token=1")
        #expect(links.plain == "http://[::1]:\(port)/login?token=1")
        #expect(links.lines.map { $0.prefix { $0 != " " } } == ["open", "or"])
        #expect(LoginLinks(json: links.json) == links)
    }

    /// A port nobody has at the moment.
    private func freePort() throws -> Int {
        for port in 20000..<30000 where try isFree(port) { return port }
        throw CommandFailure("no port is free")
    }

    private func isFree(_ port: Int) throws -> Bool {
        // Whether it is taken is the question.
        (try? ReservedPort(try SocketAddress(ipAddress: "127.0.0.1", port: port))) != nil
    }
}
