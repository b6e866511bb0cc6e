import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

/// An id that a small number stands for; a lower number is a lower id.
func id(_ number: UInt8) -> EventID { EventID(bytes(number)) }

func bytes(_ number: UInt8) -> Bytes32 {
    // A fixed length fits.
    (try? Bytes32([UInt8](repeating: number, count: 32).span)) ?? Bytes32()
}

func rival(_ number: UInt8, at seconds: Int64 = 0) -> RivalCommit {
    RivalCommit(id: id(number), createdAt: noon + .seconds(seconds))
}

/// A convergence and its clock, to be told what happens.
struct Told {
    var convergence: Convergence
    var now = noon

    init(limits: SessionLimits = SessionLimits(), hasFreshKeys: Bool = true) {
        convergence = Convergence(
            at: 10, now: noon, hasFreshKeys: hasFreshKeys, profile: GenerationB(), limits: limits)
    }

    @discardableResult
    mutating func apply(_ input: ConvergenceInput, after seconds: Int64 = 0) -> [ConvergenceEffect] {
        now = now + .seconds(seconds)
        return convergence.receive(input, now: now)
    }

    /// An event comes and is opened.
    @discardableResult
    mutating func receive(
        _ number: UInt8, at seconds: Int64 = 0, size: Int = 1000, _ facts: GroupEventFacts
    ) -> [ConvergenceEffect] {
        let first = apply(.received(rival(number, at: seconds), size: size))
        return first.contains(.open(id(number))) ? apply(.opened(id(number), facts)) : first
    }

    /// Somebody's commit comes, and is merged if it counts.
    @discardableResult
    mutating func follow(_ number: UInt8, at seconds: Int64 = 0, from epoch: UInt64) -> [ConvergenceEffect] {
        let effects = receive(number, at: seconds, commit(number, from: epoch))
        return convergence.state.merging == nil ? effects : effects + apply(.merged(id(number)))
    }

    func commit(_ number: UInt8, from epoch: UInt64, removesUs: Bool = false) -> GroupEventFacts {
        .commit(epoch: epoch, message: bytes(number), removesUs: removesUs)
    }

    func own(_ number: UInt8, at seconds: Int64 = 0, epoch: UInt64 = 10, invites: Bool = false) -> ConvergenceInput {
        .made(OwnCommitFacts(rival(number, at: seconds), epoch: epoch, message: bytes(number), invites: invites))
    }

    /// As after a crash, from what was on the disk.
    mutating func restart(own: Set<EventID> = []) throws -> [ConvergenceEffect] {
        let state = try ConvergenceState(bytes: convergence.state.encoded)
        convergence = Convergence(state, profile: GenerationB(), limits: convergence.limits)
        return apply(.restarted(ownCommits: own))
    }
}

extension [ConvergenceEffect] {
    /// What a person is told.
    var notices: [GroupNotice] { compactMap { if case .notice(let notice) = $0 { notice } else { nil } } }
}

