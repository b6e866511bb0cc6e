public import NostrClient
public import NostrCore
internal import NostrNIPs

/// What some relays give out, of whomever it is: one relay, a set of them (kind 30002), or the favourites (kind 10012).
public struct RelayFeed: Hashable, Sendable {
    /// What it is called.
    public let title: String
    /// Which relays are read, in words; at most the first three are named.
    public let words: String
    /// The relays; at least one.
    public let relays: Set<RelayURL>

    /// That some of the relays are not read, as a sentence; `nil` where all are.
    public var left: String? {
        let most = TimelineSource.mostRelays
        return relays.count > most ? RelaysWords.readFirst(most, of: relays.count) : nil
    }

    /// What a timeline reads.
    public var source: TimelineSource { .relays(relays) }

    private init(title: String, relays: Set<RelayURL>) {
        self.title = title
        self.relays = relays
        words = RelaysWords.reading(relays.sorted().map { shortAddress($0) })
    }

    /// The feed of one relay, whose scheme may be left out.
    ///
    /// - Throws: ``Trouble`` for what is no address.
    public static func one(_ text: String) throws(Trouble) -> RelayFeed {
        guard let relay = OwnRelaysEditor.relay(text) else {
            throw Trouble(RelaysWords.notAnAddress, canRetry: false, isMissing: true)
        }
        return RelayFeed(title: shortAddress(relay), relays: [relay])
    }

    /// The feed of a list of relays; sets that it names count with theirs.
    ///
    /// - Throws: ``Trouble`` for a list without relays, or one that cannot be read.
    public static func list(
        _ kind: Kind, _ identifier: String, of account: any Account
    ) async throws(Trouble) -> RelayFeed {
        let (list, items) = try await troubled {
            let lists = try openLists(account)
            let list = try await lists.list(kind, identifier: identifier)
            var items = list.publicItems + list.privateItems
            for case .address(let pointer) in items {
                let address = pointer.address
                guard address.kind == .relaySets, address.author == account.publicKey else { continue }
                let set = try await lists.list(.relaySets, identifier: address.identifier)
                items += set.publicItems + set.privateItems
            }
            return (list, items)
        }
        let relays = Set(items.compactMap { if case .relay(let relay) = $0 { relay } else { nil } })
        guard !relays.isEmpty else { throw Trouble(RelaysWords.noRelays, canRetry: false, isMissing: true) }
        let title = list.title.isEmpty ? ListSort.of(kind).title : list.title
        return RelayFeed(title: oneLine(title, limit: 80), relays: relays)
    }
}
