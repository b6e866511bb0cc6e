import AccountTesting
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// Reading what was said before one was there.
@Suite(.timeLimit(.minutes(10)))
struct CatchingUpTests {
    let bench = MailBench.withCircles()
    let good = relay("circle")
    let mute = relay("mute")
    let records = MemoryRecordStore()

    @Test("who is let in late reads at once what one relay has, though another never answers")
    func late() async throws {
        bench.layOut(.alice, .bob)
        let alice = bench.person(.alice)
        try await alice.unlock()
        try await bench.running(alice) {
            try await bench.eventually("lists are known") { await !alice.account.state().inbox.isEmpty }
            let id = try await alice.circles.membership.create("Family", about: "", relays: [good, mute])
            try await ask(alice, id)
            try await alice.circles.membership.admit([TestPerson.bob.publicKey], to: id)
            try await bench.eventually("bob is let in") {
                let health = try await alice.circles.reader.health(of: id)
                return try await alice.members(id).count == 2 && health.undelivered == 0
            }
            // More than relays give to who only listens.
            let said = (1...26).map { "line \($0)" }
            for line in said { try await alice.circles.messaging.send(line, replyTo: nil, in: id) }
            try await bench.eventually("all is said") { try await alice.circles.reader.health(of: id).unsent == 0 }
            bench.network.set(mute, .silent)
            let bob = bench.person(.bob, records: records)
            try await bob.unlock()
            try await bench.running(bob) {
                try await bench.eventually("bob is in") { try await bob.isIn(id) }
                try await bench.eventually("bob reads all") { try await Set(bob.lines(id)) == Set(said) }
                // Nobody knows whether the silent relay has more, and it is not waited for the minute that might take.
                // The change that let bob in is among what he cannot read.
                guard case .catchingUp(0...1) = try await bob.circles.reader.health(of: id).progress else {
                    Issue.record("It is said to be up to date.")
                    return
                }
                // No more time than this passes, however long this machine takes.
                try await bench.eventually("bob is up to date") {
                    if bench.clock.now.offset < .seconds(50) { bench.clock.advance(by: .milliseconds(100)) }
                    return try await bob.circles.reader.health(of: id).progress == .upToDate
                }
            }
        }
    }

    /// Bob asks to join, and is away again before he is let in.
    private func ask(_ alice: MailPerson, _ id: CircleID) async throws {
        let invite = try await alice.circles.membership.invite(to: id)
        let bob = bench.person(.bob, records: records)
        try await bob.unlock()
        try await bench.running(bob) {
            try await bench.eventually("lists are known") { await !bob.account.state().inbox.isEmpty }
            try await bob.circles.membership.ask(invite, name: nil)
            try await bench.eventually("the request is there") {
                try await alice.circles.reader.overview().circles.first?.requests == 1
            }
        }
        await bob.lock()
    }
}
