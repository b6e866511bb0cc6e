public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A list of the account's on which a relay may stand.
public struct RelayMembership: Hashable, Sendable {
    /// What kind of list.
    public let kind: Kind
    /// Which of them; empty for kinds of which an account has a single list.
    public let identifier: String
    /// What it is called.
    public let title: String
    /// What it does, in one sentence.
    public let lead: String
    /// Whether the relay stands on it, in the parts that can be read.
    public let isOn: Bool
    /// Whether a part of it is closed while the key is locked, so that it may stand there.
    public let isLocked: Bool

    /// The lists of relays of which an account has one each, beside where it writes and reads (NIP-51).
    static let single: [Kind] = [.relayFeeds, .blockedRelays, .searchRelays, .directMessageRelays, .privateRelays]

    /// The kinds of all of them, sets included.
    public static let kinds: Set<Kind> = Set(single).union([.relaySets])

    init(_ list: PersonalList, of relay: RelayURL) {
        kind = list.address.kind
        identifier = list.address.identifier
        title = list.shownTitle
        lead = ListSort.of(kind).lead
        isOn = list.contains(.relay(relay))
        isLocked = list.privatePart == .locked
    }

    /// The lists of an account, sets of relays last; none for one without a key.
    static func all(of relay: RelayURL, in account: any Account) async throws -> [RelayMembership] {
        guard let lists = account.lists else { return [] }
        var found: [PersonalList] = []
        for kind in single { found.append(try await lists.list(kind, identifier: "")) }
        found += try await lists.lists().filter { $0.address.kind == .relaySets }
            .sorted { $0.shownTitle < $1.shownTitle }
        return found.map { RelayMembership($0, of: relay) }
    }

    /// The change of a list that puts a relay on it, in the part where the list begins, or takes it off.
    public static func edit(_ relay: RelayURL, _ isOn: Bool, on kind: Kind) -> ListEdit {
        isOn ? .add(.relay(relay), isPrivate: !ListSort.of(kind).isPublicOnly) : .remove(.relay(relay))
    }

    /// Puts a relay on a list, or takes it off.
    ///
    /// - Returns: what happened, in a sentence.
    /// - Throws: ``Trouble``; nothing has changed then.
    public static func set(
        _ text: String, _ isOn: Bool, on kind: Kind, _ identifier: String, of account: any Account
    ) async throws(Trouble) -> String {
        guard let relay = OwnRelaysEditor.relay(text) else { throw Trouble(RelaysWords.notAnAddress) }
        guard kinds.contains(kind), !(kind == .relaySets && identifier.isEmpty) else {
            throw Trouble(RelaysWords.noSuchList)
        }
        return try await troubled {
            let lists = try openLists(account)
            _ = try await lists.change(kind, identifier: identifier, edit(relay, isOn, on: kind))
            let title = try await lists.list(kind, identifier: identifier).shownTitle
            return RelaysWords.isListed(shortAddress(relay), isOn, title)
        }
    }
}
