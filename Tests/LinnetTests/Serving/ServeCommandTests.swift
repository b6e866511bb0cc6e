import Foundation
import NostrCore
import NostrRelay
import Testing
import WebSocketNIO

@testable import linnet

@Suite("linnet serve", .serialized, .timeLimit(.minutes(10)))
struct ServeCommandTests {
    private let data = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"

    /// The host and the rest of a link that was printed.
    private func parts(_ line: some StringProtocol) throws -> (host: String, port: Int, path: String) {
        let url = try #require(
            line.split(separator: " ").dropFirst().first.flatMap { URLComponents(string: String($0)) })
        return (try #require(url.host), try #require(url.port), url.path + "?" + (url.query ?? ""))
    }

    @Test("a new login link leads in once, at the home's own name or at the plain address")
    func loginLink() async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let program = try RunningProgram(["serve", "--port", "0", "--data", data])
        let first = try parts(program.line())
        let made = try Program.run(["login-link", "--data", data])
        #expect(made.status == 0 && made.errors.contains("No other device reaches this home"))
        let lines = made.output.split(separator: "\n")
        let link = try parts(try #require(lines.first))
        #expect(link.host == first.host && link.port == first.port && link.path != first.path)
        if LoopbackName.isKnownToBrowsers {
            #expect(LoopbackName(link.host) == (try LoopbackName.kept(in: DataDirectory(path: data))))
            let plain = try parts(try #require(lines.last))
            #expect(plain == ("127.0.0.1", link.port, link.path))
        }
        for (path, host, status) in [
            (link.path, "127.0.0.1", "303"), (link.path, link.host, "403"), (first.path, first.host, "303"),
            (first.path, "strange.localhost", "421"),
        ] {
            let answer = await (try await TextReader.get(path, port: link.port, host: "\(host):\(link.port)")).whole()
            #expect(answer.hasPrefix("HTTP/1.1 \(status)"))
            #expect(answer.lowercased().contains("set-cookie: linnet_\(link.port)=") == (status == "303"))
            #expect(!answer.lowercased().contains("domain="))
        }
        withExtendedLifetime(program) {}
    }

    @Test("its port is a relay unless that is closed", arguments: [false, true])
    func relay(isClosed: Bool) async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let program = try RunningProgram(
            ["serve", "--port", "0", "--data", data] + (isClosed ? ["--no-relay", "--no-metrics"] : []))
        let port = try parts(program.line()).port
        let relay = try RelayURL("ws://127.0.0.1:\(port)")
        let transport = try WebSocketTransport()
        let socket = try? await transport.connect(to: relay, deadline: .seconds(60))
        #expect((socket == nil) == isClosed)
        await socket?.close()
        let document = try? await transport.information(of: relay, deadline: .seconds(60), maxBytes: 65_536)
        let isDocument = document.map { String(decoding: $0, as: UTF8.self).contains("supported_nips") } ?? false
        #expect(isDocument == !isClosed)
        let metrics = await (try await TextReader.get("/metrics", port: port, host: "127.0.0.1:\(port)")).whole()
        #expect(metrics.hasPrefix("HTTP/1.1 \(isClosed ? 404 : 200)"))
        withExtendedLifetime(program) {}
    }
}
