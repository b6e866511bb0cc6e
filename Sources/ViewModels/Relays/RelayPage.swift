public import NostrClient
internal import NostrCore
internal import NostrNIPs

/// One relay: how it stands, what it says of itself, who is read there, and what it is to the person.
public struct RelayPage: Equatable, Sendable {
    /// How it stands.
    public let relay: RelayItem
    /// What it says of itself; `nil` where it says nothing in time.
    public let statement: RelayStatement?
    /// Some of the people who are read there.
    public let people: [PersonItem]
    /// What it is for on the list that others see; `nil` while nothing was published.
    public let use: OwnRelaysEditor.Use?
    /// The other lists of relays, and whether it stands on them; empty for an account without a key.
    public let lists: [RelayMembership]
    /// What it is told when it asks who the person is.
    public let consent: Consent
    /// How complete what others sent to the account is, over all relays.
    public let inbound: [InboundSummary]
    /// What is to be thought of before it is used, in sentences.
    public let warnings: [String]

    /// What a relay is told when it asks who the person is (NIP-42).
    public struct Consent: Equatable, Sendable {
        /// In a few words.
        public let words: String
        /// The answer; `nil` while there is none.
        public let answer: RelayConsent?
    }

    /// So many people are named; of the others, how many there are.
    public static let mostPeople = 60

    /// What the page is called.
    public var title: String { statement.map { $0.name.isEmpty ? relay.name : $0.name } ?? relay.name }
    /// Whether one blocks it.
    public var isBlocked: Bool { lists.contains { $0.kind == .blockedRelays && $0.isOn } }
    /// How it stands: blocked from the moment one chose that, a moment before its connection ends.
    public var health: RelayItem.Health {
        if isBlocked { return .blocked }
        return relay.health == .blocked ? .resting : relay.health
    }
    /// What goes with that, in plain words; nothing where the connection has yet to follow.
    public var problem: String? { health == relay.health ? relay.problem : nil }

    /// One relay as it stands; it is asked what it says of itself, where it did not say so yet.
    ///
    /// - Parameter text: its address; the scheme may be left out.
    /// - Throws: ``Trouble``, also for what is no address.
    public static func load(_ text: String, of account: any Account) async throws(Trouble) -> RelayPage {
        guard let relay = OwnRelaysEditor.relay(text) else {
            throw Trouble(RelaysWords.notAnAddress, canRetry: false, isMissing: true)
        }
        return try await troubled {
            async let information = account.network.information(of: relay)
            let report = try await account.network.relay(relay)
            let own = try await OwnRelaysEditor.load(from: account)
            let consents = try await RelayConsentPage.load(from: account)
            let lists = try await RelayMembership.all(of: relay, in: account)
            var people: [PersonItem] = []
            for key in report.authors.prefix(mostPeople) {
                people.append(PersonItem(try await account.people.person(key)))
            }
            let said = await information
            let statement = try await statement(said, account)
            let isInbox = lists.contains { $0.kind == .directMessageRelays && $0.isOn }
            return RelayPage(
                relay: RelayItem(report), statement: statement, people: people,
                use: own.isPublished
                    ? own.rows.first { $0.address == relay.text }?.use ?? OwnRelaysEditor.Use.none : nil,
                lists: lists,
                consent: consent(of: relay, consents, isOwn: report.isOwnRead || report.isOwnWrite || isInbox),
                inbound: await InboundSummary.load(from: account.network),
                warnings: isInbox && said?.limitation.isClosed == true
                    ? [RelaysWords.closedInbox(shortAddress(relay))] : [])
        }
    }

    private static func consent(of relay: RelayURL, _ page: RelayConsentPage, isOwn: Bool) -> Consent {
        let entry = (page.answered + page.questions).first { $0.address == relay.text }
        if let answer = entry?.answer { return Consent(words: RelayConsentWords.answer(answer), answer: answer) }
        let words =
            entry != nil
            ? RelayConsentWords.asks : isOwn ? RelayConsentWords.ownRelay : RelayConsentWords.notAsked
        return Consent(words: words, answer: nil)
    }

    private static func statement(
        _ information: RelayInformation?, _ account: any Account
    ) async throws -> RelayStatement? {
        guard let information else { return nil }
        guard let key = information.pubkey else { return RelayStatement(information, keptBy: nil) }
        return RelayStatement(information, keptBy: PersonItem(try await account.people.person(key)))
    }
}

extension RelayLimitation {
    /// Whether strangers cannot write there without more ado.
    var isClosed: Bool { paymentRequired == true || restrictedWrites == true }
}