@Suite("Our own commits, until they count (MIP-03)") struct OwnCommitTests {
    @Test("publish, an answer, fetched back, merged, and only then Welcomes")
    func goesThrough() {
        var told = Told()
        #expect(told.apply(told.own(1, invites: true)) == [.publish(id(1))])
        #expect(!told.convergence.canCommit)
        #expect(told.apply(.accepted(id(1))) == [.fetchBack(id(1))])
        #expect(told.apply(.echoed(id(1))) == [.snapshot(10), .merge(id(1))])
        #expect(told.apply(.merged(id(1))) == [.sendWelcomes(id(1)), .subscribe])
        #expect(told.convergence.state.epoch == 11 && told.convergence.canCommit)
        #expect(told.apply(.welcomed(id(1))).isEmpty && told.convergence.state.unwelcomed.isEmpty)
    }

    @Test("the echo suffices, by whatever way it comes, and comes once")
    func echo() {
        var told = Told()
        told.apply(told.own(1))
        #expect(told.apply(.received(rival(1), size: 9)) == [.snapshot(10), .merge(id(1))])
        #expect(told.apply(.received(rival(1), size: 9)).isEmpty && told.apply(.echoed(id(1))).isEmpty)
        #expect(told.apply(.accepted(id(1))).isEmpty)
        told.apply(.merged(id(1)))
        #expect(told.apply(.received(rival(1), size: 9)).isEmpty && told.apply(.merged(id(1))).isEmpty)
    }

    @Test("a second commit while one is under way is not made")
    func one() {
        var told = Told()
        told.apply(told.own(1))
        #expect(told.apply(told.own(2)) == [.clearPending(id(2)), .redo(id(2))])
        told = Told()
        #expect(told.apply(told.own(2, epoch: 9)) == [.clearPending(id(2)), .redo(id(2))])
    }

    @Test("what all relays refuse is cleared; what only some may have stays staged")
    func refused() {
        var told = Told()
        told.apply(told.own(1))
        #expect(told.apply(.rejected(id(1))) == [.clearPending(id(1)), .notice(.commitRefused)])
        #expect(told.convergence.canCommit)
        told.apply(told.own(2))
        #expect(told.apply(.tick, after: 10) == [.publish(id(2))])
        #expect(told.apply(.rejected(id(2))) == [.notice(.commitNotAccepted)])
        #expect(told.apply(.received(rival(2), size: 9)) == [.snapshot(10), .merge(id(2))])
    }

    @Test("no answer: published again while it is fresh, then only looked for, then said by its name")
    func silence() {
        var told = Told()
        told.apply(told.own(1))
        #expect(told.apply(.tick, after: 9).isEmpty)
        #expect(told.apply(.tick, after: 1) == [.publish(id(1))])
        #expect(told.apply(.tick, after: 20) == [.publish(id(1))])
        #expect(told.apply(.tick, after: 40) == [.fetchBack(id(1))])
        #expect(told.apply(.tick, after: 80) == [.notice(.commitNotAccepted)])
        #expect(told.convergence.canCommit && told.apply(.tick, after: 3600).isEmpty)
    }

    @Test("taken by a relay but not found there: published again, then said by its name")
    func lost() {
        var told = Told()
        told.apply(told.own(1))
        told.apply(.accepted(id(1)))
        #expect(told.apply(.notFound(id(1))) == [.publish(id(1))])
        told.apply(.accepted(id(1)))
        #expect(told.apply(.tick, after: 19).isEmpty)
        #expect(told.apply(.tick, after: 1) == [.fetchBack(id(1))])
        told.now = noon + .seconds(100)
        #expect(told.apply(.notFound(id(1))) == [.fetchBack(id(1))], "It is too old to be sent.")
        #expect(told.apply(.notFound(id(1))) == [.notice(.commitNotFound)])
    }

    @Test("made while offline: nobody has it and it is too old to be sent, so it is made again")
    func stale() {
        var told = Told()
        told.apply(told.own(1))
        told.now = noon + .seconds(3600)
        #expect(told.apply(.tick) == [.fetchBack(id(1))])
        #expect(told.apply(.notFound(id(1))) == [.clearPending(id(1)), .redo(id(1))])
    }

    @Test("what MLS does not merge is cleared, and said")
    func notMerged() {
        var told = Told()
        told.apply(told.own(1))
        told.apply(.echoed(id(1)))
        #expect(told.apply(.mergeRefused(id(1))) == [.clearPending(id(1)), .notice(.commitNotMerged)])
        #expect(told.convergence.state.epoch == 10 && told.apply(.received(rival(1), size: 9)).isEmpty)
    }
}

