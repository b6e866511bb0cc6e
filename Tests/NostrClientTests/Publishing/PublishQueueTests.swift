import AccountTesting
import NostrCore
import NostrRelay
import NostrTesting
import Testing

@testable import NostrClient

extension PublishQueue {
    /// Takes the answer of a relay that may learn who the account is.
    fileprivate mutating func record(
        _ outcome: PublishOutcome, of id: EventID, at relay: RelayURL, now: Timestamp, jitter: Double
    ) -> Delivery? {
        record(outcome, of: id, at: relay, now: now, jitter: jitter, standing: .allowed)
    }
}

struct PublishQueueTests {
    let now = Timestamp(seconds: 1_700_000_000)
    let note = TestPerson.alice.event("hi")
    let refused = PublishOutcome.failed(.refused)

    func queue(_ destinations: [Destination]) -> PublishQueue {
        var delivery = Delivery(event: note, queuedAt: now)
        delivery.add(destinations, now: now)
        return PublishQueue([delivery])
    }

    var toOwn: [Destination] { [Destination(relay: relay("a"), purpose: .ownWrite)] }

    @Test("offers at once, and not again while an answer is awaited")
    func offersOnce() {
        var queue = queue(toOwn)
        #expect(queue.takeDue(now: now).map(\.relay) == [relay("a")])
        #expect(queue.takeDue(now: now).isEmpty)
        #expect(queue.nextDue == nil)
    }

    @Test("counts a relay that has the event already as accepting it")
    func duplicate() throws {
        var queue = queue(toOwn)
        _ = queue.takeDue(now: now)
        let delivery = queue.record(
            .accepted(Reason(.duplicate, "have it")), of: note.id, at: relay("a"), now: now, jitter: 0.5)
        #expect(delivery?.accepted == [relay("a")])
        #expect(queue.waiting == 0)
    }

    @Test("waits longer after each failure, with jitter, up to an hour")
    func backOff() throws {
        var queue = queue(toOwn)
        var moment = now
        var waits: [Int64] = []
        for _ in 0..<14 {
            #expect(queue.takeDue(now: moment).count == 1)
            _ = queue.record(refused, of: note.id, at: relay("a"), now: moment, jitter: 0.5)
            let next = try #require(queue.nextDue)
            waits.append(next.seconds - moment.seconds)
            moment = next
        }
        #expect(Array(waits.prefix(5)) == [5, 10, 20, 40, 80])
        #expect(waits.last == 3600)
    }

    @Test("jitter spreads retries by a quarter either way", arguments: [(0.0, 3), (0.999, 6)])
    func jitter(draw: Double, seconds: Int64) throws {
        var queue = queue(toOwn)
        _ = queue.takeDue(now: now)
        _ = queue.record(refused, of: note.id, at: relay("a"), now: now, jitter: draw)
        #expect(queue.nextDue == Timestamp(seconds: now.seconds + seconds))
    }

    @Test(
        "gives up at once, by name, where asking again cannot help",
        arguments: [Reason.Prefix.invalid, .blocked, .restricted, .pow, .mute])
    func finalRefusal(prefix: Reason.Prefix) throws {
        var queue = queue(toOwn)
        _ = queue.takeDue(now: now)
        let no = PublishOutcome.rejected(Reason(prefix, "no"))
        let delivery = queue.record(no, of: note.id, at: relay("a"), now: now, jitter: 0)
        #expect(delivery?.receipts.first?.state == .givenUp(.outcome(no), attempts: 1))
        #expect(delivery?.receipts.first?.lastAnswer == .outcome(no))
        #expect(queue.nextDue == nil)
    }

    @Test("the end of our own pool is no answer of a relay")
    func shutdown() {
        var queue = queue(toOwn)
        _ = queue.takeDue(now: now)
        let delivery = queue.record(.shuttingDown, of: note.id, at: relay("a"), now: now, jitter: 0)
        #expect(delivery?.receipts.first?.state == .waiting(attempts: 0, next: now))
        #expect(delivery?.receipts.first?.lastAnswer == nil)
    }

    @Test("tries a refusal that may pass eight times")
    func passingRefusal() throws {
        var queue = queue(toOwn)
        var tries = 0
        var moment = now
        while let next = queue.nextDue {
            moment = max(moment, next)
            _ = queue.takeDue(now: moment)
            tries += 1
            _ = queue.record(
                .rejected(Reason(.rateLimited, "slow down")), of: note.id, at: relay("a"), now: moment, jitter: 0.5)
        }
        #expect(tries == 8)
    }

    @Test(
        "keeps trying own relays for a fortnight and other people's for a day",
        arguments: [
            (PublishReceipt.Purpose.ownWrite, 14 * 86_400),
            (.readOf(TestPerson.bob.publicKey), 86_400), (.indexer, 86_400), (.conversation, 86_400),
        ])
    func patience(purpose: PublishReceipt.Purpose, seconds: Int64) throws {
        var queue = queue([Destination(relay: relay("a"), purpose: purpose)])
        var last = now
        while let next = queue.nextDue {
            last = max(last, next)
            _ = queue.takeDue(now: last)
            _ = queue.record(refused, of: note.id, at: relay("a"), now: last, jitter: 0.5)
        }
        #expect(last.seconds - now.seconds <= seconds)
        #expect(last.seconds - now.seconds > seconds - 2 * 3600)
        guard case .givenUp(.outcome(refused), let attempts)? = queue.delivery(of: note.id)?.receipts.first?.state
        else {
            Issue.record("not given up")
            return
        }
        #expect(attempts > 8)
    }

