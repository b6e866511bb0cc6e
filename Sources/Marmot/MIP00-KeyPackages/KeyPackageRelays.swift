public import NostrCore
public import NostrNIPs

/// The relays on which a person's key packages are: kind 10051.
///
/// On writing back, tags that are no relays stay as they are. Source: MIP-00.
public struct KeyPackageRelays: Hashable, Sendable {
    /// The relays in order, each once.
    public private(set) var relays: [RelayURL]
    private let others: [Tag]
    private let moment: Timestamp?

    /// A list for a person who has none.
    public init(_ relays: [RelayURL] = []) {
        (self.relays, others, moment) = ([], [], nil)
        set(relays)
    }

    /// Reads an event; nil unless it is of kind 10051.
    ///
    /// Addresses nobody can use are left out.
    public init?(_ event: Event) {
        guard event.kind == .keyPackageRelays else { return nil }
        (relays, moment) = ([], event.createdAt)
        others = event.tags.filter { $0.name != "relay" }
        set(event.tags.named("relay").compactMap { $0.relay(at: 1) })
    }

    /// Replaces the relays.
    public mutating func set(_ relays: [RelayURL]) {
        var seen: Set<RelayURL> = []
        self.relays = relays.filter { seen.insert($0).inserted }
    }

    /// The list as a draft, later than the event it replaces.
    public func draft(now: Timestamp) -> EventDraft {
        EventDraft(
            kind: .keyPackageRelays, tags: relays.map { ["relay", $0.text] } + others,
            createdAt: moment.map { max(now, $0 + .seconds(1)) } ?? now)
    }

    /// Where to look for a person's key packages, and where they publish their own.
    ///
    /// What they say of key packages counts; who says nothing has them where they write everything else.
    ///
    /// - Parameters:
    ///   - list: of kind 10051, if there is one.
    ///   - general: of kind 10002 (NIP-65), if there is one.
    public static func relays(_ list: KeyPackageRelays?, else general: RelayList?) -> [RelayURL] {
        guard let relays = list?.relays, !relays.isEmpty else { return general?.writeRelays ?? [] }
        return relays
    }
}
