internal import NostrCore
public import NostrNIPs

/// The notes and articles of a list: sets of bookmarks, bookmarks, pins.
public struct NoteSelection: Hashable, Sendable {
    /// So many things of a list are read, the last ones: new things are put at the end (NIP-51).
    public static let most = 500

    /// Its events, each once, with hints where they may be found.
    public let events: [EventPointer]
    /// Its addresses, each once, likewise.
    public let addresses: [AddressPointer]

    /// The notes among the entries of a list; whatever else stands on it is left out.
    public init(_ items: [ListItem]) {
        var seenEvents: Set<EventID> = []
        var seenAddresses: Set<EventAddress> = []
        var events: [EventPointer] = []
        var addresses: [AddressPointer] = []
        for item in items.reversed() where events.count + addresses.count < Self.most {
            switch item {
            case .event(let pointer):
                if seenEvents.insert(pointer.id).inserted { events.append(pointer) }
            case .address(let pointer):
                if seenAddresses.insert(pointer.address).inserted { addresses.append(pointer) }
            default: break
            }
        }
        self.events = events
        self.addresses = addresses
    }

    /// Whether it names nothing.
    public var isEmpty: Bool { events.isEmpty && addresses.isEmpty }

    /// Questions for all of it.
    var filters: [Filter] {
        let ids = Set(events.map(\.id))
        return (ids.isEmpty ? [] : [Filter(ids: ids)]) + addresses.map { $0.address.filter }
    }
}
