public import NostrCore

extension LiveAccount {
    /// Whether a relay is on the account's own list (NIP-65), to read or to write.
    public func isOwn(_ relay: RelayURL) -> Bool {
        router.lists[publicKey].map { $0.write.contains(relay) || $0.read.contains(relay) } ?? false
    }
}
