public import NostrClient
public import NostrCore
public import NostrNIPs
import NostrRelay

/// What relays are said to say and to hold.
extension FakeAccount {
    public func relays() throws -> [RelayReport] {
        if let silence { throw silence }
        return relayReports
    }

    public func relay(_ relay: RelayURL) throws -> RelayReport {
        try relays().first { $0.relay == relay }
            ?? RelayReport(
                relay: relay, statistics: RelayStatistics(), authors: [], isOwnRead: false, isOwnWrite: false)
    }

    public func information(of relay: RelayURL) -> RelayInformation? { statements[relay] }

    /// Lets a relay say something of itself.
    public func set(_ information: RelayInformation, of relay: RelayURL) { statements[relay] = information }

    public func coverage() throws -> [AuthorCoverage] { coverages }

    public func inbound() -> [InboundCoverage] { sent }

    /// Sets what relays gave of what others sent.
    public func receive(_ sent: [InboundCoverage]) { self.sent = sent }

    public func receipts(for id: EventID) throws -> [PublishReceipt] {
        let relays = ["wss://nest.example", "wss://hedge.example", "wss://moor.example"].compactMap {
            try? RelayURL($0)
        }
        return zip(relays, receiptStates).map { relay, state in
            PublishReceipt(relay: relay, purpose: .ownWrite, state: state, lastAnswer: nil)
        }
    }
}
