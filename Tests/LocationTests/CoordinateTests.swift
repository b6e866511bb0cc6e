import LocationTesting
import NostrTesting
import Testing

@testable import Location

/// The Earth as a sphere.
struct CoordinateTests {
    @Test(
        "takes degrees and nothing else",
        arguments: [
            (90.0, 180.0, true), (-90, -180, true), (90.001, 0, false), (0, 180.001, false), (.nan, 0, false),
            (0, .nan, false), (.infinity, 0, false), (0, -.infinity, false), (1e308, 0, false),
        ])
    func range(latitude: Double, longitude: Double, isTaken: Bool) {
        #expect((Coordinate(latitude: latitude, longitude: longitude) != nil) == isTaken)
    }

    @Test("both names of the antimeridian and of zero are one place")
    func names() throws {
        let east = try #require(Coordinate(latitude: 0, longitude: 180))
        let west = try #require(Coordinate(latitude: -0.0, longitude: -180))
        #expect(east == west)
        #expect(west.latitude.sign == .plus)
    }

    /// Distances on the mean sphere, computed by hand from known arcs.
    @Test(
        "distances and bearings are those of the great circle",
        arguments: [
            ((0.0, 0.0), (0.0, 90.0), 10_007_557.2, 90.0),
            ((0, 0), (90, 0), 10_007_557.2, 0),
            ((0, 179.5), (0, -179.5), 111_195.1, 90),
            ((0, -179.5), (0, 179.5), 111_195.1, 270),
            ((89, 0), (89, 180), 222_390.2, 0),
            ((0, 0), (0, -180), 20_015_114.4, 270),
            ((51.5074, -0.1278), (48.8566, 2.3522), 343_556, 148.1),
        ])
    func arcs(from: (Double, Double), to: (Double, Double), metres: Double, bearing: Double) throws {
        let a = try #require(Coordinate(latitude: from.0, longitude: from.1))
        let b = try #require(Coordinate(latitude: to.0, longitude: to.1))
        #expect(abs(a.distance(to: b) - metres) < 1)
        #expect(abs(b.distance(to: a) - metres) < 1)
        #expect(abs(a.bearing(to: b) - bearing) < 0.1)
    }

    @Test("going some way arrives at that distance in that direction, also over poles and the antimeridian")
    func destinations() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<2000 {
            let start = Coordinate(
                wrapping: Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
            let metres = Double.random(in: 1...19_000_000, using: &random)
            let bearing = Double.random(in: 0..<360, using: &random)
            let end = start.destination(distance: metres, bearing: bearing)
            #expect(abs(start.distance(to: end) - metres) < 0.5)
            let turn = (start.bearing(to: end) - bearing).remainder(dividingBy: 360)
            // Near a pole or the far side of the Earth a bearing means little.
            if abs(start.latitude) < 89, metres < 15_000_000 { #expect(abs(turn) < 0.01) }
            #expect((-90...90).contains(end.latitude) && (-180..<180).contains(end.longitude))
        }
    }

    @Test("no number traps", arguments: [Double.nan, .infinity, -.infinity, 1e308, -1e308, .leastNonzeroMagnitude])
    func hostile(number: Double) {
        let place = Coordinate(wrapping: number, number)
        #expect((-90...90).contains(place.latitude) && (-180..<180).contains(place.longitude))
        let end = Places.home.destination(distance: number, bearing: number)
        #expect(end.distance(to: Places.home).isFinite)
        #expect(Places.home.point(towards: place, part: 0.5).distance(to: place).isFinite)
    }

    @Test("a description tells no place")
    func description() throws {
        let fix = try Places.fix(0)
        for text in ["\(Places.home)", String(reflecting: Places.home), "\(fix)", String(reflecting: [fix])] {
            #expect(!text.contains("47"))
        }
    }
}
