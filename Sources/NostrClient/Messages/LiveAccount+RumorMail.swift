package import NostrCore
package import NostrNIPs
package import NostrStore

/// Gift wraps that carry no message, for services that stand above.
extension LiveAccount: RumorMail {
    package func ownRelays() async -> [RelayURL] { mailRelays }

    package func isListed(_ person: PublicKey) async throws -> Bool {
        var basis = try await routes(to: [person])[person]?.basis
        if basis != .inbox {
            await discoverInboxes(of: [person])
            basis = try await routes(to: [person])[person]?.basis
        }
        return basis == .inbox || basis == .relayList
    }

    package func send(
        _ rumor: Rumor, to recipient: PublicKey, with changes: [RecordChange], besides relays: [RelayURL]
    ) async throws {
        try await sendGift(rumor, to: recipient, clearing: changes, besides: relays)
    }

    package func received(of kinds: Set<Kind>) async throws -> [(rumor: Rumor, removal: RecordChange)] {
        try await mailbox.others(of: kinds)
    }

    package func wasRemoved() async { await mailbox.otherWasTaken() }

    package func undeliveredCount() async -> Int {
        mail.outbox.all.count { $0.rumor == nil && $0.delivery.accepted.isEmpty && !$0.delivery.isSettled }
    }
}
