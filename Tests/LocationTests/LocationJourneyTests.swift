import AsyncPrimitives
import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// One member's day from the source to another member's map, in simulated time.
struct LocationJourneyTests {
    /// What another member sees.
    private struct Reader {
        var place = MemberPlace()
        var watch = PlaceWatch()
        var trail = Trail(days: 2)
        var notices: [PlaceNotice] = []
        var worstAge = 0
        let member = PublicKey(Places.secret(77))

        mutating func read(_ shared: SharedPlace, now: Timestamp) {
            place.receive(shared, now: now)
            for fix in shared.trail + (shared.isKnown ? [] : [shared.fix]) {
                trail.add(fix, now: now)
                notices += watch.receive(fix, of: member, now: now)
            }
        }
    }

    /// Home for an hour, 6 km to school in twenty minutes, four hours there, and back.
    private func day() throws -> (GPXTrack, school: Coordinate) {
        let school = Places.home.destination(distance: 6000, bearing: 120)
        let stops = [(0, Places.home), (3600, Places.home), (4800, school), (19_200, school), (20_400, Places.home)]
        let points = stops.map { GPXTrack.Point(place: $0.1, moment: Places.start + .seconds($0.0)) }
        let rest = GPXTrack.Point(place: Places.home, moment: Places.start + .seconds(30_000))
        return (try #require(GPXTrack(segments: [points + [rest]])), school)
    }

    private func live(_ settings: SharingSettings, isOffline: (Int) -> Bool) throws -> Reader {
        let (track, school) = try day()
        let clock = ManualClock()
        let now = { @Sendable in Places.start }
        let source = try GPXReplay(track, from: Places.start, time: Time(clock: clock, now: now))
        var reader = Reader()
        reader.watch.watch([
            NamedPlace(id: "home", name: "Home", centre: Places.home, radius: 150),
            NamedPlace(id: "school", name: "School", centre: school, radius: 150),
        ])
        var sharing = LocationSharing(settings, blurSecret: Places.secret)
        var (nextLook, every, wake) = (0, 0, Int?.none)
        var isConnected = false
        for seconds in 0..<30_000 {
            let now = Places.start + .seconds(seconds)
            var inputs: [LocationSharing.Input] = []
            if isConnected == isOffline(seconds) {
                isConnected.toggle()
                inputs.append(isConnected ? .connected : .disconnected)
            }
            if seconds >= nextLook, case .fix(let fix)? = source.reading(at: now) {
                inputs.append(.fix(fix))
                nextLook = seconds + every
            }
            if let due = wake, due <= seconds { inputs.append(.tick) }
            while let input = inputs.popLast() {
                for action in sharing.receive(input, now: now) {
                    switch action {
                    case .send(let shared, let number):
                        reader.read(shared, now: now)
                        inputs.append(.sent(number))
                    case .warnOfBattery: break
                    case .look(let span):
                        every = Int(span?.components.seconds ?? 100_000)
                        nextLook = seconds + 1
                    case .wait(let until): wake = until.map { Int($0.seconds - Places.start.seconds) }
                    }
                }
            }
            if reader.place.staleness(now: now, local: .hour) != nil { reader.worstAge += 1 }
        }
        return reader
    }

    @Test(
        "others see who leaves and who comes, once each, and no pin grows old", arguments: [10, 300, 900])
    func connected(interval: Int) throws {
        let reader = try live(SharingSettings(interval: .init(clamping: interval))) { _ in false }
        #expect(reader.notices.map(\.place) == ["home", "school", "school", "home"])
        #expect(reader.notices.map(\.isArrival) == [false, true, false, true])
        #expect(reader.worstAge == 0)
        #expect(try #require(reader.place.fix).place.distance(to: Places.home) < 30)
    }

    @Test("who was without a network all the way is seen there, and with a trail on the way too")
    func offline() throws {
        let without = try live(SharingSettings(interval: .fiveMinutes)) { (3000..<25_000).contains($0) }
        #expect(without.notices.isEmpty)
        let with = try live(SharingSettings(interval: .fiveMinutes, keepsTrail: true)) {
            (3000..<25_000).contains($0)
        }
        #expect(with.notices.map(\.isArrival) == [false, true, false, true])
        #expect(with.trail.points.count > without.trail.points.count)
    }

    @Test("a blurred day shows cells only, and no notice of a place smaller than they are")
    func blurred() throws {
        let reader = try live(SharingSettings(interval: .fiveMinutes, blur: 1000)) { _ in false }
        #expect(reader.notices.isEmpty)
        #expect(Set(reader.trail.points.map(\.place)).count < 12)
        #expect(reader.trail.points.allSatisfy { $0.accuracy > 500 })
    }
}
