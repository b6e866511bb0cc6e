import Foundation
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// nginx over a folder, on a port and with files of its own, as a server that only gives files is set up to be fast.
struct Nginx {
    /// Where it listens.
    let server: HTTPServer
    private let process: Process

    /// Starts it.
    ///
    /// - Parameters:
    ///   - root: what it serves.
    ///   - folder: where its own files may lie.
    /// - Returns: `nil` where it is not installed, and `scripts/nginx.sh` has not put it beside the sources.
    /// - Throws: ``DidNotStart``, with what it wrote.
    static func start(over root: URL, in folder: URL) async throws -> Nginx? {
        guard let program = Self.program else { return nil }
        let probe = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = probe.localAddress?.port ?? 0
        try await probe.close()
        let settings = folder.appending(path: "nginx.conf")
        try Data(configuration(root.path, folder.path, port).utf8).write(to: settings)
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = ["-p", folder.path, "-c", settings.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let nginx = Nginx(server: HTTPServer(port: UInt16(port)), process: process)
        for _ in 0..<200 {
            if let descriptor = try? nginx.server.connected() {
                close(descriptor)
                return nginx
            }
            guard process.isRunning else { break }
            try await Task.sleep(for: .milliseconds(50))
        }
        nginx.stop()
        throw DidNotStart(words: (try? String(contentsOf: folder.appending(path: "nginx.log"), encoding: .utf8)) ?? "")
    }

    /// It ended, or did not listen for ten seconds.
    struct DidNotStart: Error {
        let words: String
    }

    /// Ends it, and what it started.
    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    private static var program: String? {
        // This file is Benchmarks/Sources/linnet-bench/Nginx.swift.
        var root = URL(filePath: #filePath)
        for _ in 0..<4 { root.deleteLastPathComponent() }
        let places = [
            root.appending(path: ".peer-nginx/nginx").path, "/usr/sbin/nginx", "/usr/local/sbin/nginx",
            "/opt/homebrew/bin/nginx", "/usr/local/bin/nginx",
        ]
        return places.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func configuration(_ root: String, _ folder: String, _ port: Int) -> String {
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "    \($0)_temp_path \"\(folder)/nginx-\($0)\";" }.joined(separator: "\n")
        // Started by root it would become somebody who may not read the folder.
        let user = getuid() == 0 ? "user root;" : ""
        return """
            daemon off;
            \(user)
            worker_processes auto;
            pid "\(folder)/nginx.pid";
            error_log "\(folder)/nginx.log";
            events { worker_connections 256; }
            http {
                access_log off;
                sendfile on;
                tcp_nopush on;
                keepalive_requests 1000000;
                default_type application/octet-stream;
            \(places)
                server {
                    listen 127.0.0.1:\(port);
                    root "\(root)";
                }
            }

            """
    }
}
