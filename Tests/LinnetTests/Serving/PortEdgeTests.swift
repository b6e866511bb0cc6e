import Foundation
import NIOCore
import NIOPosix
import NostrCore
import NostrRelay
import Testing
import WebSocketNIO

@testable import linnet

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite("The ports of the program", .serialized, .timeLimit(.minutes(10)))
struct PortEdgeTests {
    private let data = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"

    private func port(in line: String) throws -> Int {
        let address = try #require(line.split(separator: " ").dropFirst().first)
        return try #require(URLComponents(string: String(address))?.port)
    }

    @Test(
        "a hang-up says goodbye to everybody and closes the files, as the other signals do",
        arguments: ["relay", "serve"])
    func hangUp(command: String) async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let program = try RunningProgram([command, "--port", "0", "--data", data])
        let port = try port(in: program.line())
        let socket = try await WebSocketTransport().connect(
            to: RelayURL("ws://127.0.0.1:\(port)"), deadline: .seconds(60))
        #expect(program.end(by: SIGHUP).status == 0)
        // A goodbye without a reason to complain: no error ends the stream.
        for try await _ in socket.incoming {}
        #expect(!FileManager.default.fileExists(atPath: "\(data)/events.sqlite-wal"))
    }

    @Test("a form too long is refused with 413, also when it does not say how long it is")
    func chunkedForm() async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let program = try RunningProgram(["serve", "--port", "0", "--data", data])
        let port = try port(in: program.line())
        let piece = "4000\r\n" + String(repeating: "a", count: 0x4000) + "\r\n"
        for (body, status) in [
            ("Transfer-Encoding: chunked\r\n\r\n" + String(repeating: piece, count: 9) + "0\r\n\r\n", "413"),
            ("Content-Length: 200000\r\n\r\n" + String(repeating: "a", count: 200_000), "413"),
            ("Transfer-Encoding: chunked\r\n\r\n" + piece + "0\r\n\r\n", "403"),
        ] {
            let reader = try await TextReader.send(
                "POST /login HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n" + body, port: port)
            let answer = await reader.whole()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "))
        }
        withExtendedLifetime(program) {}
    }

    @Test("the relay's document is there under the home's own names alone")
    func document() async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let program = try RunningProgram(["serve", "--port", "0", "--data", data, "--name", "Home.Example"])
        let port = try port(in: program.line())
        for (host, status) in [
            ("127.0.0.1:\(port)", "200"), ("home.example", "200"), ("HOME.example:80", "200"), ("[::1]", "200"),
            ("evil.example", "421"), ("127.0.0.1.evil.example:\(port)", "421"),
        ] {
            let reader = try await TextReader.send(
                "GET / HTTP/1.1\r\nHost: \(host)\r\nAccept: application/nostr+json\r\nConnection: close\r\n\r\n",
                port: port)
            let answer = await reader.whole()
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(host)")
            #expect(answer.contains("supported_nips") == (status == "200"))
        }
        withExtendedLifetime(program) {}
    }

    @Test("clients that leave in the middle, or speak no HTTP, are no errors in the log")
    func leaving() async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let program = try RunningProgram(["serve", "--port", "0", "--data", data], speaksOfErrors: true)
        let port = try port(in: program.line())
        let host = "Host: 127.0.0.1:\(port)\r\n"
        for request in [
            "POST /login HTTP/1.1\r\n\(host)Content-Length: 9\r\n\r\nabc",
            "POST /login HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
            "POST /login HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nno length\r\n", "GET / HT", "\r\n\r\n",
            "GET / HTTP/1.1\r\n\(host)\r\n",
            "GET / HTTP/1.1\r\n\(host)Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        ] {
            await (try await TextReader.send(request, port: port)).leave()
        }
        // Answered after those: they have been looked at.
        let last = await (try await TextReader.get("/healthz", port: port, host: "127.0.0.1:\(port)")).whole()
        #expect(last.hasPrefix("HTTP/1.1 200 "))
        let errors = program.end(by: SIGTERM).errors
        #expect(!errors.contains("error") && !errors.contains("warning"), "\(errors)")
    }

    @Test("what cannot be is said in words")
    func words() async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let home = ["--data", data + "/home"]
        let taken = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(taken.localAddress?.port)
        for (arguments, words) in [
            (
                ["relay", "--port", "\(port)"] + home,
                "Port \(port) is taken: is a relay running already? Choose another"
            ),
            (["relay", "--port", "70000"] + home, "--port must be between 0 and 65535."),
            (
                ["relay", "--port", "0", "--host", "192.0.2.1"] + home,
                "Cannot listen on 192.0.2.1 port 0: choose another"
            ),
            (["relay", "--port", "0", "--host", "no.invalid"] + home, "no.invalid is not an address of this machine"),
            (["serve", "--port", "0", "--host", "no.invalid"] + home, "no.invalid is not an address of this machine"),
            (["relay", "--trusted-proxy", "proxy.example"] + home, "A trusted proxy is named by its IP address"),
            (["serve", "--trusted-proxy", "proxy.example"] + home, "A trusted proxy is named by its IP address"),
            (["import", data] + home, "\(data) is a directory: give a file of events."),
            (["verify", data], "\(data) is a directory: give a file of events."),
            (["restore", data] + home, "\(data) is a directory: give the file of a backup."),
        ] {
            let result = try Program.run(arguments, environment: ["LINNET_PASSWORD": "x"])
            #expect(result.status != 0 && result.errors.contains("Error: \(words)"), "\(result.errors)")
            #expect(!result.errors.contains("errno") && !result.errors.contains("Domain"))
        }
        try await taken.close()
    }
}
