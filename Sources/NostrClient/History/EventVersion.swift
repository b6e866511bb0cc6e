public import NostrCore
public import NostrNIPs

/// One thing with a history.
public struct HistorySummary: Hashable, Sendable, Identifiable {
    /// Where the newest version is found.
    public var address: EventAddress
    /// How many versions are here.
    public var versions: Int
    /// When the newest one was made.
    public var newest: Timestamp

    public var id: EventAddress { address }

    /// A summary of what the store has counted.
    public init(address: EventAddress, versions: Int, newest: Timestamp) {
        self.address = address
        self.versions = versions
        self.newest = newest
    }
}

/// One version of an event, and what it changed.
public struct EventVersion: Hashable, Sendable, Identifiable {
    /// The version as it was signed.
    public var event: Event
    /// Whether it is the one in force.
    public var isCurrent: Bool
    /// What changed against the version before it; `nil` for the oldest one known.
    public var change: VersionChange?
    /// Whether its private part could be read; changes inside it are counted only then.
    public var privatePart: PersonalList.PrivatePart

    public var id: EventID { event.id }

    /// A version beside the one before it.
    public init(event: Event, isCurrent: Bool, change: VersionChange?, privatePart: PersonalList.PrivatePart) {
        self.event = event
        self.isCurrent = isCurrent
        self.change = change
        self.privatePart = privatePart
    }
}
