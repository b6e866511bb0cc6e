import NostrCore

/// A relay of the pretended world.
struct WorldRelay: Sendable {
    enum Standing: Sendable { case up, down, gone }

    /// One that is down comes back with all it had; one that is gone does not.
    var standing = Standing.up
    /// In the order they came, so that chance takes the same turns whatever the ids are.
    private(set) var events: [Event] = []
    private var places: [EventID: Int] = [:]

    var isUp: Bool { standing == .up }

    mutating func store(_ event: Event) {
        guard places[event.id] == nil else { return }
        places[event.id] = events.count
        events.append(event)
    }

    subscript(_ id: EventID) -> Event? { places[id].map { events[$0] } }
}