@Suite("Races of commits (MIP-03)") struct RaceTests {
    @Test("the preferred commit counts in whichever order they come", arguments: [[1, 2], [2, 1]] as [[UInt8]])
    func order(numbers: [UInt8]) {
        var told = Told()
        for number in numbers { told.follow(number, from: 10) }
        #expect(told.convergence.state.links.map(\.commit.id) == [id(1)])
        #expect(told.convergence.state.epoch == 11)
    }

    @Test("the later second loses, whatever its id")
    func time() {
        var told = Told()
        told.follow(1, at: 5, from: 10)
        let effects = told.receive(9, at: 4, told.commit(9, from: 10))
        #expect(effects == [.rollBack(to: 10, merging: id(9))])
    }

    @Test("goes back several epochs, and forgets the branch")
    func back() {
        var told = Told()
        for epoch in 10..<14 { told.follow(UInt8(epoch), at: Int64(epoch), from: UInt64(epoch)) }
        #expect(told.receive(1, at: 11, told.commit(1, from: 11)) == [.rollBack(to: 11, merging: id(1))])
        #expect(told.apply(.merged(id(1))) == [.subscribe])
        #expect(told.convergence.state.epoch == 12)
        #expect(told.convergence.state.links.map(\.commit.id) == [id(10), id(1)])
    }

    @Test("goes back five epochs and not six, and snapshots are bounded")
    func bound() {
        var told = Told()
        for epoch in 10..<15 { told.follow(UInt8(epoch), at: Int64(epoch), from: UInt64(epoch)) }
        #expect(told.convergence.state.links.count == 5)
        #expect(told.follow(15, at: 15, from: 15).contains(.removeSnapshots(before: 11)))
        #expect(told.receive(1, told.commit(1, from: 10)).isEmpty)
        #expect(told.receive(2, told.commit(2, from: 11)) == [.rollBack(to: 11, merging: id(2))])
    }

    @Test("our commit loses before its echo: made again")
    func losesPending() {
        var told = Told()
        told.apply(told.own(5))
        let effects = told.follow(4, from: 10)
        #expect(effects.contains(.redo(id(5))) && effects.notices == [.commitOvertaken])
        #expect(told.convergence.canCommit && told.apply(.received(rival(5), size: 9)).isEmpty)
    }

    @Test("our commit is preferred but not on a relay yet: the other is merged, and given up at the echo")
    func winsLate() {
        var told = Told()
        told.apply(told.own(3))
        #expect(!told.follow(4, from: 10).contains(.clearPending(id(3))))
        #expect(told.convergence.state.epoch == 11 && !told.convergence.canCommit)
        #expect(told.apply(.tick, after: 10) == [.fetchBack(id(3))], "Overtaken, it is not sent any more.")
        #expect(told.apply(.echoed(id(3))) == [.rollBack(to: 10, merging: id(3))])
        told.apply(.merged(id(3)))
        #expect(told.convergence.state.links.map(\.commit.id) == [id(3)])
    }

    @Test("our commit was merged and loses: made again, and its Welcomes are not sent any more")
    func losesMerged() {
        var told = Told()
        told.apply(told.own(5, invites: true))
        told.apply(.echoed(id(5)))
        told.apply(.merged(id(5)))
        #expect(told.receive(4, told.commit(4, from: 10)) == [.rollBack(to: 10, merging: id(4))])
        #expect(told.apply(.merged(id(4))) == [.redo(id(5)), .notice(.commitOvertaken), .subscribe])
        #expect(told.convergence.state.unwelcomed.isEmpty)
    }

    @Test("the same commit in another event takes nobody back, but lends its date")
    func rewrapped() {
        var told = Told()
        told.follow(5, at: 5, from: 10)
        #expect(told.receive(6, at: 3, told.commit(5, from: 10)).isEmpty)
        #expect(told.receive(4, at: 4, told.commit(4, from: 10)).isEmpty, "It is later than the second event.")
        #expect(told.convergence.state.links.map(\.commit) == [rival(6, at: 3)])
    }

    @Test("our commit that lost wins by a stranger's copy with an earlier date, as it does for everybody else")
    func copied() throws {
        var told = Told()
        told.apply(told.own(5, at: 5, invites: true))
        told.follow(4, at: 4, from: 10)
        #expect(told.receive(6, at: 4, told.commit(5, from: 10)).isEmpty, "It is not preferred.")
        #expect(try told.restart(own: [id(5)]) == [.subscribe])
        #expect(told.receive(7, at: 3, told.commit(5, from: 10)) == [.rollBack(to: 10, merging: id(5))])
        #expect(told.apply(.merged(id(5))) == [.sendWelcomes(id(5)), .subscribe])
        #expect(told.convergence.state.links.map(\.commit) == [rival(7, at: 3)])
        #expect(told.receive(4, at: 4, told.commit(4, from: 10)).isEmpty && told.convergence.canCommit)
    }

    @Test("our commit that was merged and lost wins by a copy, and lends its date")
    func copiedAfterMerge() {
        var told = Told()
        told.apply(told.own(5, at: 5))
        told.apply(.echoed(id(5)))
        told.apply(.merged(id(5)))
        told.follow(4, at: 4, from: 10)
        #expect(told.receive(7, at: 3, told.commit(5, from: 10)) == [.rollBack(to: 10, merging: id(5))])
        told.apply(.merged(id(5)))
        #expect(told.receive(8, at: 2, told.commit(5, from: 10)).isEmpty)
        #expect(told.convergence.state.links.map(\.commit) == [rival(8, at: 2)])
    }

    @Test("a copy of our commit that waits for its echo shows that it is out")
    func copiedBeforeEcho() {
        var told = Told()
        told.apply(told.own(5, at: 5))
        #expect(told.receive(7, at: 9, told.commit(5, from: 10)) == [.snapshot(10), .merge(id(5))])
        told.apply(.merged(id(5)))
        #expect(told.convergence.state.links.map(\.commit) == [rival(5, at: 5)])
    }

    @Test("our commits are dropped with the snapshots on which they could be merged")
    func unreachable() {
        var told = Told()
        told.apply(told.own(5, at: 5))
        told.follow(4, at: 4, from: 10)
        #expect(told.apply(.tick, after: 7 * 86_400).contains(.clearPending(id(5))))
        #expect(told.convergence.state.own.isEmpty)
    }

    @Test("while one is merged, others wait")
    func waits() {
        var told = Told()
        told.receive(5, told.commit(5, from: 10))
        #expect(told.apply(.received(rival(4), size: 9)).isEmpty)
        #expect(told.apply(.merged(id(5))) == [.subscribe, .open(id(4))])
        #expect(told.apply(.opened(id(4), told.commit(4, from: 10))) == [.rollBack(to: 10, merging: id(4))])
    }

    @Test("who is removed by one commit is a member again by a preferred one")
    func removed() {
        var told = Told()
        #expect(told.receive(5, told.commit(5, from: 10, removesUs: true)) == [.snapshot(10), .merge(id(5))])
        #expect(told.apply(.merged(id(5))).notices == [.removed])
        #expect(told.convergence.state.isRemoved && !told.convergence.canCommit)
        told.follow(4, from: 10)
        #expect(!told.convergence.state.isRemoved && told.convergence.canCommit)
    }

    @Test(
        "a preferred commit that cannot be checked any more is told, and proves nothing: who was removed can make one")
    func unchecked() {
        var told = Told()
        told.follow(5, from: 10)
        #expect(told.apply(.tick, after: 7 * 86_400).contains(.removeSnapshots(before: 11)))
        #expect(told.receive(6, .uncheckedCommit(epoch: 10, message: bytes(6))).isEmpty)
        let effects = told.receive(4, .uncheckedCommit(epoch: 10, message: bytes(4)))
        #expect(effects == [.askMembers, .notice(.unread)])
        #expect(told.convergence.state.isApart && !told.convergence.state.isOutOfStep)
    }
}
