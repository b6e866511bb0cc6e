import FoundationEssentials
import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// What is read back from records, also from damaged ones.
struct KeptStateTests {
    /// Damages the record of a state, and works with what can still be read.
    private func damage<State: Codable>(_ state: State, _ use: (State) throws -> Void) throws {
        let record = [UInt8](try JSONEncoder().encode(state))
        var read = 0
        try Noise.run(record, rounds: 400) { bytes in
            // What cannot be read is refused, which is all that is asked of it.
            guard let state = try? JSONDecoder().decode(State.self, from: Data(bytes)) else { return }
            read += 1
            try use(state)
        }
        #expect(read > 0)
    }

    private func sharing() throws -> LocationSharing {
        var run = try SharingRun(SharingSettings(interval: .fiveMinutes, blur: 300, keepsTrail: true))
        for number in 0...12 { try run.fix(number * 300, metres: Double(number % 3) * 400) }
        run.answers = false
        try run.fix(5000, metres: 900)
        try run.give(.disconnected, at: 5001)
        try run.fix(7000, metres: 90)
        try run.fix(9000, metres: 900)
        try run.give(.sendNow, at: 9001)
        return run.sharing
    }

    @Test("a damaged sharing works on or is refused")
    func sharingNoise() throws {
        try damage(try sharing()) { state in
            var sharing = state
            for now in [Places.start, Timestamp(seconds: .max), Timestamp(seconds: .min), Places.start + .hours(9)] {
                for input in [LocationSharing.Input.connected, .tick, .sendNow, .fix(try Places.fix(9100)), .sent(3)] {
                    _ = sharing.receive(input, now: now)
                }
            }
        }
    }

    @Test("damaged knowledge of a member works on or is refused")
    func memberNoise() throws {
        var place = MemberPlace()
        let shared = SharedPlace(
            fix: try Places.fix(0), sentAt: Places.start, interval: .seconds(300), isStationary: true,
            why: .paused(until: Places.start + .hours(1)))
        place.receive(shared, now: Places.start)
        try damage(place) { state in
            var state = state
            for now in [Places.start, Timestamp(seconds: .max), Timestamp(seconds: .min)] {
                _ = state.staleness(now: now, local: .hour)
                _ = state.age(now: now)
                state.receive(shared, now: now)
            }
        }
    }

    @Test("damaged trails and watches work on or are refused")
    func othersNoise() throws {
        var trail = Trail(days: 3)
        for number in 0..<20 { trail.add(try Places.fix(number * 60, metres: 9), now: Places.start + .hours(1)) }
        try damage(trail) { state in
            var state = state
            #expect(state.points.map(\.moment) == state.points.map(\.moment).sorted())
            _ = state.thinned(toWithin: 5)
            state.add(try Places.fix(0), now: Timestamp(seconds: .max))
        }
        var watch = PlaceWatch()
        watch.watch([NamedPlace(id: "home", name: "Home", centre: Places.home, radius: 100)])
        _ = watch.receive(try Places.fix(0), of: PublicKey(Places.secret), now: Places.start)
        try damage(watch) { state in
            var state = state
            for now in [Timestamp(seconds: .min), Places.start, Timestamp(seconds: .max)] {
                _ = state.receive(try Places.fix(60), of: PublicKey(Places.secret), now: now)
            }
        }
    }

    @Test("every moment of a sharing's life is kept whole")
    func whole() throws {
        let state = try sharing()
        var (one, other) = (state, try kept(state))
        _ = one.receive(.disconnected, now: Places.start + .seconds(9002))
        _ = other.receive(.disconnected, now: Places.start + .seconds(9002))
        one.lastLook = nil
        other.lastLook = nil
        #expect(one == other)
    }
}
