import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

@Suite("Out of step, and in step again (MIP-03)") struct StallTests {
    /// A member to whom five events come that do not open.
    private func stalled() -> Told {
        var told = Told()
        for number in 1...5 as ClosedRange<UInt8> { told.receive(number, at: 10, .undecryptable) }
        return told
    }

    @Test("a run that does not open: fetched again, from everywhere, then said, and looked for once an hour")
    func escalates() {
        var told = stalled()
        #expect(told.apply(.tick, after: 29).isEmpty)
        #expect(told.apply(.tick, after: 1) == [.refetch(since: noon - .seconds(600))])
        #expect(told.apply(.tick, after: 1).isEmpty)
        #expect(told.apply(.caughtUp) == [.softResync(since: told.now - .seconds(30 * 86_400))])
        #expect(told.apply(.caughtUp) == [.askMembers, .notice(.unread)])
        #expect(!told.convergence.state.isOutOfStep)
        #expect(told.apply(.tick, after: 3598).isEmpty)
        #expect(told.apply(.tick, after: 2) == [.refetch(since: noon - .seconds(600))])
        #expect(told.apply(.caughtUp).isEmpty && told.apply(.tick, after: 3599).isEmpty)
        #expect(told.follow(9, from: 10).notices.isEmpty && !told.convergence.state.isApart)
    }

    @Test("a member's word that the group is ahead: relays are asked everywhere, and then an admin")
    func vouched() throws {
        var told = stalled()
        #expect(told.apply(.vouched(epoch: 12)).isEmpty, "Nobody was asked yet.")
        told.apply(.tick, after: 30)
        told.apply(.caughtUp)
        #expect(told.apply(.caughtUp) == [.askMembers, .notice(.unread)])
        #expect(told.apply(.vouched(epoch: 10)).isEmpty, "We are there.")
        #expect(told.apply(.vouched(epoch: 12)) == [.softResync(since: told.now - .seconds(30 * 86_400))])
        #expect(told.apply(.vouched(epoch: 12)).isEmpty)
        _ = try told.restart()
        #expect(told.apply(.caughtUp) == [.hardResync, .notice(.outOfStep)])
        #expect(told.convergence.state.isOutOfStep && told.apply(.vouched(epoch: 13)).isEmpty)
        #expect(told.apply(.tick, after: 9999).isEmpty && told.apply(.caughtUp).isEmpty)
        #expect(told.follow(9, from: 10).notices == [.backInStep])
        #expect(!told.convergence.state.isOutOfStep)
    }

    @Test("a member's word that nobody asked for changes nothing")
    func unasked() {
        var told = Told()
        #expect(told.apply(.vouched(epoch: .max)).isEmpty)
        #expect(told.follow(9, from: 10).notices.isEmpty)
        #expect(told.apply(.caughtUp).isEmpty && !told.convergence.state.isApart)
    }

    @Test("keys are renewed and proposals committed whatever does not open")
    func renews() {
        var told = Told()
        told.apply(.caughtUp)
        told.apply(.tick, after: 7 * 86_400 - 40)
        for number in 1...5 as ClosedRange<UInt8> { told.receive(number, at: 7 * 86_400 - 40, .undecryptable) }
        #expect(told.apply(.tick, after: 30).contains(.refetch(since: noon - .seconds(600))))
        #expect(told.apply(.tick, after: 10).isEmpty, "What is missing may be on its way.")
        told.apply(.caughtUp)
        told.apply(.caughtUp)
        #expect(told.apply(.tick) == [.selfUpdate])
    }

    @Test("a state of the version before is read, and what strangers could forge does not count")
    func former() throws {
        var told = stalled()
        told.convergence.state.stall.stage = .outOfStep
        let former = try #require(formerBytes(of: told.convergence.state))
        let read = try ConvergenceState(bytes: former)
        #expect(read.isApart && !read.isOutOfStep && read.epoch == 10 && read.stall.run == 5)
    }

    /// As version 1 wrote it: without what follows the stall.
    private func formerBytes(of state: ConvergenceState) -> [UInt8]? {
        var (tail, memory) = (Writer(), Writer())
        for recent in [state.events, state.messages, state.rumors] {
            memory.vector(recent.inOrder) { $0.fixed($1.array) }
        }
        tail.integer(state.unopened)
        tail.vector(state.waiting.all.filter(\.isKept)) { $0.flag($1.isUnread) }
        state.stall.writeDoubts(to: &tail)
        var bytes = state.encoded
        guard bytes.suffix(memory.bytes.count).elementsEqual(memory.bytes) else { return nil }
        bytes.removeLast(memory.bytes.count)
        guard bytes.suffix(tail.bytes.count).elementsEqual(tail.bytes) else { return nil }
        bytes.removeLast(tail.bytes.count)
        bytes[0] = 1
        return bytes + memory.bytes
    }

    @Test("the missing commit comes with the fetch: nothing is said")
    func mends() {
        var told = stalled()
        told.apply(.tick, after: 30)
        #expect(told.follow(9, from: 10).notices.isEmpty)
        #expect(told.apply(.caughtUp).isEmpty && told.convergence.state.stall == Stall())
    }

    @Test("somebody who is heard in this epoch shows that we are in step")
    func noise() {
        var told = stalled()
        told.receive(9, .application(epoch: 10, message: bytes(9), rumor: id(9)))
        #expect(told.apply(.tick, after: 30).isEmpty)
    }

    @Test("who hears others and strangers alike is told that some cannot be read, and no more")
    func both() {
        var told = stalled()
        told.apply(.tick, after: 30)
        told.apply(.caughtUp)
        told.apply(.caughtUp)
        let heard = told.receive(9, .application(epoch: 10, message: bytes(9), rumor: id(9)))
        #expect(heard == [.deliver(id(9))])
        #expect(told.convergence.state.isApart && !told.convergence.state.isOutOfStep)
    }

    @Test("a short run has an hour, and is no proof")
    func patience() {
        var told = Told()
        told.receive(1, at: 10, .undecryptable)
        #expect(told.apply(.tick, after: 3599).isEmpty)
        #expect(told.apply(.tick, after: 1) == [.refetch(since: noon - .seconds(600))])
        told.apply(.caughtUp)
        #expect(told.apply(.caughtUp) == [.askMembers, .notice(.unread)])
        #expect(told.apply(.tick, after: 9999).isEmpty && !told.convergence.state.isOutOfStep)
    }

    @Test("relays that do not answer are asked again, and it is said once")
    func silent() {
        var told = stalled()
        let refetch = told.apply(.tick, after: 30)
        #expect(told.apply(.tick, after: 60) == refetch + [.notice(.relaysSilent)])
        #expect(told.apply(.tick, after: 119).isEmpty)
        #expect(told.apply(.tick, after: 1) == refetch)
    }
}
