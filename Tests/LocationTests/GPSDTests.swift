import AsyncPrimitives
import LocationTesting
import NostrCore
import NostrTesting
import Synchronization
import Testing

@testable import Location

/// The conversation with gpsd, and the source that leads it.
struct GPSDTests {
    private static let version =
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
    private static let devices =
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyUSB0","activated":"2023-11-14T22:13:00.000Z"}]}"#
        + "\r\n"
    private static let fix =
        #"{"class":"TPV","device":"/dev/ttyUSB0","mode":3,"time":"2023-11-14T22:13:10.000Z","lat":47.5,"lon":8.5,"#
        + #""altHAE":450.25,"altMSL":402.1,"alt":402.1,"eph":4.5,"epx":2.1,"epy":3.0,"speed":0.25}"# + "\r\n"
    private static let noFix = #"{"class":"TPV","mode":1}"# + "\n"

    private static func readings(_ text: String) -> [LocationReading] {
        var reports = GPSDReports()
        return reports.receive(text.utf8, now: Places.start).compactMap {
            if case .reading(let reading) = $0 { reading } else { nil }
        }
    }

    @Test("the version is answered with a watch, and positions are read, however the bytes are cut")
    func conversation() throws {
        let text = Self.version + Self.devices + #"{"class":"SKY","satellites":[{"PRN":1}]}"# + "\n" + Self.fix
        let expected = try Fix(
            latitude: 47.5, longitude: 8.5, accuracy: 4.5, moment: Places.start - .seconds(10), altitude: 450.25,
            speed: 0.25)
        let watch = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)
        for size in [1, 7, 4096] {
            var reports = GPSDReports()
            var actions: [GPSDReports.Action] = []
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: size) {
                actions += reports.receive(bytes[start..<min(start + size, bytes.count)], now: Places.start)
            }
            #expect(actions == [.send(watch), .reading(.fix(expected))])
        }
    }

    @Test(
        "modes, missing estimates and receivers that go",
        arguments: [
            (noFix, [LocationReading.failure(.noFix)]), (noFix + noFix, [.failure(.noFix)]),
            (#"{"class":"TPV","mode":0}"# + "\n", [.failure(.noFix)]),
            (#"{"class":"TPV","mode":2,"lat":91,"lon":0}"# + "\n", [.failure(.noFix)]),
            (#"{"class":"TPV","mode":2,"lat":1,"lon":0,"eph":-1}"# + "\n", [.failure(.noFix)]),
            (#"{"class":"DEVICES","devices":[]}"# + "\n", [.failure(.noDevice)]),
            (#"{"class":"DEVICE","path":"/dev/x","activated":0}"# + "\n", [.failure(.noDevice)]),
            (#"{"class":"DEVICE","path":"/dev/x","activated":"2023-11-14T22:13:00Z"}"# + "\n", []),
            (#"{"class":"ERROR","message":"no"}"# + "\n", []), ("\n\n", []), ("not json\n", []), ("[]\n", []),
            (#"{"class":"TPV","mode":"3"}"# + "\n", []), (#"{"class":"TPV","mode":3,"lat":1e999,"lon":0}"# + "\n", []),
            (#"{"class":"TPV","mode":1e30}"# + "\n", []), (fix.replacing("\r\n", with: ""), []),
        ])
    func reports(text: String, readings: [LocationReading]) {
        #expect(Self.readings(text) == readings)
    }

    @Test("without an estimate a pessimistic one is taken, and a receiver whose clock is wrong gets our time")
    func estimates() throws {
        let bare = #"{"class":"TPV","mode":2,"time":"2004-03-31T00:00:00Z","lat":1,"lon":2,"alt":7}"# + "\n"
        let sides = #"{"class":"TPV","mode":3,"lat":1,"lon":2,"epx":3,"epy":4}"# + "\n"
        #expect(
            Self.readings(bare + sides) == [
                .fix(try Fix(latitude: 1, longitude: 2, accuracy: 50, moment: Places.start)),
                .fix(try Fix(latitude: 1, longitude: 2, accuracy: 5, moment: Places.start)),
            ])
    }

    @Test("a line too long or too deep is dropped, and the next one is read")
    func bounds() {
        let long = String(repeating: "x", count: 20_000) + "\n"
        let deep = #"{"class":"TPV","x":"# + String(repeating: "[", count: 5000) + "\n"
        #expect(Self.readings(long + deep + Self.noFix) == [.failure(.noFix)])
        #expect(isShallowJSON(Array(#"{"a":"[[[[\"[[[["}"#.utf8), depth: 1))
        #expect(!isShallowJSON(Array("[[".utf8), depth: 1))
    }

    @Test("noise never traps")
    func noise() {
        Noise.run(Array((Self.version + Self.devices + Self.fix + Self.noFix).utf8), rounds: 1500) { bytes in
            var reports = GPSDReports()
            _ = reports.receive(bytes, now: Timestamp(seconds: .max))
        }
    }

    @Test("a source tells a gpsd that is gone once, tries again, and reads on", .timeLimit(.minutes(10)))
    func source() async throws {
        let clock = ManualClock()
        let now = { @Sendable in Places.start }
        let connector = ScriptedGPSD([nil, nil, [Self.version, Self.fix], [Self.noFix]])
        let source = GPSDSource(connector, time: Time(clock: clock, now: now))
        var readings = source.readings(every: .seconds(10)).makeAsyncIterator()
        #expect(await readings.next() == .failure(.sourceGone))
        async let next = readings.next()
        for pause in [1, 2] {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(pause))
        }
        guard case .fix? = await next else {
            Issue.record("no position")
            return
        }
        #expect(connector.sent == ["?WATCH={\"enable\":true,\"json\":true};\n"])
        #expect(await readings.next() == .failure(.sourceGone))
    }

    @Test("a source that is asked seldom hangs up in between", .timeLimit(.minutes(10)))
    func rests() async throws {
        let clock = ManualClock()
        let now = { @Sendable in Places.start + clock.now.offset }
        let connector = ScriptedGPSD([[Self.version, Self.fix, Self.fix], [Self.fix]])
        var readings = GPSDSource(connector, time: Time(clock: clock, now: now)).readings(every: .seconds(900))
            .makeAsyncIterator()
        guard case .fix? = await readings.next() else {
            Issue.record("no position")
            return
        }
        #expect(connector.closed == 1)
        async let next = readings.next()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(900))
        guard case .fix? = await next else {
            Issue.record("no position")
            return
        }
        #expect(connector.closed == 2)
    }
}

/// A gpsd that says what a test wrote, connection by connection; `nil` refuses one.
private final class ScriptedGPSD: GPSDConnector {
    private struct State {
        var connections: [[String]?]
        var sent: [String] = []
        var closed = 0
    }

    private let state: Mutex<State>

    init(_ connections: [[String]?]) {
        state = Mutex(State(connections: connections))
    }

    var sent: [String] { state.withLock { $0.sent } }
    var closed: Int { state.withLock { $0.closed } }

    func connect() async throws -> any GPSDConnection {
        let lines = state.withLock { $0.connections.isEmpty ? nil : $0.connections.removeFirst() }
        guard let lines else { throw CancellationError() }
        return Connection(gpsd: self, lines: lines)
    }

    private final class Connection: GPSDConnection {
        let gpsd: ScriptedGPSD
        let lines: Mutex<[String]>

        init(gpsd: ScriptedGPSD, lines: [String]) {
            self.gpsd = gpsd
            self.lines = Mutex(lines)
        }

        func send(_ bytes: [UInt8]) async throws {
            gpsd.state.withLock { $0.sent.append(String(decoding: bytes, as: UTF8.self)) }
        }

        func receive() async throws -> [UInt8]? {
            lines.withLock { $0.isEmpty ? nil : Array($0.removeFirst().utf8) }
        }

        func close() async { gpsd.state.withLock { $0.closed += 1 } }
    }
}
