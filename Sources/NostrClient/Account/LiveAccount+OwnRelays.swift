public import NostrCore

extension LiveAccount {
    /// Whether a relay is on one of the account's own lists: to read or to write (NIP-65), to receive messages (kind
    /// 10050), or for private content.
    public func isOwn(_ relay: RelayURL) -> Bool {
        if privateRelays.contains(relay) || mail.inbox.contains(relay) { return true }
        return router.lists[publicKey].map { $0.write.contains(relay) || $0.read.contains(relay) } ?? false
    }
}
