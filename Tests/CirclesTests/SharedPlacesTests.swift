import Location
import LocationTesting
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// Sharing with several circles at once, without accounts.
struct SharedPlacesTests {
    private let one = CircleID([1]), other = CircleID([2])

    private func sent(_ tasks: [CircleEffect]) -> [(SharedPlace, UInt64, CircleID)] {
        tasks.compactMap { if case .sendPlace(let place, let number, let id) = $0 { (place, number, id) } else { nil } }
    }

    @Test("a reading is for all circles with which the place is shared, and for no other")
    func readings() throws {
        let (one, other) = (try #require(one), try #require(other))
        var places = SharedPlaces([], now: Places.start)
        #expect(places.look == nil)
        #expect(places.receive(.fix(try Places.fix(0)), now: Places.start).isEmpty)
        for (id, seconds) in [(one, 60), (other, 300)] {
            let settings = SharingSettings(interval: SharingInterval(clamping: seconds))
            #expect(places.share(settings, in: id, now: Places.start, secret: Places.secret).isEmpty)
            #expect(places.receive(.connected, in: id, now: Places.start).isEmpty)
        }
        #expect(places.look == .seconds(60))
        let told = sent(places.receive(.fix(try Places.fix(0)), now: Places.start))
        #expect(Set(told.map(\.2)) == [one, other])
        for (_, number, id) in told { #expect(places.receive(.sent(number), in: id, now: Places.start).isEmpty) }
        let later = Places.start + .seconds(60)
        #expect(sent(places.receive(.fix(try Places.fix(60)), now: later)).map(\.2) == [one])
        #expect(sent(places.stop(other, now: later)).map(\.0.why) == [.paused(until: nil)])
        #expect(places.stop(other, now: later).isEmpty)
        #expect(
            sent(places.receive(.fix(try Places.fix(400)), now: Places.start + .seconds(400))).allSatisfy {
                $0.2 == one
            })
    }

    @Test("sharing that begins anew takes its first position, though one of the time before was dated later")
    func beginsAnew() throws {
        let one = try #require(one)
        var places = SharedPlaces([], now: Places.start)
        _ = places.share(SharingSettings(), in: one, now: Places.start, secret: Places.secret)
        _ = places.receive(.connected, in: one, now: Places.start)
        #expect(sent(places.receive(.fix(try Places.fix(50)), now: Places.start + .seconds(60))).count == 1)
        _ = places.stop(one, now: Places.start + .seconds(70))
        // Where one was while sharing is no secret of the record any more.
        #expect(try #require(places.entries[one]).record.sharing.latest == nil)
        let again = Places.start + .seconds(80)
        _ = places.share(SharingSettings(), in: one, now: again, secret: Places.secret)
        let first = try Places.fix(40)
        _ = places.receive(.fix(first), now: again)
        #expect(try #require(places.entries[one]).record.sharing.latest == first)
    }

    @Test("what is kept goes on where it was, without a network until one is told")
    func kept() throws {
        let one = try #require(one)
        var places = SharedPlaces([], now: Places.start)
        _ = places.share(SharingSettings(), in: one, now: Places.start, secret: Places.secret)
        _ = places.receive(.connected, in: one, now: Places.start)
        #expect(sent(places.receive(.fix(try Places.fix(0)), now: Places.start)).count == 1)
        let record = try LocationTesting.kept(try #require(places.entries[one]).record)
        var again = SharedPlaces([record], now: Places.start + .seconds(5))
        #expect(again.entries[one]?.isConnected == false && again.look != nil)
        // Nobody knows whether it arrived.
        #expect(sent(again.receive(.connected, in: one, now: Places.start + .seconds(6))).count == 1)
        again.forget(one)
        #expect(again.wake == nil && again.look == nil)
    }

    @Test("what is told: earlier positions, the place, and why nothing newer follows, or that it does")
    func drafts() throws {
        let now = Places.start + .seconds(100)
        let fixes = try (0...2).map { try Places.fix($0 * 10, metres: Double($0)) }
        func bodies(_ place: SharedPlace, endsSilence: Bool = false) -> [CircleMessage.Body] {
            let author = PublicKey(Places.secret(3))
            return place.drafts(endsSilence: endsSilence, now: now)
                .map { CircleMessage(Rumor($0, author: author), isFromAdmin: false).body }
        }
        var place = SharedPlace(fix: fixes[2], sentAt: now, interval: .seconds(60), trail: Array(fixes[0...1]))
        let told = bodies(place).compactMap { if case .location(let payload) = $0 { payload } else { nil } }
        #expect(told.map(\.moment) == fixes.map(\.moment))
        // Whistle's readers count from when it was sent; what is past must not look new to them.
        #expect(told.map(\.sentAt) == [fixes[0].moment, fixes[1].moment, now])
        #expect(bodies(place, endsSilence: true).last == .sharing(.on))
        place.why = .silent(.noFix)
        #expect(bodies(place).last == .sharing(.silent(.noFix)) && bodies(place).count == 4)
        place.isKnown = true
        place.trail = []
        #expect(bodies(place) == [.sharing(.silent(.noFix))])
    }
}
