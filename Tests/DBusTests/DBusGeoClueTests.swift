import AsyncPrimitives
import Location

#if os(Linux)
    import Foundation
    import NostrCore
    import NostrTesting
    import Testing

    @testable import DBus

    /// GeoClue's interfaces on a bus of this test's own.
    @Suite("GeoClue over D-Bus", .serialized, .enabled(if: PrivateBus.isInstalled), .timeLimit(.minutes(10)))
    struct DBusGeoClueTests {
        private static func client(_ bus: PrivateBus) -> DBusGeoClue { client(at: bus.address) }

        /// One that is patient with a bus and a service on a slow machine.
        private static func client(at address: String) -> DBusGeoClue {
            DBusGeoClue(
                bus: address, patience: DBusConnection.Patience(opening: .seconds(100), answer: .seconds(100)),
                consent: .seconds(100))
        }

        private static func place(_ number: Int) -> GeoClueLocation {
            GeoClueLocation(
                latitude: 47.25 + Double(number), longitude: 8.5, accuracy: 30, seconds: 1_700_000_000 + UInt64(number))
        }

        @Test("a service that is asked rightly tells where one is, again and again, until it is told to stop")
        func granted() async throws {
            let bus = try await PrivateBus(playing: "walks")
            let client = Self.client(bus)
            try await client.start(every: .seconds(30))
            for number in 0..<5 { #expect(try await client.next() == Self.place(number)) }
            await client.stop()
            #expect(try await bus.line() == "stopped")
            await #expect(throws: GeoClueProblem.gone) { _ = try await client.next() }
            try await client.start(every: .seconds(30))
            #expect(try await client.next().longitude == 8.5)
            await client.stop()
        }

        @Test("a source over it gives positions, and says that the service is gone when it dies")
        func source() async throws {
            let bus = try await PrivateBus(playing: "walks")
            let clock = ManualClock()
            let now = Timestamp(seconds: 1_800_000_000)
            let source = GeoClueSource(time: Time(clock: clock, now: { now })) { Self.client(bus) }
            var readings = source.readings(every: .seconds(30)).makeAsyncIterator()
            for number in 0..<2 { #expect(await readings.next() == Self.place(number).reading(now: now)) }
            bus.endService()
            var last = await readings.next()
            // One that was on its way may come first.
            if case .fix? = last { last = await readings.next() }
            #expect(last == .failure(.sourceGone))
        }

        @Test("who is denied is told so; a service that is not there, and a bus that is not there, are none")
        func refusals() async throws {
            let denying = try await PrivateBus(playing: "denies")
            await #expect(throws: GeoClueProblem.accessDenied) {
                try await Self.client(denying).start(every: .seconds(30))
            }
            let empty = try await PrivateBus(playing: nil)
            await #expect(throws: GeoClueProblem.noService) {
                try await Self.client(empty).start(every: .seconds(30))
            }
            for address in ["unix:path=/nowhere/bus", "tcp:host=127.0.0.1,port=1", ""] {
                await #expect(throws: GeoClueProblem.noService) {
                    try await Self.client(at: address).start(every: .seconds(30))
                }
            }
        }

        @Test(
            "a service that dies, or leaves its name, is gone; so is a bus that ends",
            arguments: ["dies", "leaves", "asks"])
        func gone(play: String) async throws {
            let bus = try await PrivateBus(playing: play)
            let client = Self.client(bus)
            try await client.start(every: .seconds(30))
            if play == "asks" { bus.end() }
            await #expect(throws: GeoClueProblem.gone) { while true { _ = try await client.next() } }
            await client.stop()
        }

        @Test("positions taken back, of odd types or from somebody else are passed over", arguments: ["skips", "lies"])
        func passedOver(play: String) async throws {
            let bus = try await PrivateBus(playing: play)
            let client = Self.client(bus)
            try await client.start(every: .seconds(30))
            #expect(try await client.next() == Self.place(1))
            await client.stop()
        }

        @Test("who is cancelled while no position comes is let go, and the bus forgets them")
        func cancelled() async throws {
            let bus = try await PrivateBus(playing: "asks")
            let client = Self.client(bus)
            try await client.start(every: .seconds(30))
            let waiting = Task { try await client.next() }
            waiting.cancel()
            await #expect(throws: GeoClueProblem.gone) { _ = try await waiting.value }
            await client.stop()
            let other = try await DBusConnection.open(bus.address)
            var names: [String] = []
            // The bus hears of the end in its own time: it is asked until it has.
            repeat {
                let answer = try await other.call(
                    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
                guard case .array(_, let values)? = answer.body.first else { break }
                names = values.compactMap { if case .string(let name) = $0, name.hasPrefix(":") { name } else { nil } }
            } while names.count > 3
            #expect(names.count == 3)
            await other.close()
        }

        @Test("an answer that does not come is waited for no longer than was said")
        func late() async throws {
            let bus = try await PrivateBus(playing: "asks")
            let connection = try await DBusConnection.open(bus.address)
            // A name that nobody answers for: one's own, for nobody reads here but for the answer.
            let hello = try await connection.call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames")
            let own = try #require(hello.destination)
            await #expect(throws: DBusProblem.noReply) {
                _ = try await connection.call(own, "/", "org.example", "Nothing", within: .milliseconds(200))
            }
            await #expect(throws: DBusProblem.gone) { while true { _ = try await connection.signal() } }
        }
    }

    /// A message bus, and a service on it, both of this test's own.
    private final class PrivateBus: Sendable {
        let address: String
        private let folder: URL
        private let bus: ChildProcess
        private let service: ChildProcess?

        private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        private static let python = root.appending(path: ".venv-peers/bin/python").path
        private static let daemon = "/usr/bin/dbus-daemon"

        /// Whether both can be; insists on it in CI.
        static let isInstalled: Bool = {
            let missing = [daemon, python].filter { !FileManager.default.isExecutableFile(atPath: $0) }
            if missing.isEmpty { return true }
            print("skipped: GeoClue is not tested without \(missing); scripts/setup.sh test installs them")
            return ProcessInfo.processInfo.environment["CI"] == "true"
        }()

        /// Starts a bus, and on it a service with one of its plays; nil for a bus without.
        init(playing play: String?) async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "bus-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let configuration = folder.appending(path: "bus.conf")
            try Data(
                """
                <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
                 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
                <busconfig><type>custom</type><listen>unix:path=\(folder.path)/socket</listen><auth>EXTERNAL</auth>
                <policy context="default"><allow user="*"/><allow own="*"/><allow send_type="*"/><allow receive_type="*"/>
                </policy></busconfig>
                """.utf8
            ).write(to: configuration)
            bus = try ChildProcess(
                Self.daemon, ["--config-file=\(configuration.path)", "--nofork", "--print-address=1"], killedAfter: 500)
            let bus = bus
            address = try await Self.line(of: bus)
            self.folder = folder
            guard let play else {
                service = nil
                return
            }
            let script = Self.root.appending(path: "Tests/Interop/Peers/geoclue_service.py").path
            let service = try ChildProcess(Self.python, [script, address, play], killedAfter: 500)
            self.service = service
            try #require(try await Self.line(of: service) == "ready")
        }

        /// The next line of the service.
        func line() async throws -> String {
            try await Self.line(of: try #require(service))
        }

        func endService() { service?.kill() }

        func end() { bus.kill() }

        private static func line(of process: ChildProcess) async throws -> String {
            try await ChildProcess.onOwnThread {
                var line: [UInt8] = []
                while !line.contains(0x0A) {
                    let read = process.read()
                    if read.isEmpty { break }
                    line += read
                }
                return String(decoding: line.prefix { $0 != 0x0A }, as: UTF8.self)
            }
        }

        deinit {
            // What stays there is in the way of nobody.
            try? FileManager.default.removeItem(at: folder)
        }
    }
#endif
