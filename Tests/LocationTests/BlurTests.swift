import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// Blur that many messages do not take away.
struct BlurTests {
    private static let sizes: [Double] = [10, 50, 200, 1000, 5000]

    private func fix(_ place: Coordinate, accuracy: Double = 8) throws -> Fix {
        try Fix(place: place, accuracy: accuracy, moment: Places.start, altitude: 431, speed: 1, battery: 50)
    }

    /// Points everywhere, many of them near the poles and the antimeridian.
    private func anywhere(_ random: inout SeededRandom) -> Coordinate {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            Coordinate(
                wrapping: 90 - Double.random(in: 0...0.2, using: &random), Double.random(in: -180...180, using: &random)
            )
        case 1:
            Coordinate(
                wrapping: Double.random(in: 0...0.2, using: &random) - 90, Double.random(in: -180...180, using: &random)
            )
        case 2:
            Coordinate(
                wrapping: Double.random(in: -89...89, using: &random), Double.random(in: 179.9...180.1, using: &random))
        default:
            Coordinate(
                wrapping: Double.random(in: -90...90, using: &random), Double.random(in: -180...180, using: &random))
        }
    }

    @Test(
        "the accuracy told covers the true place everywhere, also while it drifts and is measured badly",
        arguments: sizes)
    func honest(size: Double) throws {
        var random = SeededRandom(seed: UInt64(size))
        for round in 0..<150 {
            var blur = Blur(size: size, secret: Places.secret(UInt64(round)))
            var place = anywhere(&random)
            for _ in 0..<12 {
                let accuracy = [1, size / 4, size, 3 * size][Int.random(in: 0..<4, using: &random)]
                let truth = place.destination(
                    distance: Double.random(in: 0...accuracy, using: &random),
                    bearing: Double.random(in: 0..<360, using: &random))
                let told = blur.blurred(try fix(place, accuracy: accuracy), isStill: Bool.random(using: &random))
                let slack = accuracy <= size / 4 ? accuracy : 0
                #expect(told.place.distance(to: truth) <= told.accuracy + slack)
                #expect(told.altitude == nil && told.speed == nil && told.battery == 50)
                place = place.destination(
                    distance: Double.random(in: 0...size / 2, using: &random),
                    bearing: Double.random(in: 0..<360, using: &random))
            }
        }
    }

    @Test("cells are about as large as asked at every latitude", arguments: sizes)
    func equalArea(size: Double) {
        var random = SeededRandom(seed: 3)
        for _ in 0..<1500 {
            let grid = BlurGrid(size: size, secret: Places.secret(random.next()))
            let place = anywhere(&random)
            let cell = grid.cell(of: place)
            #expect(grid.distance(of: place, outside: cell) <= size * 1e-6)
            let centre = grid.centre(of: cell)
            #expect(grid.cell(of: centre) == cell)
            let isRound = abs(centre.latitude) == 90
            // Half the diagonal of a square is 0.71 of its side; columns near a pole are up to a fifth wider.
            #expect((isRound ? 1...2 : 0.6...0.95).contains(grid.reach(of: cell) / size))
        }
    }

    @Test("the share of a cell in the area of the Earth is the same from the equator to the poles")
    func area() {
        let grid = BlurGrid(size: 5000, secret: Places.secret)
        var random = SeededRandom(seed: 5)
        for latitude in [0.0, 30, -60, 80, -88, 89.5] {
            let middle = Coordinate(wrapping: latitude, 179.99)
            // Points even in area around here; how many distinct cells they hit tells how large the cells are.
            var cells: Set<BlurGrid.Cell> = []
            for _ in 0..<6_000 {
                let metres = 50_000 * Double.random(in: 0...1, using: &random).squareRoot()
                let place = middle.destination(distance: metres, bearing: Double.random(in: 0..<360, using: &random))
                cells.insert(grid.cell(of: place))
            }
            // The circle holds 314 cells whole or in part, and cuts about 50 more at its edge.
            #expect((310...400).contains(cells.count))
        }
    }

    @Test("10 000 messages from one place tell no more than one", arguments: sizes)
    func averaging(size: Double) throws {
        for seed in 0..<2 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var blur = Blur(size: size, secret: Places.secret(seed))
            let home = Places.home.destination(distance: Double(seed) * 37, bearing: 45)
            let first = try blur.blurred(fix(home))
            var (north, east) = (0.0, 0.0)
            for number in 0..<10_000 {
                let seen = Places.noisy(home, metres: size / 20, &random)
                let told = try blur.blurred(fix(seen), isStill: number > 10)
                north += told.place.latitude - first.place.latitude
                east += told.place.longitude - first.place.longitude
                if told != first { break }
            }
            #expect(north == 0 && east == 0)
        }
    }

    /// A place on a border of the grid, and the direction in which the other cell lies.
    private func border(_ size: Double) -> (Coordinate, BlurGrid) {
        let grid = BlurGrid(size: size, secret: Places.secret)
        let first = grid.cell(of: Places.home)
        var (low, high) = (0.0, size * 1.5)
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if grid.cell(of: Places.home.destination(distance: middle, bearing: 90)) == first {
                low = middle
            } else {
                high = middle
            }
        }
        return (Places.home.destination(distance: low, bearing: 90), grid)
    }

    @Test("resting on a border does not flicker", arguments: sizes)
    func restsOnBorder(size: Double) throws {
        let (edge, _) = border(size)
        var random = SeededRandom(seed: 11)
        var blur = Blur(size: size, secret: Places.secret)
        var told: Set<Coordinate> = []
        for number in 0..<10_000 {
            told.insert(
                try blur.blurred(fix(Places.noisy(edge, metres: size / 20, &random)), isStill: number > 3).place)
        }
        #expect(told.count == 1)
    }

    @Test("crossing a border back and forth tells the two cells, and nothing in between", arguments: sizes)
    func crossing(size: Double) throws {
        let (edge, grid) = border(size)
        var random = SeededRandom(seed: 13)
        var blur = Blur(size: size, secret: Places.secret)
        var told: Set<Coordinate> = []
        var accuracies: Set<Double> = []
        var changes = 0
        var last: Coordinate?
        for lap in 0..<60 {
            for step in -10...10 {
                let metres = Double(lap.isMultiple(of: 2) ? step : -step) * size / 20
                let place = edge.destination(distance: metres, bearing: 90)
                let seen = try blur.blurred(fix(Places.noisy(place, metres: size / 100, &random), accuracy: size / 10))
                told.insert(seen.place)
                accuracies.insert(seen.accuracy)
                if let last, last != seen.place { changes += 1 }
                last = seen.place
            }
        }
        let west = grid.centre(of: grid.cell(of: edge.destination(distance: size / 2, bearing: 270)))
        let east = grid.centre(of: grid.cell(of: edge.destination(distance: size / 2, bearing: 90)))
        #expect(told == [west, east])
        // Once a lap at most: not a message of the noise on the way.
        #expect(changes <= 60)
        #expect(accuracies.count == 1)
    }

    @Test("coming home to a border from all sides for months tells one cell", arguments: sizes)
    func comesHome(size: Double) throws {
        let (edge, _) = border(size)
        // A fix worse than the margin marks no place of rest.
        let accuracy = min(8, size / 4)
        var random = SeededRandom(seed: 17)
        var blur = Blur(size: size, secret: Places.secret)
        var atHome: Set<Coordinate> = []
        for day in 0..<120 {
            let bearing = Double.random(in: 0..<360, using: &random)
            for step in (0...40).reversed() {
                let place = edge.destination(distance: Double(step) * size / 8, bearing: bearing)
                _ = try blur.blurred(fix(Places.noisy(place, metres: size / 50, &random), accuracy: accuracy))
            }
            for _ in 0..<20 {
                let fix = try fix(Places.noisy(edge, metres: size / 50, &random), accuracy: accuracy)
                atHome.insert(blur.blurred(fix, isStill: true).place)
            }
            if day == 60 { blur = try kept(blur) }
        }
        #expect(atHome.count == 1)
    }

    @Test("a position worse than a cell changes no cell, and is told no better than it is")
    func bad() throws {
        var blur = Blur(size: 500, secret: Places.secret)
        let first = try blur.blurred(fix(Places.home))
        let away = Places.home.destination(distance: 3000, bearing: 10)
        let vague = try blur.blurred(fix(away, accuracy: 5000))
        #expect(vague.place == first.place)
        #expect(vague.accuracy >= 5000)
        #expect(try blur.blurred(fix(away, accuracy: 20)).place != first.place)
        #expect(try blur.blurred(fix(away, accuracy: Coordinate.farthest)).accuracy == Coordinate.farthest)
    }

    @Test("circles see different cells, and the same circle the same for ever")
    func secrets() throws {
        var told: Set<Coordinate> = []
        for seed in 0..<20 as Range<UInt64> {
            var blur = Blur(size: 1000, secret: Places.secret(seed))
            var again = Blur(size: 1000, secret: Places.secret(seed))
            let place = try blur.blurred(fix(Places.home)).place
            #expect(try again.blurred(fix(Places.home)).place == place)
            told.insert(place)
        }
        #expect(told.count == 20)
    }

    @Test(
        "the size is held in its range",
        arguments: [(Double.nan, 5000.0), (-1, 10), (0, 10), (10, 10), (1e308, 5000), (777, 777)])
    func range(asked: Double, size: Double) {
        #expect(Blur(size: asked, secret: Places.secret).size == size)
    }

    @Test("places of rest are bounded, and a hostile record does not trap")
    func bounds() throws {
        var blur = Blur(size: 50, secret: Places.secret)
        for number in 0..<200 {
            let place = Places.home.destination(distance: Double(number) * 500, bearing: 0)
            _ = try blur.blurred(fix(place), isStill: true)
        }
        #expect(blur.rests.count == Blur.mostRests)
        #expect(try kept(blur) == blur)
        for row in [Int.min, -1, 0, 1, .max] {
            let cell = BlurGrid.Cell(row: row, column: row)
            let grid = BlurGrid(size: 50, secret: Places.secret)
            #expect(grid.reach(of: cell).isFinite && grid.distance(of: Places.home, outside: cell).isFinite)
        }
    }
}
