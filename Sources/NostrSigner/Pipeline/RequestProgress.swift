internal import NostrCore

/// How far the latest requests are, by their events, so that copies of them cost nothing.
struct RequestProgress: Hashable, Sendable {
    enum Phase: Hashable, Sendable {
        case underWay
        case waiting
        /// Answered; with the content when no relay took it after all tries.
        case answered(undelivered: String?)
        /// Answered with this, to an app that is forgotten since: nothing else knows the answer.
        case gone(OutgoingAnswer)
        /// Not to be answered.
        case over
    }

    /// A request that came before.
    struct Known: Hashable, Sendable {
        var phase: Phase
        /// Whether its app sent it again: it came once more by a relay that had brought it.
        ///
        /// Other relays bring what was sent once.
        var isSentAgain: Bool
    }

    private struct Entry: Hashable, Sendable {
        var phase: Phase
        var relays: Set<RelayURL>
        var repeats = 0
    }

    private var entries: [EventID: Entry] = [:]
    private var order: [EventID] = []
    private var head = 0
    private static let capacity = 16_384
    /// How often one event is answered again, so that a relay that repeats itself is not answered for ever.
    private static let mostRepeats = 8

    /// Notes that a request came; `nil` when it is new.
    mutating func begin(_ id: EventID, cameBy relay: RelayURL?) -> Known? {
        if var known = entries[id] {
            let isSentAgain = relay.map(known.relays.contains) ?? false
            if let relay, known.relays.count < 16 { known.relays.insert(relay) }
            if isSentAgain { known.repeats += 1 }
            entries[id] = known
            return Known(phase: known.phase, isSentAgain: isSentAgain && known.repeats <= Self.mostRepeats)
        }
        entries[id] = Entry(phase: .underWay, relays: relay.map { [$0] } ?? [])
        order.append(id)
        if order.count - head > Self.capacity {
            entries[order[head]] = nil
            head += 1
            if head > 4096 {
                order.removeFirst(head)
                head = 0
            }
        }
        return nil
    }

    /// The relays a request came by.
    func relays(of id: EventID) -> Set<RelayURL> { entries[id]?.relays ?? [] }

    mutating func set(_ id: EventID, _ phase: Phase) { entries[id]?.phase = phase }

    /// A relay took the answer.
    mutating func didDeliver(_ id: EventID) {
        guard case .answered? = entries[id]?.phase else { return }
        entries[id]?.phase = .answered(undelivered: nil)
    }

    /// How far a request is.
    func phase(of id: EventID) -> Phase? { entries[id]?.phase }

    /// Lets a request come again.
    mutating func forget(_ id: EventID) { entries[id] = nil }
}
