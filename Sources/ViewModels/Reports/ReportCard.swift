public import NostrCore
internal import NostrNIPs

/// A report that is looked at itself, as any other event (NIP-56, kind 1984).
public struct ReportCard: Hashable, Sendable {
    /// What is said to be wrong.
    public let reason: String
    /// Who is reported.
    public let person: PublicKey
    /// The event that is reported; `nil` for a report about the person.
    public let event: EventID?
    /// The code (`naddr`) of what is reported by its address alone.
    public let code: String?

    /// Reads an event; `nil` for what is no report.
    init?(_ event: Event) {
        guard let report = Report(event) else { return nil }
        reason = report.reason.map(ReportWords.reason) ?? ReportWords.noKnownReason
        person = report.person
        self.event = report.event
        // An identifier can be too long for a code.
        code =
            report.event == nil
            ? report.address.flatMap { try? NostrEntity.naddr(AddressPointer(address: $0)).encoded() } : nil
    }
}
