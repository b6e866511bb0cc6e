import AsyncPrimitives
import LocationTesting
import NostrCore
import NostrTesting
import Synchronization
import Testing

@testable import Location

/// The sources that are neither a file nor gpsd.
struct LocationSourceTests {
    @Test("a fixed place tells at once, and then as often as it is asked", .timeLimit(.minutes(10)))
    func fixed() async throws {
        let clock = ManualClock()
        let now = { @Sendable in Places.start + clock.now.offset }
        var readings = try FixedPlace(Places.home, time: Time(clock: clock, now: now)).readings(every: .seconds(30))
            .makeAsyncIterator()
        #expect(await readings.next() == .fix(try Places.fix(0)))
        async let next = readings.next()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        #expect(await next == .fix(try Places.fix(30)))
        #expect(throws: FixProblem.accuracy) {
            try FixedPlace(Places.home, accuracy: .nan, time: Time(clock: clock, now: now))
        }
    }

    @Test("a reader who leaves ends a source that waits", .timeLimit(.minutes(10)))
    func leaves() async throws {
        let clock = ManualClock()
        let now = { @Sendable in Places.start }
        let readings = try FixedPlace(Places.home, time: Time(clock: clock, now: now)).readings(every: .zero)
        let reader = Task {
            var count = 0
            for await _ in readings { count += 1 }
            return count
        }
        await clock.waitForSleepers()
        reader.cancel()
        #expect(await reader.value == 1)
    }

    @Test("a replay over its end says that it is gone, and ends", .timeLimit(.minutes(10)))
    func replayEnds() async throws {
        let clock = ManualClock()
        let track = try #require(GPXTrack(segments: [[.init(place: Places.home)]]))
        let now = { @Sendable in Places.start + clock.now.offset }
        let replay = try GPXReplay(track, from: Places.start, time: Time(clock: clock, now: now))
        var readings = replay.readings(every: .seconds(5)).makeAsyncIterator()
        guard case .fix? = await readings.next() else {
            Issue.record("no position")
            return
        }
        async let gone = readings.next()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        #expect(await gone == .failure(.sourceGone))
    }

    @Test("of what is pushed the newest waits; a later reader takes over", .timeLimit(.minutes(10)))
    func pushed() async throws {
        let source = PushedReadings()
        source.push(.failure(.noFix))
        #expect(!source.isRead)
        var first = source.readings(every: .seconds(1)).makeAsyncIterator()
        source.push(.failure(.noDevice))
        source.push(.fix(try Places.fix(1)))
        #expect(await first.next() == .fix(try Places.fix(1)))
        var second = source.readings(every: .seconds(1)).makeAsyncIterator()
        #expect(await first.next() == nil)
        #expect(source.isRead)
        source.push(.failure(.notAllowed))
        #expect(await second.next() == .failure(.notAllowed))
    }

    @Test(
        "what a browser gives is read",
        arguments: [
            (#"{"code":1,"message":"User denied"}"#, LocationReading?.some(.failure(.notAllowed))),
            (#"{"code":2}"#, .failure(.noFix)), (#"{"code":3}"#, .failure(.noFix)), (#"{"code":4}"#, nil), ("{}", nil),
            ("", nil), (#"{"coords":null}"#, nil), (#"{"coords":{"latitude":1,"longitude":2}}"#, nil),
            (#"{"coords":{"latitude":1,"longitude":200,"accuracy":3},"timestamp":1}"#, .failure(.noFix)),
            (#"{"coords":{"latitude":1,"longitude":2,"accuracy":-3},"timestamp":1}"#, .failure(.noFix)),
            (String(repeating: "[", count: 4000), nil), (String(repeating: " ", count: 5000) + #"{"code":1}"#, nil),
        ])
    func browser(json: String, reading: LocationReading?) {
        #expect(BrowserPosition(json: Array(json.utf8), now: Places.start)?.reading == reading)
    }

    @Test(
        "a browser's position has its numbers; its date counts unless it is later than now or none",
        arguments: [
            ("1699999990500", -10), ("1700000900000", 0), ("1e300", 0), ("-5", 0), ("null", 0), ("1700000000000.5", 0),
        ])
    func browserPosition(timestamp: String, offset: Int) throws {
        let json = """
            {"coords":{"accuracy":12.5,"latitude":47.25,"longitude":8.5,"altitude":null,"altitudeAccuracy":null,
            "heading":null,"speed":1.5},"timestamp":\(timestamp),"battery":0.195}
            """
        let expected = try Fix(
            latitude: 47.25, longitude: 8.5, accuracy: 12.5, moment: Places.start + .seconds(offset), speed: 1.5,
            battery: 20)
        #expect(BrowserPosition(json: Array(json.utf8), now: Places.start)?.reading == .fix(expected))
        _ = BrowserPosition(json: Array(json.utf8), now: Timestamp(seconds: .min))
    }

    @Test(
        "the charge of a battery is whole percent",
        arguments: [(0.0, 0), (1, 100), (0.5, 50), (1.01, nil), (.nan, nil)])
    func level(level: Double, percent whole: Int?) {
        #expect(percent(ofLevel: level) == whole)
    }

    @Test("what GeoClue does not know is left out, and hostile numbers are no position")
    func geoClue() throws {
        let known = GeoClueLocation(latitude: 1, longitude: 2, accuracy: 30, seconds: 1_699_999_999)
        #expect(
            known.reading(now: Places.start)
                == .fix(try Fix(latitude: 1, longitude: 2, accuracy: 30, moment: Places.start - .seconds(1))))
        for number in [Double.nan, .infinity, -1e308] {
            let odd = GeoClueLocation(
                latitude: 1, longitude: 2, accuracy: 30, altitude: number, speed: number, seconds: .max)
            #expect(
                odd.reading(now: Places.start)
                    == .fix(try Fix(latitude: 1, longitude: 2, accuracy: 30, moment: Places.start)))
            let none = GeoClueLocation(latitude: number, longitude: 2, accuracy: 30)
            #expect(none.reading(now: Places.start) == .failure(.noFix))
        }
    }

    @Test("a GeoClue that says no is told once, and asked again each minute", .timeLimit(.minutes(10)))
    func geoClueSource() async throws {
        let clock = ManualClock()
        let now = { @Sendable in Places.start }
        let client = ScriptedGeoClue([.accessDenied, .accessDenied, nil])
        var readings = GeoClueSource(time: Time(clock: clock, now: now)) { client }.readings(every: .seconds(300))
            .makeAsyncIterator()
        #expect(await readings.next() == .failure(.notAllowed))
        async let next = readings.next()
        for _ in 0..<2 {
            await clock.waitForSleepers()
            clock.advance(by: .seconds(60))
        }
        guard case .fix? = await next else {
            Issue.record("no position")
            return
        }
        #expect(await readings.next() == .failure(.sourceGone))
        #expect(client.starts == [300, 300, 300])
    }
}

/// A location service that starts as a test says, tells one position and goes.
private final class ScriptedGeoClue: GeoClueClient {
    private let problems: Mutex<[GeoClueProblem?]>
    private let state = Mutex<(starts: [Int64], hasTold: Bool)>(([], false))

    init(_ problems: [GeoClueProblem?]) {
        self.problems = Mutex(problems)
    }

    var starts: [Int64] { state.withLock { $0.starts } }

    func start(every interval: Duration) async throws(GeoClueProblem) {
        state.withLock { $0.starts.append(interval.components.seconds) }
        let problem = problems.withLock { $0.isEmpty ? .noService : $0.removeFirst() }
        if let problem { throw problem }
    }

    func next() async throws(GeoClueProblem) -> GeoClueLocation {
        let isFirst = state.withLock { state in
            defer { state.hasTold = true }
            return !state.hasTold
        }
        guard isFirst else { throw .gone }
        return GeoClueLocation(latitude: 1, longitude: 2, accuracy: 30)
    }

    func stop() async {}
}
