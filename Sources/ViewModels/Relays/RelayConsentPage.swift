public import NostrClient
internal import NostrCore

/// Which relays asked who the person is, and what they were answered.
public struct RelayConsentPage: Hashable, Sendable {
    /// One relay.
    public struct Item: Hashable, Sendable {
        /// Its address.
        public let address: String
        /// Its address without the scheme.
        public let name: String
        /// What it was wanted for, as a phrase.
        public let purpose: String
        /// The answer; `nil` while there is none.
        public let answer: RelayConsent?

        init(_ entry: RelayConsentEntry) {
            address = entry.relay.text
            name = address.split(separator: "://", maxSplits: 1).last.map(String.init) ?? address
            purpose = RelayConsentWords.purpose(entry.reasons)
            answer = entry.answer
        }

        /// The answer in a few words.
        public var answerWords: String { answer.map(RelayConsentWords.answer) ?? "" }
    }

    /// Relays that wait for an answer.
    public let questions: [Item]
    /// Relays that were answered.
    public let answered: [Item]

    /// What an account was asked; an account without a key is never asked.
    public static func load(from account: any Account) async throws(Trouble) -> RelayConsentPage {
        let entries = try await troubled { try await account.consents?.relayConsents() ?? [] }
        let items = entries.map(Item.init)
        return RelayConsentPage(
            questions: items.filter { $0.answer == nil }, answered: items.filter { $0.answer != nil })
    }

    /// Answers for relays; `nil` takes the answers back.
    ///
    /// - Throws: ``Trouble``, also for what is no address.
    public static func answer(
        _ consent: RelayConsent?, for addresses: [String], of account: any Account
    ) async throws(Trouble) {
        guard let consents = account.consents else { throw Trouble(RelaysWords.onlyReads) }
        var relays: [RelayURL] = []
        for address in addresses {
            guard let relay = try? RelayURL(address) else { throw Trouble(RelaysWords.notAnAddress) }
            relays.append(relay)
        }
        let chosen = relays
        try await troubled {
            for relay in chosen {
                if let consent {
                    try await consents.answer(consent, for: relay)
                } else {
                    try await consents.revokeConsent(for: relay)
                }
            }
        }
    }
}
