import AccountTesting
import AsyncPrimitives
import Location
import Marmot
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// What a person chooses for one circle.
@Suite(.timeLimit(.minutes(10)))
struct CircleSettingsTests {
    let bench = SharingBench()

    @Test("how a place would be shared is kept without sharing it, and holds once it is shared")
    func configured() async throws {
        try await bench.running { alice, bob, id in
            var settings = SharingBench.everyMinute
            (settings.isLowPower, settings.keepsTrail, settings.tellsWhy) = (true, true, false)
            settings.lowBattery = 30
            try await alice.circles.sharing.configure(settings, in: id)
            let before = try await alice.circles.sharing.state(in: id)
            #expect(!before.isOn && before.settings == settings && before.toldAt == nil && !before.hasSent)
            let offers = bench.offered
            try await alice.circles.sharing.receive(.fix(try bench.fix()))
            #expect(bench.offered == offers)
            try await alice.circles.sharing.share(before.settings, in: id)
            #expect(try await alice.circles.sharing.interval() == .seconds(240))
            try await bench.show(alice, to: bob, id)
            #expect(try await alice.circles.sharing.state(in: id).toldAt == bench.mail.now)
            // What is chosen meanwhile takes no pause away.
            try await alice.circles.sharing.pause(until: nil, in: id)
            try await alice.circles.sharing.configure(settings, in: id)
            #expect(try await alice.circles.sharing.state(in: id).settings.pause == .untilResumed)
        }
    }

    @Test("a battery that falls is told to the circle at once and noted for its owner, once")
    func battery() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(battery: 25, alice, to: bob, id)
            bench.pass(1)
            try await bench.show(metres: 5, battery: 19, alice, to: bob, id)
            #expect(try await bob.sees(alice, id)?.place?.battery == 19)
            try await bench.mail.eventually("alice is warned") {
                try await alice.circles.places.notices(in: id).map(\.body) == [.batteryLow(19)]
            }
            #expect(try await bob.circles.places.notices(in: id).map(\.body) == [.batteryLow(19)])
        }
    }

    @Test("how often keys are renewed is chosen per circle, holds at once, and is kept")
    func renewal() async throws {
        var circle: CircleID?
        try await bench.running { alice, _, id in
            circle = id
            #expect(try await alice.circles.administration.renewalDays(of: id) == 7)
            try await alice.circles.administration.setRenewal(days: 1, in: id)
            #expect(try await alice.circles.store.circles[id]?.session?.renewal == .seconds(86_400))
            try await alice.circles.administration.setRenewal(days: 400, in: id)
            #expect(try await alice.circles.administration.renewalDays(of: id) == 30)
            try await alice.circles.administration.setRenewal(days: 3, in: id)
        }
        let alice = bench.mail.person(.alice, records: bench.aliceRecords)
        try await alice.unlock()
        let id = try #require(circle)
        #expect(try await alice.circles.administration.renewalDays(of: id) == 3)
        #expect(try await alice.circles.store.circles[id]?.session?.renewal == .seconds(3 * 86_400))
    }

    @Test("before an account goes its circles are left, and a circle without another admin is named")
    func farewell() async throws {
        try await bench.running { alice, bob, id in
            #expect(try await bob.circles.administration.circlesWithoutSuccessor() == ["Family"])
            #expect(try await alice.circles.administration.circlesWithoutSuccessor().isEmpty)
            var edit = CircleEdit()
            edit.promoted = [alice.key]
            try await bob.circles.administration.edit(id, edit)
            try await bench.mail.eventually("there are two admins") {
                try await alice.circles.reader.overview().circles.first?.isAdmin == true
            }
            #expect(try await bob.circles.administration.circlesWithoutSuccessor().isEmpty)
            // Time goes on until both are done: bob looks again and again how far it is.
            let isLeft = CurrentValue<Bool?>(nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    isLeft.set(try await bob.circles.administration.leaveAll(within: .seconds(3600)))
                }
                try await bench.mail.eventually("bob is let go, and knows that he may go") {
                    bench.mail.clock.advance(by: .milliseconds(200))
                    return try await alice.members(id) == [alice.key] && isLeft.value != nil
                }
                group.cancelAll()
            }
            #expect(isLeft.value == true)
        }
    }

    @Test("an admin hands over with one change and can leave then")
    func handOver() async throws {
        try await bench.running { alice, bob, id in
            try await bob.circles.administration.handOver(id, to: alice.key)
            try await bench.mail.eventually("alice is the admin") {
                let members = try await alice.circles.reader.page(of: id, before: nil, limit: 1).members
                return members.filter(\.isAdmin).map(\.id) == [alice.key]
            }
            try await bench.mail.eventually("bob knows it") {
                try await bob.circles.reader.overview().circles.first?.isAdmin == false
            }
            try await bob.circles.administration.leave(id)
            try await bench.mail.eventually("bob is let go") {
                // Members leave it to each other for a while.
                bench.pass(1)
                return try await alice.members(id) == [alice.key]
            }
        }
    }
}
