import LocationTesting
import NostrCore
import NostrTesting

@testable import Location

/// A circle that is shared with, in simulated time; every message is taken at once unless a test says otherwise.
struct SharingRun {
    var sharing: LocationSharing
    private(set) var now = 0
    private(set) var sent: [(seconds: Int, place: SharedPlace, number: UInt64)] = []
    private(set) var wait: Timestamp?
    private(set) var look: Duration?
    private(set) var inputs = 0
    /// With which charges the owner was warned, and when.
    private(set) var warnings: [(seconds: Int, percent: Int)] = []
    /// Messages that left while sharing rested and did not say so.
    private(set) var leaks = 0
    /// Whether messages are taken at once.
    var answers = true
    /// Whether the program dies and starts again before every input.
    var crashes = false

    init(_ settings: SharingSettings = SharingSettings(), isConnected: Bool = true) throws {
        sharing = LocationSharing(settings, blurSecret: Places.secret)
        if isConnected { try give(.connected, at: 0) }
    }

    var last: SharedPlace? { sent.last?.place }
    var moment: Timestamp { Places.start + .seconds(now) }

    /// Gives an input at a moment, after all the ticks the sharing asked for until then.
    mutating func give(_ input: LocationSharing.Input, at seconds: Int) throws {
        try run(to: seconds)
        now = seconds
        try receive(input)
    }

    /// Gives the ticks that were asked for until a moment.
    mutating func run(to seconds: Int) throws {
        while let wait, wait <= Places.start + .seconds(seconds) {
            now = Int(wait.seconds - Places.start.seconds)
            try receive(.tick)
        }
        now = max(now, seconds)
    }

    /// A position some metres east of home, measured at that moment.
    mutating func fix(_ seconds: Int, metres: Double = 0, accuracy: Double = 10, battery: Int? = nil) throws {
        try give(.fix(try Places.fix(seconds, metres: metres, accuracy: accuracy, battery: battery)), at: seconds)
    }

    private mutating func receive(_ input: LocationSharing.Input) throws {
        inputs += 1
        if crashes, input != .connected, case let again = try kept(sharing), again != sharing {
            sharing = again
            for action in sharing.receive(.connected, now: moment) { perform(action) }
        }
        for action in sharing.receive(input, now: moment) { perform(action) }
        while answers, let number = sent.last?.number, sharing.queue.onItsWay?.number == number {
            for action in sharing.receive(.sent(number), now: moment) { perform(action) }
        }
    }

    private mutating func perform(_ action: LocationSharing.Action) {
        switch action {
        case .send(let place, let number):
            sent.append((now, place, number))
            if case .paused = place.why { break }
            if sharing.settings.pause != .none { leaks += 1 }
        case .warnOfBattery(let percent): warnings.append((now, percent))
        case .look(let span): look = span
        case .wait(let until): wait = until
        }
    }
}
