internal import NostrCore
internal import NostrNIPs
internal import Synchronization

/// The versions of articles, films and streams that pages showed lately, by their addresses: what names one of those
/// by its address changes the page that shows it.
///
/// A class over one lock: every page and every event that is stored asks.
final class AddressesInView: Sendable {
    /// So many are remembered; those beyond are found again when their page is read anew.
    static let most = 1_000

    private let state = Mutex<[EventAddress: EventID]>([:])

    /// A page shows these.
    func show(_ shown: [EventAddress: EventID]) {
        guard !shown.isEmpty else { return }
        state.withLock { state in
            if state.count + shown.count > Self.most { state = [:] }
            state.merge(shown) { _, new in new }
        }
    }

    /// The versions in view that an event is about by their addresses.
    func touched(by event: Event) -> [EventID] {
        let addresses = event.touchedAddresses
        guard !addresses.isEmpty else { return [] }
        return state.withLock { state in addresses.compactMap { state[$0] } }
    }
}
