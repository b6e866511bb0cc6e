import LocationTesting
import NostrCore
import NostrTesting
import Testing

@testable import Location

/// What a reader knows of a member, and why it is old.
struct MemberPlaceTests {
    private func shared(
        _ seconds: Int, sent: Int? = nil, interval: Duration? = .seconds(300), why: ToldReason? = nil
    ) throws -> SharedPlace {
        SharedPlace(
            fix: try Places.fix(seconds), sentAt: Places.start + .seconds(sent ?? seconds), interval: interval, why: why
        )
    }

    private func after(_ seconds: Int) -> Timestamp { Places.start + .seconds(seconds) }

    @Test(
        "a place is old after twice the span announced, or twice the reader's own interval",
        arguments: [
            (Duration?.some(.seconds(300)), 600, 601), (nil, 120, 121), (.zero, 2, 3), (.seconds(-5), 2, 3),
            (.seconds(Int64.max), 28_800, 28_801),
        ])
    func age(interval: Duration?, lastFresh: Int, firstOld: Int) throws {
        var place = MemberPlace()
        place.receive(try shared(0, interval: interval), now: after(0))
        let local = SharingInterval(clamping: 60)
        #expect(place.staleness(now: after(lastFresh), local: local) == nil)
        #expect(place.staleness(now: after(firstOld), local: local) == .silent)
        #expect(place.age(now: after(lastFresh)) == .seconds(lastFresh))
        #expect(place.age(now: after(-10)) == .zero)
    }

    @Test(
        "why a place is old: what is wrong here first, then what the member told",
        arguments: [
            (ReadingConditions(), ToldReason?.none, StaleReason.silent),
            (.init(hasNetwork: false, hasRelay: false, isInStep: false), .silent(.noFix), .here(.noNetwork)),
            (.init(hasRelay: false, isInStep: false), .silent(.noFix), .here(.noRelay)),
            (.init(isInStep: false), nil, .here(.outOfStep)), (.init(), .silent(.noFix), .told(.noFix)),
            (.init(), .silent(nil), .told(nil)), (.init(), .silent(.noNetwork), .told(.noNetwork)),
            (.init(), .paused(until: nil), .paused(until: nil)),
            (.init(hasNetwork: false), .paused(until: nil), .here(.noNetwork)),
        ])
    func reasons(conditions: ReadingConditions, told: ToldReason?, reason: StaleReason) throws {
        var place = MemberPlace()
        place.receive(try shared(0), now: after(0))
        var alone = place
        if let told {
            place.receive(try shared(0, sent: 300, why: told), now: after(300))
            alone.receive(told, at: after(300), now: after(300))
            #expect(alone == place)
        }
        #expect(place.staleness(now: after(10_000), local: .hour, conditions: conditions) == reason)
        #expect(try kept(place) == place)
    }

    @Test("of a member who never shared it is said so, unless something here keeps it from being known")
    func never() throws {
        var place = MemberPlace()
        #expect(place.staleness(now: after(0), local: .hour) == .neverShared)
        #expect(place.age(now: after(0)) == nil)
        #expect(place.staleness(now: after(0), local: .hour, conditions: .init(hasRelay: false)) == .here(.noRelay))
        #expect(try kept(place) == place)
        let isNew = place.receive(try shared(0), now: after(0))
        #expect(isNew)
        #expect(place.staleness(now: after(0), local: .hour) == nil)
    }

    @Test("that sharing rests shows at once, also with a fresh place, and until the moment that was told")
    func paused() throws {
        var place = MemberPlace()
        let until = after(1000)
        place.receive(try shared(0, why: .paused(until: until)), now: after(0))
        #expect(place.staleness(now: after(1), local: .hour) == .paused(until: until))
        #expect(place.staleness(now: after(1000), local: .hour) == .silent)
        place.receive(try shared(1100), now: after(1100))
        #expect(place.staleness(now: after(1100), local: .hour) == nil)
    }

    @Test("older messages are ignored, in whatever order they come")
    func order() throws {
        let messages = try [shared(0), shared(300), shared(300, sent: 600, why: .silent(.noFix)), shared(900)]
        var random = SeededRandom(seed: 31)
        var expected = MemberPlace()
        for message in messages { expected.receive(message, now: after(5000)) }
        for _ in 0..<50 {
            var place = MemberPlace()
            for message in messages.shuffled(using: &random) { place.receive(message, now: after(5000)) }
            #expect(place == expected)
        }
        let isNew = expected.receive(messages[0], now: after(5000))
        #expect(!isNew)
        #expect(expected.told == nil)
        expected.receive(.paused(until: nil), at: after(899), now: after(5000))
        #expect(expected.told == nil)
        expected.receive(.paused(until: nil), at: after(1_000_000), now: after(5000))
        expected.receive(nil, at: after(5001), now: after(5001))
        #expect(expected.told == nil)
    }

    @Test("a member whose clock is fast is not stuck in the future")
    func future() throws {
        var place = MemberPlace()
        place.receive(try shared(1_000_000_000), now: after(0))
        #expect(place.fix?.moment == after(0))
        place.receive(try shared(60), now: after(60))
        #expect(place.fix?.moment == after(60))
        #expect(place.staleness(now: after(60), local: .hour) == nil)
    }

    @Test("a low battery alerts once per crossing, again after it recovered and a restart, and never for oneself")
    func battery() throws {
        let owner = PublicKey(Places.secret(1))
        let other = PublicKey(Places.secret(2))
        var alerts = BatteryAlerts(owner: owner)
        let levels: [Int?] = [50, 20, 19, 12, nil, 19, 20, 19, 3, 100, 0]
        var told: [Int] = []
        for (index, level) in levels.enumerated() {
            if alerts.receive(level, of: other) { told.append(index) }
            let ofOneself = alerts.receive(level, of: owner)
            #expect(!ofOneself)
            alerts = try kept(alerts)
        }
        #expect(told == [2, 7, 10])
        alerts.keep([owner])
        let afterReturn = alerts.receive(1, of: other)
        #expect(afterReturn)
    }
}
