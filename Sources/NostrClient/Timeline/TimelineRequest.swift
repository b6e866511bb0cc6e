internal import NostrCore
internal import NostrNIPs
internal import Synchronization

/// What a page waits for that stands alone.
enum TimelineRequest: Hashable, Sendable {
    case older(TimelineSource)
    case thread(EventID, hints: [RelayURL])
    case search(String)
}

/// Small pieces that pages lack, collected for a moment and asked together.
struct MissingParts: Sendable {
    /// Events that notes name, and the notes that name them.
    var events: [EventID: (pointer: EventPointer, neededBy: Set<EventID>)] = [:]
    /// Notes on screen, whose answers and reactions should be up to date.
    var engagement: Set<EventID> = []
    /// Verified events from inside reposts.
    var adopted: [EventID: Event] = [:]
    /// People without a profile.
    var people: Set<PublicKey> = []

    var isEmpty: Bool { events.isEmpty && engagement.isEmpty && adopted.isEmpty }

    mutating func merge(_ other: MissingParts) {
        engagement.formUnion(other.engagement)
        adopted.merge(other.adopted) { old, _ in old }
        events.merge(other.events) { old, new in (old.pointer, old.neededBy.union(new.neededBy)) }
    }
}
