public import NostrCore
package import NostrRelay

/// What a person answered to a relay that wants to know who they are (NIP-42).
public enum RelayConsent: String, Hashable, Sendable, CaseIterable {
    /// It may know, until the answer is taken back.
    case always
    /// It may know until the program ends; not kept on disk.
    case once
    /// It never learns.
    case never
}

/// What a relay was wanted for when it asked who the person is.
public enum RelayConsentReason: String, Hashable, Sendable, CaseIterable {
    /// A private message to somebody who reads there.
    case message
    /// A note, a reply or a reaction.
    case note
    /// Something of a circle.
    case circle
    /// A profile or a list.
    case list
    /// Another event.
    case event
    /// Notes of a relay that the person wants to read.
    case reading

    init(_ kind: Kind) {
        switch kind {
        case 1059: self = .message
        case 1, 6, 7, 16, 1111: self = .note
        case 443, 445, 30_443: self = .circle
        case 0, 3: self = .list
        default: self = (10_000..<20_000).contains(kind.rawValue) ? .list : .event
        }
    }
}

/// One relay that asked, with the person's answer.
public struct RelayConsentEntry: Hashable, Sendable {
    /// The relay.
    public let relay: RelayURL
    /// The answer; `nil` while the person has given none.
    public var answer: RelayConsent?
    /// What it was wanted for, as far as known.
    public var reasons: Set<RelayConsentReason>

    /// An entry of this moment.
    public init(relay: RelayURL, answer: RelayConsent?, reasons: Set<RelayConsentReason>) {
        self.relay = relay
        self.answer = answer
        self.reasons = reasons
    }
}

/// Which relays beside the account's own may learn who it is.
public protocol RelayConsentKeeping: Sendable {
    /// Questions that wait and answers that were given, by relay.
    func relayConsents() async throws -> [RelayConsentEntry]
    /// Answers for a relay; what waited for the answer goes on.
    func answer(_ consent: RelayConsent, for relay: RelayURL) async throws
    /// Takes an answer back: the relay is not told any more, and asks again when it next matters.
    func revokeConsent(for relay: RelayURL) async throws
}

extension PublishOutcome {
    /// Whether the relay would take the event from somebody it knows.
    package var wantsAuthentication: Bool {
        switch self {
        case .rejected(let reason): reason.prefix == .authRequired
        case .unauthenticated: true
        case .accepted, .tooLong, .timedOut, .failed, .blocked, .shuttingDown: false
        }
    }
}
