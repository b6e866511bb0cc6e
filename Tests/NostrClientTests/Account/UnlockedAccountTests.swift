import AccountTesting
import AsyncPrimitives
import NostrCore
import NostrTesting
import Synchronization
import Testing

@testable import NostrClient

/// A service that says what happens to it, and ends its work only when it may.
private final class RecordedService: UnlockedService {
    let started = Doorbell()
    let mayEnd = Doorbell()
    let isCancelled = Doorbell()
    let events = Mutex<[String]>([])

    func run() async {
        events.withLock { $0.append("run") }
        started.ring()
        while !Task.isCancelled { await Doorbell().wait() }
        events.withLock { $0.append("cancelled") }
        isCancelled.ring()
        // Work that goes on for a moment, as a record that is being written.
        await Task.detached { await self.mayEnd.wait() }.value
        events.withLock { $0.append("ended") }
    }

    func wipe() async { events.withLock { $0.append("wiped") } }
}

/// The time in which an account is unlocked: it begins with the key, and its work ends before it is wiped.
struct UnlockedAccountTests {
    @Test("a lock while a service works cancels it, waits for its end, and only then wipes", .timeLimit(.minutes(1)))
    func lock() async throws {
        let service = RecordedService()
        let bench = MailBench { _ in [{ _ in service }] }
        let alice = bench.person(.alice)
        try await alice.unlock()
        try await bench.running(alice) {
            await service.started.wait()
            async let locked: Void = alice.lock()
            await service.isCancelled.wait()
            #expect(alice.account.unlocked == nil)
            #expect(service.events.withLock { $0 } == ["run", "cancelled"])
            service.mayEnd.ring()
            await locked
            #expect(service.events.withLock { $0 } == ["run", "cancelled", "ended", "wiped"])
        }
    }

    @Test("unlocking again waits until the time before is wiped", .timeLimit(.minutes(1)))
    func again() async throws {
        let first = RecordedService()
        let made = Mutex(0)
        let bench = MailBench { _ in
            [
                { _ in
                    made.withLock { $0 += 1 }
                    guard made.withLock({ $0 }) > 1 else { return first }
                    #expect(first.events.withLock { $0.last } == "wiped")
                    let second = RecordedService()
                    second.mayEnd.ring()
                    return second
                }
            ]
        }
        let alice = bench.person(.alice)
        try await alice.unlock()
        try await bench.running(alice) {
            await first.started.wait()
            async let locked: Void = alice.lock()
            await first.isCancelled.wait()
            async let unlocked: Void = alice.unlock()
            first.mayEnd.ring()
            await locked
            try await unlocked
            #expect(made.withLock { $0 } == 2)
            #expect(alice.account.unlocked != nil)
        }
    }

    @Test("an account that does not run is wiped at once, and what was locked before it ran never runs")
    func idle() async throws {
        let service = RecordedService()
        let bench = MailBench { _ in [{ _ in service }] }
        let alice = bench.person(.alice)
        try await alice.unlock()
        let unlocked = try #require(alice.account.unlocked)
        await alice.lock()
        #expect(service.events.withLock { $0 } == ["wiped"])
        await unlocked.run()
        #expect(service.events.withLock { $0 } == ["wiped"])
    }

    @Test("a factory that fails leaves the account unlocked, with everything else")
    func failing() async throws {
        struct Broken: Error {}
        let service = RecordedService()
        let bench = MailBench { _ in [{ _ in throw Broken() }, { _ in service }] }
        let alice = bench.person(.alice)
        try await alice.unlock()
        #expect(alice.account.unlocked?.service(RecordedService.self) === service)
        #expect(alice.account.messages != nil && alice.account.drafts != nil)
        #expect(await alice.state().vault == .open)
    }
}
