internal import NostrCore

/// How somebody spends a day, for computing what sharing costs.
public struct DayProfile: Hashable, Sendable {
    /// A part of a day at one speed.
    public struct Leg: Hashable, Sendable {
        /// Seconds.
        public let seconds: Int
        /// Metres per second; negative goes back.
        public let speed: Double

        /// What is out of 0...86 400 seconds or ±300 m/s is brought into it; what is not finite stands still.
        public init(seconds: Int, speed: Double) {
            self.seconds = min(max(seconds, 0), 86_400)
            self.speed = speed.isFinite ? min(max(speed, -300), 300) : 0
        }
    }

    /// The parts in order; what is missing to 24 hours is spent at rest.
    public let legs: [Leg]

    /// A day of these parts, which together should be no longer than 24 hours.
    public init(_ legs: [Leg]) {
        self.legs = legs
    }

    /// An hour each way at 36 km/h, and 22 hours at rest.
    public static let commute = DayProfile([
        Leg(seconds: 8 * 3600, speed: 0), Leg(seconds: 3600, speed: 10), Leg(seconds: 9 * 3600, speed: 0),
        Leg(seconds: 3600, speed: -10),
    ])
    /// A day at home.
    public static let atRest = DayProfile([])
    /// A day on the road: twelve hours out, twelve back.
    public static let onTheRoad = DayProfile([
        Leg(seconds: 43_200, speed: 20), Leg(seconds: 43_200, speed: -20),
    ])

    /// How far from the beginning somebody is, in metres, after some seconds of a day.
    func metres(after seconds: Int) -> Double {
        var (left, metres) = (seconds, 0.0)
        for leg in legs where left > 0 {
            metres += Double(min(left, leg.seconds)) * leg.speed
            left -= leg.seconds
        }
        return metres
    }
}

/// What sharing with one circle costs a day, found by running ``LocationSharing`` through simulated time.
public struct LocationTraffic: Hashable, Sendable {
    /// Messages sent.
    public let messages: Int
    /// Bytes sent, at most `Int.max`.
    public let bytes: Int
    /// Positions looked for: what a receiver costs.
    public let looks: Int

    /// Runs through two days of which the second counts, so that the beginning does not.
    ///
    /// - Parameters:
    ///   - settings: how the place is shared.
    ///   - day: how the day is spent.
    ///   - bytesPerMessage: of the whole event on the wire.
    ///   - accuracy: of the positions, in metres.
    public static func perDay(
        _ settings: SharingSettings, day: DayProfile, bytesPerMessage: Int, accuracy: Double = 10
    ) -> LocationTraffic {
        var run = SimulatedDays(settings, day, accuracy: accuracy)
        while run.step(before: 2 * 86_400) {}
        let (bytes, overflow) = run.messages.multipliedReportingOverflow(by: max(0, bytesPerMessage))
        return LocationTraffic(messages: run.messages, bytes: overflow ? .max : bytes, looks: run.looks)
    }
}

/// Two days of somebody with a network that never fails and a receiver that always knows.
private struct SimulatedDays {
    private static let start: Int64 = 1_700_000_000
    private static let home = Coordinate(wrapping: 47, 8)

    private(set) var messages = 0
    private(set) var looks = 0
    private var sharing: LocationSharing
    private let day: DayProfile
    private let accuracy: Double
    private var now = 0
    private var lookEvery: Int?
    private var nextLook: Int?
    private var wake: Int?

    init(_ settings: SharingSettings, _ day: DayProfile, accuracy: Double) {
        sharing = LocationSharing(settings, blurSecret: Bytes32())
        self.day = day
        self.accuracy = accuracy.isFinite ? min(max(accuracy, 0), 10_000) : 10
        receive(.connected)
    }

    /// Goes to the next moment at which something happens; false when it is not before the end.
    mutating func step(before end: Int) -> Bool {
        guard let next = [nextLook, wake].compactMap(\.self).min(), next < end else { return false }
        now = max(next, now)
        guard let nextLook, nextLook <= now else {
            receive(.tick)
            return true
        }
        self.nextLook = lookEvery.map { now + $0 }
        if now >= 86_400 { looks += 1 }
        let place = Self.home.destination(distance: day.metres(after: now % 86_400), bearing: 90)
        // No reason to fail: place, accuracy and moment are in range.
        guard let fix = try? Fix(place: place, accuracy: accuracy, moment: moment) else { return false }
        receive(.fix(fix))
        return true
    }

    private var moment: Timestamp { Timestamp(seconds: Self.start + Int64(now)) }

    private mutating func receive(_ input: LocationSharing.Input) {
        var sent: [UInt64] = []
        for action in sharing.receive(input, now: moment) {
            switch action {
            case .send(_, let number):
                if now >= 86_400 { messages += 1 }
                sent.append(number)
            case .warnOfBattery: break
            case .look(let span):
                lookEvery = span.map { Int($0.components.seconds) }
                // A source that is asked anew answers at once.
                nextLook = lookEvery == nil ? nil : now + 1
            case .wait(let until): wake = until.map { Int($0.seconds - Self.start) }
            }
        }
        for number in sent { receive(.sent(number)) }
    }
}
