public import NostrCore
public import NostrNIPs
public import NostrSigner

/// What an app's token says: claims nobody has checked, and wishes.
public struct TokenItem: Hashable, Sendable {
    /// Something the app would like to be allowed.
    public typealias Wish = WishItem

    /// The token as it was pasted.
    public let text: String
    /// The name it claims; empty without one.
    public let name: String
    /// The page it claims; empty without one.
    public let page: String
    /// The start of its key.
    public let mark: String
    /// Where it listens.
    public let relays: [String]
    /// What it would like to be allowed.
    public let wishes: [Wish]
    /// How far to trust it, unless the person thinks otherwise: `medium` when it says nothing, `low` when it says
    /// exactly what it needs, which then can be granted one by one.
    public let suggestedTrust: String

    init(_ token: NostrConnectURI, text: String, protected: Set<Kind>) {
        self.text = text
        name = oneLine(token.metadata.name ?? "", limit: 60)
        page = oneLine(token.metadata.url ?? "", limit: 100)
        mark = RequestingApp.remote(token.client).mark
        relays = token.relays.map(\.text)
        wishes = token.permissions.filter(\.method.usesKey).map { WishItem($0, protected: protected) }
        suggestedTrust = (wishes.isEmpty ? TrustLevel.medium : .low).rawValue
    }

    /// The levels of trust there are.
    public var trustChoices: [TrustChoice] { TrustChoice.all(chosen: suggestedTrust) }
}

/// Pairing with an app: the signer's token for it to read, or its token pasted here.
public struct ConnectState: Screen {
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The token that lets the next app in; holds a secret.
    public private(set) var invitation: String?
    /// How far the app that comes with it is trusted: `full`, `medium`, `low`.
    public private(set) var invitationTrust = TrustLevel.medium.rawValue
    /// Where the signer listens.
    public private(set) var relays: [String] = []
    /// What was pasted.
    public private(set) var pasted = ""
    /// What it says, once it is read.
    public private(set) var token: TokenItem?
    /// What is wrong, in one sentence.
    public private(set) var problem: String?
    /// The app that was paired.
    public private(set) var paired: AppItem?
    /// How many relays took the answer, and whether the app has been heard of since.
    public private(set) var told = 0
    /// Whether the app has been heard of since.
    public private(set) var isHeardOf = false
    /// Takes the passphrase with full trust or something protected; `nil` where neither needs it.
    public var passphrase: PassphraseItem? { PassphraseItem(asking) }
    private var asking = PassphraseAsking.off
    private var wanted: NostrConnectURI?
    private var settings = SignerSettings()
    private let now: Timestamp

    /// What a person chose for an app whose token was pasted.
    public struct Terms: Equatable, Sendable {
        /// What to call it; empty for what it calls itself.
        public var name: String
        /// How far to trust it.
        public var trust: String
        /// What it may without being asked about, as it is written.
        public var granted: [String]

        /// The terms as a form says them.
        public init(name: String = "", trust: String = "", granted: [String] = []) {
            self.name = name
            self.trust = trust
            self.granted = granted
        }
    }

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// The token that lets the next app in, and what holds for all apps.
        case read(SignerInvitation, SignerSettings, PassphraseAsking = .off)
        /// No token can be made now, and why.
        case noInvitation(Trouble)
        /// Make a new one that gives this trust.
        case renew(trust: String)
        /// A token was pasted.
        case paste(String)
        /// Pair with the app whose token was pasted.
        case pair(Terms)
        /// The app is paired.
        case paired(AppPairing)
        /// It did not work.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case read
        case renew(TrustLevel)
        case pair(NostrConnectURI, name: String?, TrustLevel, [Grant])
    }

    /// A page not opened yet.
    public init(now: Timestamp) {
        self.now = now
    }

    /// The levels of trust a token may give, and the one it gives.
    public var trustChoices: [TrustChoice] { TrustChoice.all(chosen: invitationTrust) }
    /// What the token gives, in one sentence.
    public var invitationGives: String {
        (TrustLevel(rawValue: invitationTrust) ?? .medium).given
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let invitation, let settings, let asking):
            phase = .ready
            self.asking = asking
            self.invitation = invitation.uri.text
            invitationTrust = invitation.trust.rawValue
            relays = invitation.uri.relays.map(\.text)
            self.settings = settings
            return []
        case .noInvitation(let trouble):
            phase = .failed(trouble)
            return []
        case .renew(let trust): return [.renew(TrustLevel(rawValue: trust) ?? .medium)]
        case .paste(let text):
            problem = nil
            read(text)
            return []
        case .pair(let terms):
            guard let wanted else { return [] }
            return [pair(wanted, terms)]
        case .paired(let outcome):
            paired = AppItem(outcome.client)
            told = outcome.told.count
            isHeardOf = outcome.isHeardOf
            return []
        case .failed(let trouble):
            problem = trouble.sentence
            return []
        }
    }

    private mutating func read(_ text: String) {
        pasted = text.trimmingSpace()
        wanted = nil
        token = nil
        do {
            let uri = try NostrConnectURI(pasted)
            wanted = uri
            token = TokenItem(uri, text: pasted, protected: settings.protectedKinds)
        } catch {
            problem = SignerWords.wrongToken(error, pasted, isSecretKey: holdsSecretKey(pasted))
            // A secret is not shown again by the page that refused it.
            if holdsSecretKey(pasted) { pasted = "" }
        }
    }

    private func pair(_ uri: NostrConnectURI, _ terms: Terms) -> Effect {
        let name = oneLine(terms.name, limit: AppView.longestName)
        let wishes = Set(uri.permissions.map(\.text))
        // What the app did not ask for is not granted by a form either.
        let grants = terms.granted.filter(wishes.contains).compactMap { RemotePermission($0) }
            .map { Grant($0, .allow, made: now) }
        return .pair(uri, name: name.isEmpty ? nil : name, TrustLevel(rawValue: terms.trust) ?? .low, grants)
    }
}

extension ScreenModel where S == ConnectState {
    /// Pairing of an app with a signer.
    public init(
        connect service: any AppPairingService & SignerSettingsKeeping & PassphraseAskingService, now: Timestamp
    ) {
        self.init(ConnectState(now: now)) { effect in
            do {
                switch effect {
                case .read:
                    return .read(
                        try await service.invitation(), try await service.settings(),
                        try await service.passphraseAsking())
                case .renew(let trust):
                    return .read(
                        try await service.renewInvitation(trust: trust), try await service.settings(),
                        try await service.passphraseAsking())
                case .pair(let token, let name, let trust, let grants):
                    return .paired(try await service.accept(token, name: name, trust: trust, grants: grants))
                }
            } catch {
                let trouble = Trouble(error)
                return effect == .read ? .noInvitation(trouble) : .failed(trouble)
            }
        }
    }
}
