public import NostrCore
internal import Synchronization

/// For what a person typed the address of a relay themself.
package enum TypedRelayPurpose: Hashable, Sendable {
    /// Drafts of other programs are looked for there.
    case drafts
    /// A circle of their making goes there.
    case circles
}

/// Relays that the person named on this machine, beside those of their relay lists.
///
/// They may be in a private network, as a relay that a stranger names must not be. Nothing is kept here: whoever keeps
/// what was typed says so again at each start.
extension Gossip {
    /// What the person typed for a purpose, in place of what they had typed for it before.
    package func use(typed relays: Set<RelayURL>, for purpose: TypedRelayPurpose) {
        knowledge.withLock { $0.typed[purpose] = relays }
    }

    /// Whether the person chose a relay: typed it here, or listed it to search there (kind 10007).
    public func isChosen(_ relay: RelayURL) -> Bool {
        knowledge.withLock { known in
            known.searchRelays.contains(relay) || known.typed.values.contains { $0.contains(relay) }
        }
    }
}
