import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

@Suite("Events in any order and number (MIP-03)") struct ConvergenceEventTests {
    private func message(_ number: UInt8, rumor: UInt8? = nil, epoch: UInt64 = 10) -> GroupEventFacts {
        .application(epoch: epoch, message: bytes(number), rumor: id(rumor ?? number))
    }

    @Test("an event is opened once, a message shown once, a rumor shown once")
    func once() {
        var told = Told()
        #expect(told.receive(1, message(1)) == [.deliver(id(1))])
        #expect(told.apply(.received(rival(1), size: 9)).isEmpty)
        #expect(told.apply(.opened(id(1), message(1))).isEmpty)
        #expect(told.receive(2, message(1)).isEmpty, "The same message in another event.")
        #expect(told.receive(3, message(3, rumor: 1)).isEmpty, "The same rumor in another message.")
        #expect(told.receive(4, message(4)) == [.deliver(id(4))])
    }

    @Test("what is remembered is bounded, and the oldest goes first")
    func bounded() {
        var recent = Recent(limit: 3)
        for number in 1...5 as ClosedRange<UInt8> { recent.insert(bytes(number)) }
        let isNew = recent.insert(bytes(4))
        #expect(!isNew && recent.inOrder == [3, 4, 5].map { bytes($0) })
        #expect(!recent.contains(bytes(2)) && Recent(limit: 3, recent.inOrder).inOrder == recent.inOrder)
    }

    @Test("an event of an epoch to come is kept, and opened after the commit that leads there")
    func early() {
        var told = Told()
        #expect(told.receive(2, at: 2, .undecryptable) == [.keep(id(2))])
        #expect(told.receive(3, at: 1, .undecryptable) == [.keep(id(3))])
        #expect(told.apply(.received(rival(2, at: 2), size: 9)).isEmpty, "It waits already.")
        let effects = told.follow(1, from: 10)
        #expect(effects.suffix(2) == [.open(id(3)), .open(id(2))], "The preferred first.")
        #expect(told.apply(.opened(id(3), .undecryptable)).isEmpty, "It is kept already.")
        #expect(told.apply(.opened(id(2), message(2, epoch: 11))) == [.forget(id(2)), .deliver(id(2))])
    }

    @Test("a commit waits for the proposal it needs")
    func unripe() {
        var told = Told()
        #expect(told.receive(2, .unripe) == [.keep(id(2))])
        let proposal = GroupEventFacts.proposal(epoch: 10, message: bytes(1), isOursToCommit: false)
        #expect(told.receive(1, proposal) == [.open(id(2))])
        #expect(told.apply(.opened(id(2), told.commit(2, from: 10))) == [.forget(id(2)), .snapshot(10), .merge(id(2))])
    }

    @Test("an event from ahead of our clock is opened when its time comes, and once")
    func ahead() throws {
        var told = Told()
        #expect(told.receive(1, at: 400, .unripe) == [.keep(id(1))])
        #expect(told.convergence.nextDue(after: told.now) == noon + .seconds(100))
        #expect(told.apply(.tick, after: 99).isEmpty)
        #expect(told.apply(.tick, after: 1) == [.open(id(1))])
        #expect(told.apply(.opened(id(1), message(1))) == [.forget(id(1)), .deliver(id(1))])
        #expect(told.apply(.tick, after: 1).isEmpty)
    }

    @Test("events from ahead of our clock that nothing opens count once their time has come, as others do")
    func aheadAndUnreadable() throws {
        var told = Told()
        for number in 1...5 as ClosedRange<UInt8> { told.receive(number, at: 400, .unripe) }
        #expect(try told.restart().filter { if case .open = $0 { true } else { false } }.count == 5)
        for number in 1...5 as ClosedRange<UInt8> { #expect(told.apply(.opened(id(number), .unripe)).isEmpty) }
        #expect(told.apply(.tick, after: 100) == (1...5).map { .open(id($0)) })
        for number in 1...5 as ClosedRange<UInt8> { #expect(told.apply(.opened(id(number), .undecryptable)).isEmpty) }
        #expect(told.convergence.state.stall.run == 5)
        #expect(told.convergence.nextDue(after: told.now) > told.now, "They are not opened again and again.")
    }

    @Test("a commit that needs a proposal that had no room opens it, once, and again when the group is another")
    func incomplete() throws {
        var told = Told()
        #expect(told.receive(1, at: 1, .unripe) == [.keep(id(1))])
        #expect(told.receive(2, at: 2, .incompleteCommit) == [.keep(id(2)), .open(id(1))])
        #expect(told.apply(.opened(id(1), .unripe)).isEmpty, "It was not what was needed.")
        #expect(told.apply(.opened(id(2), .incompleteCommit)).isEmpty)
        // After a crash the group has forgotten that it made room.
        #expect(try told.restart().filter { $0 == .open(id(1)) || $0 == .open(id(2)) }.count == 2)
        #expect(told.apply(.opened(id(2), .incompleteCommit)) == [.open(id(1))])
        let proposal = GroupEventFacts.proposal(epoch: 10, message: bytes(1), isOursToCommit: false)
        #expect(told.apply(.opened(id(1), proposal)) == [.forget(id(1)), .open(id(2))])
        #expect(told.apply(.opened(id(2), told.commit(2, from: 10))) == [.forget(id(2)), .snapshot(10), .merge(id(2))])
    }

    @Test("a group that has merged a commit knows nothing of the room that was made before")
    func incompleteAgain() {
        var told = Told()
        told.receive(1, at: 1, .unripe)
        #expect(told.receive(2, at: 2, .incompleteCommit) == [.keep(id(2)), .open(id(1))])
        #expect(told.follow(3, from: 10).suffix(2) == [.open(id(1)), .open(id(2))])
        #expect(told.apply(.opened(id(2), .incompleteCommit)) == [.open(id(1))])
    }

    @Test("relays are asked for the proposal that a commit waits for in vain")
    func incompleteForLong() {
        var told = Told()
        told.receive(1, .incompleteCommit)
        told.apply(.caughtUp)
        #expect(told.apply(.tick, after: 3_599).isEmpty)
        #expect(told.apply(.tick, after: 1) == [.refetch(since: noon - .seconds(600))])
        _ = told.apply(.caughtUp)
        #expect(told.apply(.caughtUp).notices == [.unread])
    }

    @Test("what waits is bounded in number; what is dropped is asked for again when the group has gone on")
    func number() {
        var limits = SessionLimits()
        limits.waitingEvents = 2
        var told = Told(limits: limits)
        for number in 1...2 as ClosedRange<UInt8> { told.receive(number, at: Int64(number), .undecryptable) }
        #expect(told.apply(.received(rival(3, at: 3), size: 9)) == [.forget(id(1)), .open(id(3))])
        #expect(told.apply(.received(rival(1, at: 1), size: 9)) == [.forget(id(2)), .open(id(1))])
        told.apply(.caughtUp)
        #expect(told.apply(.tick).isEmpty, "The keys are the same: it would not open.")
        told.follow(9, from: 10)
        #expect(told.apply(.tick) == [.refetch(since: noon - .seconds(600))])
        told.apply(.caughtUp)
        #expect(told.apply(.tick).isEmpty)
    }

    @Test("what waits is bounded in bytes")
    func size() {
        var limits = SessionLimits()
        limits.waitingBytes = 100
        var told = Told(limits: limits)
        told.receive(1, size: 60, .undecryptable)
        #expect(told.apply(.received(rival(2), size: 60)) == [.forget(id(1)), .open(id(2))])
        #expect(told.convergence.state.waiting.bytes == 60)
        #expect(told.apply(.received(rival(3), size: 101)) == [], "It alone is too long, and nothing waited.")
        #expect(told.convergence.state.waiting.all.isEmpty)
    }

    @Test("what is older than all keys is not kept")
    func old() {
        var told = Told()
        #expect(told.receive(1, at: -601, .undecryptable).isEmpty)
        #expect(told.convergence.state.waiting.all.isEmpty && told.convergence.state.stall.run == 0)
        #expect(told.receive(2, at: -600, .undecryptable) == [.keep(id(2))])
    }

    @Test("asks for nothing but the group's own ids, from a while before what it has")
    func filter() throws {
        var told = Told()
        told.apply(.caughtUp, after: 1000)
        told.apply(.tick, after: 1000)
        told.apply(.disconnected)
        told.apply(.tick, after: 1000)
        let keyring = try Circle.open().alice.keyring
        let filter = told.convergence.filter(for: keyring)
        #expect(filter.kinds == [445] && filter.since == noon + .seconds(1400))
        #expect(filter.tags == ["h": Set(keyring.nostrGroupIDs.map(\.hex))])
    }
}

@Suite("Fresh keys and proposals, in time (MIP-02, MIP-03)") struct ConvergenceScheduleTests {
    @Test("who joined renews its keys soon, once caught up")
    func joined() {
        var told = Told(hasFreshKeys: false)
        #expect(told.apply(.tick, after: 100).isEmpty)
        told.apply(.caughtUp)
        #expect(told.apply(.tick) == [.selfUpdate])
        #expect(told.apply(.tick, after: 3599).isEmpty && told.apply(.tick, after: 1) == [.selfUpdate])
        told.apply(told.own(1, at: 3700))
        told.apply(.echoed(id(1)))
        told.apply(.merged(id(1)))
        #expect(told.apply(.tick, after: 3600).isEmpty)
    }

    @Test(
        "keys are renewed on a schedule of 1 to 30 days",
        arguments: [(0, 1), (1, 1), (7, 7), (30, 30), (99, 30)] as [(Int64, Int64)])
    func schedule(asked: Int64, days: Int64) {
        var limits = SessionLimits()
        limits.renewal = .seconds(asked * 86_400)
        var told = Told(limits: limits)
        told.apply(.caughtUp)
        #expect(told.apply(.tick, after: days * 86_400 - 1).isEmpty)
        #expect(told.apply(.tick, after: 1) == [.selfUpdate])
    }

    @Test("what all may commit is left to others for a while, and not committed twice")
    func proposal() {
        var told = Told()
        told.apply(.caughtUp)
        let proposal = GroupEventFacts.proposal(epoch: 10, message: bytes(1), isOursToCommit: true)
        told.receive(1, proposal)
        #expect(told.apply(.tick, after: 4).isEmpty && told.apply(.tick, after: 1) == [.commitProposals])
        #expect(told.apply(.tick, after: 60).isEmpty)
        told = Told()
        told.apply(.caughtUp)
        told.receive(1, proposal)
        told.follow(2, from: 10)
        #expect(told.apply(.tick, after: 60).isEmpty, "Somebody else did.")
    }
}

@Suite("After a crash (MIP-03)") struct ConvergenceRestartTests {
    @Test("a commit that we were not told of never left, and is cleared")
    func untold() throws {
        var told = Told()
        #expect(try told.restart(own: [id(1)]) == [.clearPending(id(1)), .subscribe])
    }

    @Test("a fresh commit is published again, an older one looked for, a lost one made again")
    func pending() throws {
        var told = Told()
        told.apply(told.own(1))
        #expect(try told.restart(own: [id(1)]) == [.subscribe, .publish(id(1))])
        told.now = told.now + .seconds(61)
        #expect(try told.restart(own: [id(1)]) == [.subscribe, .fetchBack(id(1))])
        #expect(try told.restart(own: []) == [.redo(id(1)), .subscribe])
        #expect(told.convergence.canCommit)
    }

    @Test("a merge, a roll back and Welcomes that were under way are done")
    func halfway() throws {
        var told = Told()
        told.apply(told.own(5, invites: true))
        told.apply(.echoed(id(5)))
        #expect(try told.restart(own: [id(5)]) == [.subscribe, .snapshot(10), .merge(id(5))])
        told.apply(.merged(id(5)))
        #expect(try told.restart() == [.sendWelcomes(id(5)), .subscribe])
        told.receive(4, told.commit(4, from: 10))
        #expect(try told.restart().suffix(2) == [.subscribe, .rollBack(to: 10, merging: id(4))])
    }

    @Test("what was kept is opened again, what was done is not")
    func events() throws {
        var told = Told()
        told.receive(1, .application(epoch: 10, message: bytes(1), rumor: id(1)))
        told.receive(2, .undecryptable)
        told.apply(.received(rival(3), size: 9))
        #expect(try told.restart() == [.subscribe, .open(id(2))])
        #expect(told.apply(.received(rival(1), size: 9)).isEmpty)
        #expect(told.apply(.received(rival(3), size: 9)) == [.open(id(3))], "It was not kept, and is heard again.")
    }

    @Test("a race is decided with what was known before")
    func race() throws {
        var told = Told()
        told.follow(5, from: 10)
        _ = try told.restart()
        #expect(told.receive(6, told.commit(6, from: 10)).isEmpty)
        #expect(told.receive(4, told.commit(4, from: 10)) == [.rollBack(to: 10, merging: id(4))])
    }

    @Test("no bytes make the state trap")
    func noise() throws {
        var told = Told()
        told.apply(told.own(5, invites: true))
        told.follow(6, from: 10)
        told.receive(7, .undecryptable)
        told.receive(4, told.commit(4, from: 10))
        let state = told.convergence.state
        #expect(try ConvergenceState(bytes: state.encoded) == state)
        Noise.run(state.encoded, rounds: 2000) { bytes in
            guard let state = try? ConvergenceState(bytes: bytes) else { return }
            var told = Told()
            told.convergence = Convergence(state, profile: GenerationB())
            told.apply(.restarted(ownCommits: [id(5)]))
            for input in [.merged(id(4)), .echoed(id(5)), .caughtUp, .tick] as [ConvergenceInput] { told.apply(input) }
        }
    }
}