    @Test("a relay that comes back is offered what waits for it at once")
    func comesBack() {
        var queue = queue(toOwn)
        _ = queue.takeDue(now: now)
        _ = queue.record(refused, of: note.id, at: relay("a"), now: now, jitter: 0.5)
        #expect(queue.takeDue(now: now).isEmpty)
        queue.relayIsBack(relay("a"), now: now, standing: .allowed)
        #expect(queue.takeDue(now: now).count == 1)
    }

    @Test("what was sent before a relay came back, and did not arrive, is offered again at once, and once only")
    func comesBackMeanwhile() {
        var queue = queue(toOwn)
        _ = queue.takeDue(now: now)
        queue.relayIsBack(relay("a"), now: now, standing: .allowed)
        #expect(queue.takeDue(now: now).isEmpty)
        _ = queue.record(refused, of: note.id, at: relay("a"), now: now, jitter: 0.5)
        #expect(queue.takeDue(now: now).count == 1)
        _ = queue.record(refused, of: note.id, at: relay("a"), now: now, jitter: 0.5)
        #expect(queue.takeDue(now: now).isEmpty)
        #expect(queue.nextDue.map { $0 > now } == true)
    }

    @Test("a relay that comes back and says no meanwhile is asked again in its turn")
    func comesBackWithNo() {
        var queue = queue(toOwn)
        _ = queue.takeDue(now: now)
        queue.relayIsBack(relay("a"), now: now, standing: .allowed)
        let busy = PublishOutcome.rejected(Reason(.rateLimited, "slow down"))
        _ = queue.record(busy, of: note.id, at: relay("a"), now: now, jitter: 0.5)
        #expect(queue.takeDue(now: now).isEmpty)
        #expect(queue.waiting == 1)
    }

    @Test("a relay that comes back is not asked again what only the person can answer")
    func comesBackUndecided() {
        var queue = queue(toOwn)
        _ = queue.takeDue(now: now)
        let wants = PublishOutcome.rejected(Reason(.authRequired, "who are you"))
        _ = queue.record(wants, of: note.id, at: relay("a"), now: now, jitter: 0.5, standing: .undecided)
        queue.relayIsBack(relay("a"), now: now, standing: .undecided)
        #expect(queue.takeDue(now: now).isEmpty)
        queue.relayIsBack(relay("a"), now: now, standing: .allowed)
        #expect(queue.takeDue(now: now).count == 1)
    }

    @Test("what nothing could sign for waits however often it is tried, and is due when what signs is there")
    func unsigned() throws {
        var queue = queue(toOwn)
        var moment = now
        for _ in 0..<9 {
            #expect(queue.takeDue(now: moment).count == 1)
            _ = queue.record(.unauthenticated(.notSigned), of: note.id, at: relay("a"), now: moment, jitter: 0.5)
            moment = try #require(queue.nextDue)
        }
        moment = moment - .seconds(60)
        queue.signerDidReturn(now: moment) { _ in .undecided }
        #expect(queue.takeDue(now: moment).isEmpty)
        queue.signerDidReturn(now: moment) { _ in .allowed }
        #expect(queue.takeDue(now: moment).count == 1)
        let accepted = queue.record(
            .accepted(Reason(nil, "")), of: note.id, at: relay("a"), now: moment, jitter: 0.5)
        #expect(accepted?.accepted == [relay("a")])
    }

    @Test("a queue read back from its records goes on where it stood")
    func survives() throws {
        var queue = queue(
            toOwn + [
                Destination(relay: relay("b"), purpose: .readOf(TestPerson.bob.publicKey)),
                Destination(relay: relay("c"), purpose: .indexer),
            ])
        _ = queue.takeDue(now: now)
        _ = queue.record(refused, of: note.id, at: relay("a"), now: now, jitter: 0.5)
        _ = queue.record(.accepted(Reason(nil, "")), of: note.id, at: relay("b"), now: now, jitter: 0.5)
        _ = queue.record(.rejected(Reason(.invalid, "x")), of: note.id, at: relay("c"), now: now, jitter: 0.5)
        let delivery = try #require(queue.delivery(of: note.id))
        let copy = try DeliveryRecord.decode(DeliveryRecord.encode(delivery))
        #expect(copy == delivery)
        var reborn = PublishQueue([copy])
        #expect(reborn.takeDue(now: now).isEmpty)
        #expect(reborn.takeDue(now: now + .seconds(5)).map(\.relay) == [relay("a")])
    }

    @Test("an offer that was in flight when the program died is made again")
    func inFlightIsNotKept() throws {
        var queue = queue(toOwn)
        _ = queue.takeDue(now: now)
        let copy = try DeliveryRecord.decode(DeliveryRecord.encode(#require(queue.delivery(of: note.id))))
        var reborn = PublishQueue([copy])
        #expect(reborn.takeDue(now: now).count == 1)
    }

    @Test("settled deliveries are forgotten after their time, waiting ones never")
    func forgets() {
        var queue = queue(toOwn)
        #expect(queue.forgetSettled(before: now + .seconds(1_000_000)).isEmpty)
        _ = queue.takeDue(now: now)
        _ = queue.record(.accepted(Reason(nil, "")), of: note.id, at: relay("a"), now: now, jitter: 0)
        #expect(queue.forgetSettled(before: now + .seconds(1)) == [note.id])
        #expect(queue.delivery(of: note.id) == nil)
    }
}
