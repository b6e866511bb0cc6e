public import NostrCore
public import NostrNIPs

/// Reports that say the same about one thing, by people the account follows and by the account itself.
public struct ReportGroup: Hashable, Sendable {
    /// What is objectionable; `nil` where no reason is given that NIP-56 knows.
    public var reason: Report.Reason?
    /// Who says so, the newest first.
    public var people: [Person]
    /// Whether the account is one of them.
    public var isOwn: Bool

    /// A group that is known already.
    public init(reason: Report.Reason?, people: [Person], isOwn: Bool = false) {
        self.reason = reason
        self.people = people
        self.isOwn = isOwn
    }
}

/// What was reported (NIP-56); implemented by ``ReportReader``.
///
/// Anybody can report anybody, and reports of strangers are a way to harm people; so only those count whose authors the
/// account follows, and its own.
public protocol ReportReading: Sendable {
    /// Reports about an event by somebody, the largest group first; from the store.
    func reports(about id: EventID, by author: PublicKey) async throws -> [ReportGroup]
    /// Reports about a person, whatever they wrote, the largest group first; from the store.
    func reports(about person: PublicKey) async throws -> [ReportGroup]
}
