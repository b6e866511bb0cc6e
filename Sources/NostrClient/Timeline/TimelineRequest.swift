internal import NostrCore
internal import NostrNIPs
internal import Synchronization

/// What a page waits for that stands alone.
enum TimelineRequest: Hashable, Sendable {
    case older(TimelineSource)
    case thread(EventID, hints: [RelayURL])
    case search(SearchQuestion)
    case address(AddressPointer)
}

/// Small pieces that pages lack, collected for a moment and asked together.
struct MissingParts: Sendable {
    /// Events that notes name, and the notes that name them.
    var events: [EventID: (pointer: EventPointer, neededBy: Set<EventID>)] = [:]
    /// Addresses of which no version is here, and the reposts that name them.
    var places: [EventAddress: (pointer: AddressPointer, neededBy: Set<EventID>)] = [:]
    /// Notes on screen, whose answers and reactions should be up to date.
    var engagement: Set<EventID> = []
    /// Verified events from inside reposts.
    var adopted: [EventID: Event] = [:]
    /// People without a profile.
    var people: Set<PublicKey> = []
    /// What a page shows that others name by its address; nothing is asked for it.
    var addresses: [EventAddress: EventID] = [:]

    var isEmpty: Bool { events.isEmpty && places.isEmpty && engagement.isEmpty && adopted.isEmpty }

    mutating func merge(_ other: MissingParts) {
        engagement.formUnion(other.engagement)
        adopted.merge(other.adopted) { old, _ in old }
        events.merge(other.events) { old, new in (old.pointer, old.neededBy.union(new.neededBy)) }
        places.merge(other.places) { old, new in (old.pointer, old.neededBy.union(new.neededBy)) }
    }
}
