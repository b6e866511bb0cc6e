import Foundation
import Logging
import NIOCore
import Testing
import WebSocketNIO

#if canImport(Glibc)
    import Glibc

    /// The descriptors of this process go while it runs, so nothing else may stand beside it.
    @Suite("A listener for whom there are no descriptors", .serialized, .timeLimit(.minutes(10)))
    struct AcceptPauseTests {
        @Test("tries again after a moment, not without end, and then takes the connection that waited")
        func pause() async throws {
            let (failures, heard) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
            let logger = Logger(label: "test") { _ in Warnings { heard.yield(.now) } }
            let server = try await WebSocketServer.bind(logger: logger) { _ in
                true
            } respond: { _ in
                PlainResponse(status: 404)
            }
            async let serving: Void = server.run { _ in }
            // A socket of the client's own, made while there are descriptors.
            let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(client) }
            let before = try limit()
            let lowest = dup(client)
            close(lowest)
            try setLimit(to: rlim_t(lowest), of: before)
            defer { try? setLimit(to: before.rlim_cur, of: before) }
            #expect(connect(client, to: server.port) == 0)
            var moments: [ContinuousClock.Instant] = []
            for await moment in failures {
                moments.append(moment)
                if moments.count == 3 { break }
            }
            try setLimit(to: before.rlim_cur, of: before)
            // Twice a second's pause between three tries.
            #expect(moments[2] - moments[0] >= .seconds(1.9))
            #expect(ask(client).hasPrefix("HTTP/1.1 404"))
            server.beginShutdown()
            await serving
        }

        private func limit() throws -> rlimit {
            var limit = rlimit()
            guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
                throw IOError(errnoCode: errno, reason: "getrlimit")
            }
            return limit
        }

        private func setLimit(to soft: rlim_t, of limit: rlimit) throws {
            var limit = limit
            limit.rlim_cur = soft
            guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
                throw IOError(errnoCode: errno, reason: "setrlimit")
            }
        }

        private func connect(_ client: Int32, to port: Int) -> Int32 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            return unsafe withUnsafePointer(to: &address) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }

        /// Sends a request and reads the beginning of the answer, for which a deadline holds.
        private func ask(_ client: Int32) -> String {
            var patience = timeval(tv_sec: 60, tv_usec: 0)
            unsafe setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            guard unsafe send(client, request, request.count, 0) == request.count else { return "not sent" }
            var answer = [UInt8](repeating: 0, count: 1024)
            let count = unsafe recv(client, &answer, answer.count, 0)
            return String(decoding: answer.prefix(max(count, 0)), as: UTF8.self)
        }
    }

    /// A log that only tells that something was logged.
    private struct Warnings: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning
        let heard: @Sendable () -> Void

        init(_ heard: @escaping @Sendable () -> Void) {
            self.heard = heard
        }

        subscript(metadataKey key: String) -> Logger.MetadataValue? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            heard()
        }
    }
#endif
