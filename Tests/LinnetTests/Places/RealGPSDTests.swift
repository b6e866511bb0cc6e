import Location

#if os(Linux)
    import AsyncPrimitives
    import Foundation
    import NIOCore
    import NostrClient
    import NostrCore
    import NostrTesting
    import Testing

    @testable import linnet

    /// The daemon itself, with a receiver that is a socket of this test's.
    @Suite("gpsd itself", .serialized, .enabled(if: RealGPSD.isInstalled), .timeLimit(.minutes(10)))
    struct RealGPSDTests {
        @Test("a position of its receiver comes through; when it ends that is told")
        func position() async throws {
            try await LoopbackListener.run { _, outgoing in
                // It connects to its receiver when somebody watches, and not before.
                for second in 0..<60 { try await outgoing.write(ByteBuffer(string: RealGPSD.sentences(second))) }
                // A receiver stays; this one until the test is over.
                try await Task.sleep(for: .seconds(600))
            } _: { receiver in
                let address = GPSDAddress(host: "127.0.0.1", port: try await LoopbackListener.freePort())
                let gpsd = try RealGPSD(at: address, receiver: "tcp://127.0.0.1:\(receiver)")
                let readings = GPSDSource(
                    GPSDSocketConnector(address: address), time: Time(clock: ContinuousClock(), now: { .current })
                ).readings(
                    every: .seconds(1))
                var fix: Fix?
                var isGone = false
                for await reading in readings {
                    switch reading {
                    case .fix(let found):
                        fix = found
                        gpsd.end()
                    // It is not up at once, and then there is a moment without a position.
                    case .failure: isGone = fix != nil
                    }
                    if isGone { break }
                }
                let place = try #require(fix?.place)
                #expect(abs(place.latitude - 47.25) < 1e-6 && abs(place.longitude - 8.5) < 1e-6)
                #expect((0.1...1000).contains(fix?.accuracy ?? 0))
            }
        }

        @Test("one without a receiver says so")
        func noReceiver() async throws {
            let address = GPSDAddress(host: "127.0.0.1", port: try await LoopbackListener.freePort())
            let gpsd = try RealGPSD(at: address, receiver: nil)
            let readings = GPSDSource(
                GPSDSocketConnector(address: address), time: Time(clock: ContinuousClock(), now: { .current })
            ).readings(every: .seconds(1))
            let told = await readings.first { $0 != .failure(.sourceGone) }
            #expect(told == .failure(.noDevice))
            gpsd.end()
        }
    }

    /// gpsd as a child of the test.
    private final class RealGPSD: Sendable {
        private let process: ChildProcess
        private static let path = "/usr/sbin/gpsd"

        /// Whether it is here; insists on it in CI.
        static let isInstalled: Bool = {
            if FileManager.default.isExecutableFile(atPath: path) { return true }
            print("skipped: gpsd itself is not tested without \(path); scripts/setup.sh test installs it")
            return ProcessInfo.processInfo.environment["CI"] == "true"
        }()

        /// Starts it in the foreground, reading only.
        ///
        /// - Parameter receiver: what it reads; without one it waits to be given one at a socket of its own.
        init(at address: GPSDAddress, receiver: String?) throws {
            let control = FileManager.default.temporaryDirectory.appending(path: "gpsd-\(UUID().uuidString)").path
            let source = receiver.map { [$0] } ?? ["-F", control]
            process = try ChildProcess(Self.path, ["-N", "-b", "-S", "\(address.port)"] + source, killedAfter: 60)
        }

        func end() { process.kill() }

        /// A second of a receiver's life (NMEA 0183).
        static func sentences(_ second: Int) -> String {
            let time = "1200" + (second < 10 ? "0\(second)" : "\(second)") + ".00"
            return [
                "GPGGA,\(time),4715.0000,N,00830.0000,E,1,08,0.9,545.4,M,46.9,M,,",
                "GPGSA,A,3,04,05,09,12,24,25,29,31,,,,,1.5,0.9,1.2",
                "GPRMC,\(time),A,4715.0000,N,00830.0000,E,000.5,054.7,221126,020.3,E",
            ].map { body in
                let sum = body.utf8.reduce(0, ^)
                return "$\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))\r\n"
            }.joined()
        }
    }
#endif
