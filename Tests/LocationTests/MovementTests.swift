import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// Moving and resting, told from positions alone.
struct MovementTests {
    /// The state after positions of these seconds and metres east of home.
    private func state(_ fixes: [(Int, Double)], accuracy: Double = 10) throws -> Movement {
        var movement = Movement()
        for (seconds, metres) in fixes {
            movement.record(try Places.fix(seconds, metres: metres, accuracy: accuracy))
        }
        return movement
    }

    /// Positions as seconds and metres east of home, and what they tell.
    private static let histories: [([(Int, Double)], Movement.State)] = [
        ([(0, 0)], .unknown),
        ([(0, 0), (299, 0)], .unknown),
        ([(0, 0), (300, 5)], .still),
        // One jump is not movement, nor two within half a minute; two further apart are.
        ([(0, 0), (300, 0), (310, 500)], .still),
        ([(0, 0), (300, 0), (310, 500), (339, 500)], .still),
        ([(0, 0), (300, 0), (310, 500), (340, 500)], .moving),
        ([(0, 0), (300, 0), (310, 500), (320, 0), (340, 500)], .still),
        // Hours apart, as a source that rests gives them.
        ([(0, 0), (3600, 0), (7200, 900), (10_800, 900)], .moving),
        ([(0, 0), (3600, 0), (7200, 900), (10_800, 900), (14_400, 900)], .still),
        // Slowly, a metre every ten seconds: the place of rest stays where it was.
        ([(0, 0), (300, 0)] + (1...60).map { ($0 * 10 + 300, Double($0)) }, .moving),
    ]

    @Test("what positions tell", arguments: histories)
    func decides(fixes: [(Int, Double)], state: Movement.State) throws {
        #expect(try self.state(fixes).state == state)
    }

    @Test("walking is never rest, whatever the rhythm of positions and their accuracy")
    func walking() throws {
        for every in [1, 10, 60, 600, 3600] {
            for accuracy in [3.0, 30, 100, 400] {
                var movement = Movement()
                var stillAfterMoving = 0
                for number in 0..<(7200 / every + 10) {
                    movement.record(
                        try Places.fix(number * every, metres: Double(number * every) * 1.4, accuracy: accuracy))
                    if movement.state == .still { stillAfterMoving += 1 }
                }
                #expect(movement.state == .moving)
                #expect(stillAfterMoving == 0)
            }
        }
    }

    @Test("noise at rest is never movement, and does not undo rest", arguments: [5.0, 15, 60])
    func noise(sigma: Double) throws {
        var random = SeededRandom(seed: 23)
        var movement = Movement()
        var moved = 0
        for number in 0..<5000 {
            let place = Places.noisy(Places.home, metres: sigma, &random)
            movement.record(
                try Fix(place: place, accuracy: sigma * 2, moment: Places.start + .seconds(number * 10)))
            if movement.state == .moving { moved += 1 }
        }
        #expect(moved == 0)
        #expect(movement.state == .still)
    }

    @Test("a bad first position does not hide movement for ever")
    func badAnchor() throws {
        var movement = Movement()
        movement.record(try Places.fix(0, accuracy: 5000))
        for number in 1...60 { movement.record(try Places.fix(number * 10, accuracy: 10)) }
        #expect(movement.state == .still)
        for number in 61...80 { movement.record(try Places.fix(number * 10, metres: 300, accuracy: 10)) }
        #expect(movement.state == .moving)
    }

    @Test("from any state, going away for a minute is movement")
    func neverStuck() throws {
        var random = SeededRandom(seed: 29)
        for _ in 0..<500 {
            var movement = Movement()
            var seconds = 0
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                seconds += Int.random(in: 1...4000, using: &random)
                movement.record(
                    try Places.fix(
                        seconds, metres: Double.random(in: 0...2000, using: &random),
                        accuracy: [5, 50, 800][Int.random(in: 0..<3, using: &random)]))
            }
            movement = try kept(movement)
            for step in 1...7 {
                movement.record(try Places.fix(seconds + step * 10, metres: 100_000 + Double(step) * 100, accuracy: 10))
            }
            #expect(movement.state == .moving)
        }
    }

    @Test("a clock put back does not freeze what is known")
    func clockBack() throws {
        var movement = Movement()
        for number in 0...40 { movement.record(try Places.fix(1_000_000 + number * 10)) }
        movement.heal(now: Places.start)
        for number in 0...5 { movement.record(try Places.fix(number * 10, metres: 900)) }
        #expect(movement.state == .moving)
    }
}
