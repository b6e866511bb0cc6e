import AsyncPrimitives
import Foundation
import Location
import NostrClient
import NostrCore
import NostrTesting
import Testing
import ViewModels

@testable import linnet

@Suite("Reading from what a person chose", .timeLimit(.minutes(10)))
struct PlaceSourceReadingTests {
    private let clock = ManualClock()
    private let start = Timestamp(seconds: 1_700_000_000)
    private var time: Time<Timestamp> { Time(clock: clock, now: { [clock, start] in start + clock.now.offset }) }

    @Test("a recorded way is read from its file; what is no way, no file or no whole path is refused in one sentence")
    func track() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "way-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "way.gpx").path
        try Data(#"<gpx><trk><trkseg><trkpt lat="47.25" lon="8.5"/></trkseg></trk></gpx>"#.utf8).write(
            to: URL(filePath: file))
        let source = try PlaceSource.track(file: file).reading(time: time) { nil }
        guard case .fix(let fix)? = await source.first(within: .seconds(10)) else {
            Issue.record("no position")
            return
        }
        #expect(fix.place == Coordinate(latitude: 47.25, longitude: 8.5))
        let other = folder.appending(path: "notes.txt").path
        try Data("47.25".utf8).write(to: URL(filePath: other))
        for path in [other, folder.path, "/dev/zero", "/nowhere", "way.gpx", ""] {
            let trouble = #expect(throws: Trouble.self, "\(path)") {
                _ = try PlaceSource.track(file: path).reading(time: time) { nil }
            }
            #expect(trouble?.sentence.contains("47.25") != true)
        }
        #expect(throws: Trouble.self) { _ = try PlaceSource.gpsd(address: "no where").reading(time: time) { nil } }
    }

    @Test("an entered place is told at once and then as often as it is asked; without one that is said")
    func fixed() async throws {
        let place = try #require(Coordinate(latitude: 47.25, longitude: 8.5))
        var readings = KeptPlace(place: { place }, time: time).readings(every: .seconds(30)).makeAsyncIterator()
        #expect(
            await readings.next() == .fix(try Fix(place: place, accuracy: KeptPlace.accuracy, moment: start)))
        async let next = readings.next()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(30))
        let later = try Fix(place: place, accuracy: KeptPlace.accuracy, moment: start + .seconds(30))
        #expect(await next == .fix(later))
        let none = try PlaceSource.fixed.reading(time: time) { nil }
        #expect(await none.first(within: .seconds(10)) == .failure(.noDevice))
        let locked = try PlaceSource.fixed.reading(time: time) { throw CancellationError() }
        #expect(await locked.first(within: .seconds(10)) == .failure(.notAllowed))
    }

    @Test("who looks once waits for a receiver that does not know yet, and not for one that is not there")
    func once() async throws {
        let source = PushedReadings()
        let clock = clock
        let looking = Task { await source.first(within: .seconds(10), clock: clock) }
        await clock.waitForSleepers()
        source.push(.failure(.noFix))
        clock.advance(by: .seconds(10))
        let late = await looking.value
        #expect(late == nil || late == .failure(.noFix))
        let port = LoopbackListener.deadPort
        let gpsd = try PlaceSource.gpsd(address: "127.0.0.1:\(port)").reading(time: time) { nil }
        #expect(await gpsd.first(within: .seconds(60)) == .failure(.sourceGone))
        #expect(PlaceOutcome(.failure(.noDevice)) == .failed(.noDevice) && PlaceOutcome(nil) == .nothing)
    }
}
