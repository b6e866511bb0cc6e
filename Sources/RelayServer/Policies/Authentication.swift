public import NostrCore

/// Refuses every question until the client has authenticated.
///
/// Source: NIP-42.
public func requireAuthenticationToAsk() -> FilterPolicy {
    { _, client in
        client.authenticated.isEmpty ? .refuse(Reason(.authRequired, "authenticate to read here")) : .accept
    }
}

/// Refuses every event until the client has authenticated.
///
/// Source: NIP-42.
public func requireAuthenticationToPublish() -> EventPolicy {
    { _, client in
        client.authenticated.isEmpty ? .refuse(Reason(.authRequired, "authenticate to write here")) : .accept
    }
}

/// Accepts events of some authors only, whoever brings them.
public func onlyAuthors(_ authors: Set<PublicKey>, because words: String) -> EventPolicy {
    { event, _ in
        authors.contains(event.pubkey) ? .accept : .refuse(Reason(.restricted, words))
    }
}

/// Lets only some keys read, after they have authenticated.
///
/// Source: NIP-42.
public func onlyReaders(_ readers: Set<PublicKey>) -> FilterPolicy {
    { _, client in
        if client.authenticated.isEmpty { return .refuse(Reason(.authRequired, "authenticate to read here")) }
        return client.authenticated.isDisjoint(with: readers)
            ? .refuse(Reason(.restricted, "this key may not read here")) : .accept
    }
}

/// Shows events of the given kinds only to their author and to the people their `p` tags name, once authenticated.
///
/// For direct messages and gift wraps (kinds 4, 1059). Source: NIP-42, NIP-17.
public func onlyForParties(kinds: Set<Kind>) -> VisibilityPolicy {
    { event, client in
        guard kinds.contains(event.kind) else { return true }
        if client.authenticated.contains(event.pubkey) { return true }
        let named = Set(event.tags.named("p").compactMap(\.value))
        return client.authenticated.contains { named.contains($0.hex) }
    }
}

/// Asks whoever wants events of the given kinds by name to authenticate first.
///
/// Beside ``onlyForParties(kinds:)``, so that a client that has not authenticated hears why it gets nothing. Source: NIP-42.
public func authenticateToAsk(for kinds: Set<Kind>) -> FilterPolicy {
    { filters, client in
        let asks = filters.contains { filter in filter.kinds.map { !$0.isEmpty && $0.isSubset(of: kinds) } ?? false }
        guard asks, client.authenticated.isEmpty else { return .accept }
        return .refuse(Reason(.authRequired, "authenticate to read private messages"))
    }
}

extension RelayPolicies {
    /// Direct messages and gift wraps (kinds 4, 1059, 21059) are shown only to their parties.
    ///
    /// Source: NIP-17, "Relays"; NIP-59, "Other Considerations"; NIP-42.
    public static var privateMessagesForPartiesOnly: RelayPolicies {
        let kinds: Set<Kind> = [4, 1_059, 21_059]
        return RelayPolicies(ask: [authenticateToAsk(for: kinds)], see: [onlyForParties(kinds: kinds)])
    }
}
