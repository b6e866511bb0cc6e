internal import NostrCore

extension NostrEntity {
    /// Parses `nostr:` and an entity; the scheme in any case.
    ///
    /// - Throws: ``EntityError``; ``EntityError/secret`` for a secret key, which NIP-21 forbids.
    public init(uri: String) throws(EntityError) {
        guard uri.utf8.count >= 6, uri.prefix(6).lowercased() == "nostr:" else { throw .unknownPrefix("") }
        try self.init(String(uri.dropFirst(6)))
    }

    /// The `nostr:` address.
    ///
    /// - Throws: as ``encoded()``.
    ///
    /// Source: NIP-21.
    public func uri() throws(EntityError) -> String {
        "nostr:" + (try encoded())
    }
}
