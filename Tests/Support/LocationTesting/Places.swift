internal import FoundationEssentials
public import Location
public import NostrCore
public import NostrTesting

/// Where and when the location tests happen.
public enum Places {
    /// When they begin.
    public static let start = Timestamp(seconds: 1_700_000_000)
    /// Zurich.
    public static let home = Coordinate(wrapping: 47.3769, 8.5417)
    /// The secret of a blur, where any will do.
    public static let secret = secret(1)

    /// A secret that a number decides.
    public static func secret(_ seed: UInt64) -> Bytes32 {
        var random = SeededRandom(seed: seed)
        let bytes = randomBytes(32, using: &random)
        return (try? Bytes32(bytes.span)) ?? Bytes32()
    }

    /// A position some metres from home.
    public static func fix(
        _ seconds: Int, metres: Double = 0, bearing: Double = 90, accuracy: Double = 10, battery: Int? = nil
    ) throws -> Fix {
        try Fix(
            place: home.destination(distance: metres, bearing: bearing), accuracy: accuracy,
            moment: start + .seconds(seconds), battery: battery)
    }

    /// A place a receiver would tell for a place: off by a normal error of some metres in both directions.
    public static func noisy(_ place: Coordinate, metres sigma: Double, _ random: inout SeededRandom) -> Coordinate {
        // The sum of twelve even draws is near enough to a normal one.
        func draw() -> Double {
            (0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) } * sigma
        }
        return place.destination(distance: draw(), bearing: 0).destination(distance: draw(), bearing: 90)
    }
}

extension Duration {
    /// Whole hours.
    public static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
}

/// What comes back of a state that was put into a record: as after a restart.
public func kept<State: Codable>(_ state: State) throws -> State {
    try JSONDecoder().decode(State.self, from: try JSONEncoder().encode(state))
}
