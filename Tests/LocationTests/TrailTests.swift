import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// Where a member has been, as long and as finely as it is kept.
struct TrailTests {
    private func after(_ seconds: Int) -> Timestamp { Places.start + .seconds(seconds) }

    @Test("positions are kept in order, one per second, for the days that were chosen")
    func keeps() throws {
        var trail = Trail(days: 2)
        for seconds in [300, 0, 600, 300, 900] { trail.add(try Places.fix(seconds, metres: 1), now: after(900)) }
        #expect(trail.points.map(\.moment) == [0, 300, 600, 900].map(after))
        trail.forget(now: after(2 * 86_400 + 300))
        #expect(trail.points.map(\.moment) == [300, 600, 900].map(after))
        trail.add(try Places.fix(0), now: after(2 * 86_400 + 301))
        #expect(trail.points.map(\.moment) == [600, 900].map(after))
        trail.keep(days: 1, now: after(86_400 + 700))
        #expect(trail.points.map(\.moment) == [900].map(after))
        #expect(try kept(trail) == trail)
        #expect(!"\(trail)".contains("47"))
    }

    @Test("the days are held in their range", arguments: [(Int.min, 1), (0, 1), (7, 7), (.max, 365)])
    func days(asked: Int, days: Int) {
        #expect(Trail(days: asked).days == days)
    }

    @Test("an even way is its ends; a turn stays, and so does a stop on the way")
    func thins() throws {
        var trail = Trail(days: 1)
        for number in 0...20 { trail.add(try Places.fix(number * 10, metres: Double(number) * 14), now: after(9000)) }
        #expect(trail.thinned(toWithin: 10).count == 2)
        // A stop of ten minutes, which the line alone would not show.
        for number in 0...20 {
            trail.add(try Places.fix(800 + number * 10, metres: 280 + Double(number) * 14), now: after(9000))
        }
        #expect(trail.thinned(toWithin: 10).map(\.moment) == [0, 200, 800, 1000].map(after))
        let corner = Places.home.destination(distance: 560, bearing: 90)
        for number in 1...20 {
            let place = corner.destination(distance: Double(number) * 14, bearing: 0)
            trail.add(try Fix(place: place, accuracy: 5, moment: after(1000 + number * 10)), now: after(9000))
        }
        #expect(trail.thinned(toWithin: 10).map(\.moment) == [0, 200, 800, 1000, 1200].map(after))
        #expect(trail.thinned(toWithin: 1e308).count == 2)
        #expect(trail.thinned(toWithin: .nan).count == 2)
        #expect(trail.thinned(toWithin: -1).count == trail.points.count)
    }

    @Test("over the antimeridian an even way is its ends too")
    func antimeridian() throws {
        var trail = Trail(days: 1)
        let start = Coordinate(wrapping: -17, 179.99)
        for number in 0...20 {
            let place = start.destination(distance: Double(number) * 200, bearing: 90)
            trail.add(try Fix(place: place, accuracy: 5, moment: after(number * 10)), now: after(9000))
        }
        #expect(trail.thinned(toWithin: 10).count == 2)
    }

    @Test("what is left out was nearer than asked to where the others say one was")
    func faithful() throws {
        var random = SeededRandom(seed: 37)
        var trail = Trail(days: 1)
        var place = Places.home
        for number in 0..<600 {
            place = place.destination(
                distance: Double.random(in: 0...60, using: &random), bearing: Double.random(in: 0...180, using: &random)
            )
            trail.add(try Fix(place: place, accuracy: 5, moment: after(number * 30)), now: after(90_000))
        }
        let thin = trail.thinned(toWithin: 100)
        #expect(thin.count < 300)
        for fix in trail.points {
            guard let next = thin.firstIndex(where: { $0.moment >= fix.moment }), next > 0 else { continue }
            let (from, to) = (thin[next - 1], thin[next])
            let part =
                Double(fix.moment.seconds - from.moment.seconds) / Double(to.moment.seconds - from.moment.seconds)
            #expect(from.place.point(towards: to.place, part: part).distance(to: fix.place) < 101)
        }
    }

    @Test("a trail is bounded, also for somebody who jumps about the Earth")
    func bounded() throws {
        var random = SeededRandom(seed: 41)
        var calm = Trail(days: 365)
        var wild = Trail(days: 365)
        for number in 0..<(Trail.mostPoints + 300) {
            calm.add(try Places.fix(number * 10, metres: Double(number % 500)), now: after(number * 10))
            let place = Coordinate(
                wrapping: Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
            wild.add(try Fix(place: place, accuracy: 1, moment: after(number * 10)), now: after(number * 10))
        }
        #expect(calm.points.count <= Trail.mostPoints && wild.points.count <= Trail.mostPoints)
        #expect(calm.points.last?.moment == wild.points.last?.moment)
        #expect(calm.points.first?.moment == after(0))
        #expect(calm.points.count > 300)
    }
}
