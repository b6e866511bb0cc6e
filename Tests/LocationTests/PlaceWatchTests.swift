import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// Coming to named places and leaving them.
struct PlaceWatchTests {
    private let member = PublicKey(Places.secret(9))
    private let home = NamedPlace(id: "home", name: "Home", centre: Places.home, radius: 100)

    /// The notices of positions: seconds are their order, values are metres from home and accuracy.
    private func notices(_ fixes: [(Double, Double)], restarts: Bool = true) throws -> [Bool] {
        var watch = PlaceWatch()
        watch.watch([home])
        var found: [Bool] = []
        for (index, value) in fixes.enumerated() {
            let fix = try Places.fix(index * 60, metres: value.0, accuracy: value.1)
            found += watch.receive(fix, of: member, now: fix.moment).map(\.isArrival)
            if restarts { watch = try kept(watch) }
        }
        return found
    }

    private static let journeys: [([(Double, Double)], [Bool])] = [
        // Where somebody is first found is no crossing.
        ([(0, 10)], []), ([(900, 10)], []),
        ([(900, 10), (0, 10)], [true]), ([(0, 10), (900, 10)], [false]),
        ([(900, 10), (0, 10), (0, 10), (20, 10)], [true]),
        ([(0, 10), (900, 10), (0, 10), (900, 10)], [false, true, false]),
        // A circle that lies over the edge, or is larger than the place, decides nothing.
        ([(0, 10), (105, 10), (119, 10), (80, 30), (0, 10)], []), ([(0, 10), (900, 2000), (0, 10)], []),
        ([(900, 10), (0, 101), (0, 5000)], []), ([(900, 10), (95, 10), (95, 5)], [true]),
        ([(0, 10), (131, 10)], [false]), ([(0, 10), (129, 10)], []),
    ]

    @Test("one notice per crossing, none from what does not decide, also over restarts", arguments: journeys)
    func crossings(fixes: [(Double, Double)], arrivals: [Bool]) throws {
        #expect(try notices(fixes) == arrivals)
        #expect(try notices(fixes, restarts: false) == arrivals)
    }

    @Test("standing at the edge never flaps", arguments: [80.0, 100, 110, 120])
    func flapping(metres: Double) throws {
        var random = SeededRandom(seed: 43)
        var watch = PlaceWatch()
        watch.watch([home])
        _ = watch.receive(try Places.fix(0, accuracy: 5), of: member, now: Places.start)
        let edge = Places.home.destination(distance: metres, bearing: 20)
        var notices = 0
        for number in 1...3000 {
            let fix = try Fix(
                place: Places.noisy(edge, metres: 5, &random), accuracy: 12,
                moment: Places.start + .seconds(number * 10))
            notices += watch.receive(fix, of: member, now: fix.moment).count
        }
        #expect(notices <= 1)
    }

    @Test("older positions, and ones from the future, make no crossing out of nothing")
    func order() throws {
        var watch = PlaceWatch()
        watch.watch([home])
        _ = watch.receive(try Places.fix(0), of: member, now: Places.start)
        _ = watch.receive(try Places.fix(100), of: member, now: Places.start + .seconds(100))
        for seconds in [50, 100] {
            let late = try Places.fix(seconds, metres: 900)
            let notices = watch.receive(late, of: member, now: Places.start + .seconds(101))
            #expect(notices.isEmpty)
        }
        let early = try Places.fix(1_000_000, metres: 900)
        let left = watch.receive(early, of: member, now: Places.start + .seconds(200))
        #expect(left.map(\.moment) == [Places.start + .seconds(200)])
        let back = try Places.fix(300)
        let came = watch.receive(back, of: member, now: back.moment)
        #expect(came.map(\.isArrival) == [true])
        #expect(watch.isInside(member, home) == true)
    }

    @Test("a place that was moved is looked at anew; one that was renamed is the same")
    func changes() throws {
        var watch = PlaceWatch()
        watch.watch([home])
        _ = watch.receive(try Places.fix(0), of: member, now: Places.start)
        var renamed = home
        renamed.name = "Nest"
        watch.watch([renamed])
        #expect(watch.isInside(member, renamed) == true)
        let moved = NamedPlace(
            id: "home", name: "Home", centre: Places.home.destination(distance: 5000, bearing: 0), radius: 100)
        watch.watch([moved])
        #expect(watch.isInside(member, moved) == nil)
        let fix = try Places.fix(60)
        let notices = watch.receive(fix, of: member, now: fix.moment)
        #expect(notices.isEmpty)
        watch.keep([])
        #expect(watch.isInside(member, moved) == nil)
        watch.watch((0..<1000).map { NamedPlace(id: "\($0)", name: "", centre: Places.home, radius: 50) })
        #expect(watch.places.count == PlaceWatch.mostPlaces)
    }

    @Test("a radius is held in its range", arguments: [(Double.nan, 50.0), (-1, 50), (1e308, 50_000), (80, 80)])
    func radius(asked: Double, radius: Double) {
        #expect(NamedPlace(id: "x", name: "x", centre: Places.home, radius: asked).radius == radius)
    }
}
