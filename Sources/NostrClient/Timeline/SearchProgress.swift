internal import NostrCore

/// What relays have said to a search so far.
struct SearchProgress: Sendable {
    /// The relays that were asked, in order.
    var relays: [SearchedRelay]
    /// What they found: some know words of the same meaning, which no index here does.
    var found = BrowsedNotes()

    init(_ relays: [RelayURL]) {
        self.relays = relays.map { SearchedRelay($0, .asking) }
    }

    mutating func end(_ relay: RelayURL, _ standing: SearchedRelay.Standing) {
        guard let index = relays.firstIndex(where: { $0.relay == relay && $0.standing == .asking }) else { return }
        relays[index].standing = standing
    }

    /// Nobody is waited for any longer.
    mutating func close() {
        for index in relays.indices where relays[index].standing == .asking { relays[index].standing = .failed }
    }
}
