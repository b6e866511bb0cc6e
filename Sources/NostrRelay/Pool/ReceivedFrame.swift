import NostrCore

/// A frame, as far as it can be judged without the session.
enum ReceivedFrame: Sendable {
    /// An event the pool has checked before.
    case known(SubscriptionID, Event)
    /// An event to be checked.
    case claimed(SubscriptionID, UnverifiedEvent)
    /// Anything else.
    case message(RelayMessage)
    /// No message of the protocol.
    case unreadable

    /// Looks for the id first: a copy of a known event is neither parsed nor checked again.
    init(_ frame: [UInt8], _ memory: RecentEvents) {
        if let scanned = scanEvent(inRelayFrame: frame), let event = memory.event(scanned.id) {
            self = .known(scanned.subscription, event)
            return
        }
        do {
            switch try RelayMessage(json: frame) {
            case .event(let subscription, let event): self = .claimed(subscription, event)
            case let message: self = .message(message)
            }
        } catch {
            self = .unreadable
        }
    }
}

/// A frame after its event, if it holds one, was checked.
enum JudgedFrame: Sendable {
    case event(SubscriptionID, Event, known: Bool)
    case forged
    case message(RelayMessage)
    case unreadable

    /// Checks all claimed events of a batch together, on all cores; the order stays.
    ///
    /// - Parameter givesWay: whether nobody waits for them, so that all else on this machine may go first.
    static func judge(
        _ frames: [ReceivedFrame], _ memory: RecentEvents, givesWay: Bool
    ) async -> [JudgedFrame] {
        let claims = frames.compactMap { if case .claimed(_, let event) = $0 { event } else { nil } }
        var results = await verify(claims, givesWay: givesWay).makeIterator()
        var checked: [Event] = []
        let judged = frames.map { frame -> JudgedFrame in
            switch frame {
            case .known(let subscription, let event): return .event(subscription, event, known: true)
            case .message(let message): return .message(message)
            case .unreadable: return .unreadable
            case .claimed(let subscription, _):
                switch results.next() {
                case .success(let event):
                    checked.append(event)
                    return .event(subscription, event, known: false)
                case .failure: return .forged
                case nil: return .unreadable
                }
            }
        }
        memory.insert(checked)
        return judged
    }
}
