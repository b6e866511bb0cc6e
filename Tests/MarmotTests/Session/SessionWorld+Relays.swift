import NostrCore
import NostrNIPs

@testable import Marmot

/// What goes over relays, and how it comes.
extension SessionWorld {
    /// How many events are heard in one step at most.
    private static let batch = 64

    /// Sends an event to all relays, and those send it on; says whether one of them took it.
    mutating func publish(_ who: Int, _ event: Event) -> Bool {
        var isTaken = false
        for index in relays.indices where relays[index].isUp && !fault(30) {
            isTaken = true
            guard relays[index][event.id] == nil else { continue }
            if relays.allSatisfy({ $0[event.id] == nil }) { strangers?.seen.append(event) }
            relays[index].store(event)
            for other in members.indices where members[other].isOnline && members[other].session != nil {
                if fault(25) { continue }
                underWay.append((other, .event(event)))
                if fault(15) { underWay.append((other, .event(event))) }
            }
        }
        return isTaken
    }

    /// Asks relays for what there is since a moment; an answer may be cut off.
    mutating func fetch(_ who: Int, since: Timestamp) {
        var events: [EventID: Event] = [:]
        var isComplete = false
        for relay in relays where relay.isUp {
            let found = relay.events.filter { $0.createdAt >= since }
            if fault(10) {
                for event in found.prefix(found.count / 2) { events[event.id] = event }
            } else {
                isComplete = true
                for event in found { events[event.id] = event }
            }
        }
        guard relays.contains(where: \.isUp) else { return }
        let sorted = events.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        underWay.append((who, .fetched(sorted, isComplete: isComplete)))
    }

    /// Asks for what may have been missed, as whoever connects does.
    mutating func catchUp(_ who: Int) {
        guard members[who].isOnline, let since = members[who].session?.filter.since else { return }
        fetch(who, since: since)
    }

    /// A relay goes down, comes back, or is gone for good.
    mutating func stirRelay() {
        let index = Int.random(in: relays.indices, using: &random)
        switch relays[index].standing {
        case .gone: break
        case .up:
            guard chance(30) else { return }
            relays[index].standing = .down
            guard !relays.contains(where: \.isUp) else { return }
            for who in members.indices where members[who].isOnline { apply(who, .disconnected) }
        case .down:
            if chance(12), relays.count(where: { $0.standing != .gone }) > 1 {
                relays[index].standing = .gone
            } else {
                raise(index)
            }
        }
    }

    mutating func raise(_ index: Int) {
        relays[index].standing = .up
        for who in members.indices { catchUp(who) }
    }

    /// Whatever is under way arrives in some order.
    mutating func deliverOne() {
        guard !underWay.isEmpty else { return }
        underWay.swapAt(Int.random(in: underWay.indices, using: &random), underWay.count - 1)
        let (who, what) = underWay.removeLast()
        guard members[who].isOnline else {
            // What is in a gift wrap waits.
            switch what {
            case .welcome, .answer(.vouched): underWay.append((who, what))
            default: break
            }
            return
        }
        switch what {
        case .answer(let input): apply(who, input)
        case .event(let event): apply(who, .event(event))
        case .welcome(let welcoming): join(who, welcoming)
        case .fetched(let events, let isComplete): heard(who, events, isComplete)
        }
    }

    mutating func heard(_ who: Int, _ events: [Event], _ isComplete: Bool) {
        let before = crashes
        for start in stride(from: 0, to: events.count, by: Self.batch) {
            receive(who, Array(events[start..<min(start + Self.batch, events.count)]))
            // Who crashed asks again.
            if crashes != before { return }
        }
        if isComplete { apply(who, .caughtUp) }
    }
}
