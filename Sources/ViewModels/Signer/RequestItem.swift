public import NostrCore
internal import NostrNIPs
public import NostrSigner

/// A request that waits for the person, as screens show it.
///
/// It has 19 stored properties, since one card says all of it and nothing less than the request is a thing of its own.
public struct RequestItem: Hashable, Sendable, Identifiable {
    /// What would be done with the key.
    public enum Sort: Hashable, Sendable {
        case signing, encryption, decryption, pairing, locked
    }

    /// A field before and after.
    public struct FieldItem: Hashable, Sendable {
        /// Which field, as people call it.
        public let name: String
        /// What it says now, one line; `nil` when it is not there.
        public let before: String?
        /// What it would say, one line; `nil` when it would be gone.
        public let after: String?
    }

    /// What a request would change.
    public struct ChangeItem: Hashable, Sendable {
        /// Entries that would go and come.
        public let lostCount: Int, wonCount: Int
        /// All that would go, in words, as the beginning of “… would go”; empty where nothing would.
        public let loss: String
        /// Fields that would change.
        public let fields: [FieldItem]
        /// Whether what it is compared with could be asked for just now.
        public let isFresh: Bool
        /// Whether it is compared with anything.
        public let isCompared: Bool
        /// Of when the version in force is; `nil` when there is none or none is known.
        public let currentFrom: Timestamp?
    }

    /// The event it came in.
    public let id: EventID
    /// The app that asks.
    public let app: AppItem
    /// What would be done.
    public let sort: Sort
    /// What would change or be done, in one line: "Follows 3 more people and stops following 2".
    public let headline: String
    /// What it needs to be allowed, as the end of "may …"; `nil` for what is no permission.
    public let permission: String?
    /// The same as it is written (`sign_event:3`); requests with one of an app go together.
    public let permissionWord: String
    /// Why it waits, in one sentence.
    public let reason: String
    /// When it came.
    public let received: Timestamp
    /// The text that would be published or encrypted; empty without one.
    public let text: String
    /// For whom something would be encrypted, or from whom it came.
    public let peer: PublicKey?
    /// What would change, as far as it is compared with anything.
    public let change: ChangeItem
    /// Whether a yes needs a second, explicit step.
    public let needsSecondStep: Bool
    /// Whether a yes can also hold for later requests of its app, and be said to several of its requests at once.
    public let canBeAllowedAlways: Bool
    /// Whether Linnet does not know what the kind means.
    public let isUnknownKind: Bool
    /// The event as it would be signed; empty for what signs nothing.
    public let raw: String
    /// What an app that wants to be paired would like to be allowed.
    public let wishes: [WishItem]
    /// Whether a yes pairs its app, which is not paired yet.
    public let pairsApp: Bool
    /// The first of the requests that came with it within half a second; see ``RequestsState/Group``.
    public let burst: EventID
    /// Takes the passphrase with a yes; `nil` where none needs it.
    public let passphrase: PassphraseItem?

    /// Reads what screens need from a request.
    ///
    /// - Parameter protected: the kinds nobody signs by the way.
    public init(_ request: WaitingRequest, protected: Set<Kind> = SignerSettings.defaultProtectedKinds) {
        id = request.id
        app = AppItem(request.client)
        received = request.received
        burst = request.burst
        passphrase = PassphraseItem(request.passphrase)
        pairsApp = request.rule == .notPaired && request.client.app.isKnown
        needsSecondStep = request.needsSecondStep
        reason = request.rule.sentence
        let words = RequestReading(request, protected: protected)
        sort = words.sort
        canBeAllowedAlways =
            words.sort != .pairing && !request.needsSecondStep
            && words.permission.map { request.client.app.canBeAllowedAlways($0, for: words.audience) } ?? false
        headline = oneLine(words.headline, limit: 300)
        permission = words.permission?.words
        let place = words.audience.map { " " + $0.text } ?? ""
        permissionWord = words.permission.map { $0.text + place } ?? request.method
        text = words.text
        peer = words.peer
        wishes = words.wishes
        change = ChangeItem(words.report)
        isUnknownKind = words.report?.isUnknownKind ?? false
        raw = words.raw
    }

    /// How far its app may be trusted when a yes pairs it; low unless the person says otherwise.
    public var trustChoices: [TrustChoice] { TrustChoice.all(chosen: TrustLevel.low.rawValue) }

    /// Whether it cannot even be read before the key is unlocked.
    public var isLocked: Bool { sort == .locked }
}

extension RequestItem.ChangeItem {
    init(_ report: ChangeReport?) {
        let change = report?.change
        lostCount = (change?.dropped.count ?? 0) + (change?.droppedUnknown ?? 0)
        wonCount = (change?.added.count ?? 0) + (change?.addedUnknown ?? 0)
        loss = report?.loss ?? ""
        fields =
            (change?.fields ?? []).map(RequestItem.FieldItem.init)
            + (change?.usages ?? []).map(RequestItem.FieldItem.init)
        isFresh = report?.isCurrentFresh ?? true
        isCompared = change != nil
        currentFrom = report?.current?.createdAt
    }
}

extension RequestItem.FieldItem {
    init(_ field: VersionChange.FieldChange) {
        name = ProfileWords.field(field.name)
        before = field.before.map { oneLine($0, limit: 300) }
        after = field.after.map { oneLine($0, limit: 300) }
    }

    init(_ usage: VersionChange.UsageChange) {
        name = usage.relay.text
        before = usage.before.words
        after = usage.after.words
    }
}

/// What a request says, by its sort.
private struct RequestReading {
    var sort: RequestItem.Sort
    var headline: String
    var permission: RemotePermission?
    var audience: Audience?
    var text = ""
    var peer: PublicKey?
    var report: ChangeReport?
    var raw = ""
    var wishes: [WishItem] = []

    init(_ request: WaitingRequest, protected: Set<Kind>) {
        switch request.content {
        case .sign(let draft, let report):
            sort = .signing
            permission = RemotePermission(.signEvent, kind: draft.kind)
            audience = Audience(of: draft)
            headline = report.headline(of: draft)
            // The content of lists and sealed things is no text for people.
            text = draft.kind.isWritten ? manyLines(draft.content, limit: 5000) : ""
            self.report = report
            raw = draft.indentedJSON
        case .encrypt(let plaintext, let peer, let cipher):
            sort = .encryption
            permission = RemotePermission(cipher == .nip44 ? .nip44Encrypt : .nip04Encrypt)
            headline = SignerWords.encryptsFor
            text = manyLines(plaintext, limit: 5000)
            self.peer = peer
        case .decrypt(let peer, let cipher):
            sort = .decryption
            permission = RemotePermission(cipher == .nip44 ? .nip44Decrypt : .nip04Decrypt)
            headline = SignerWords.readsPrivate
            self.peer = peer
        case .decryptZap:
            sort = .decryption
            permission = RemotePermission(.decryptZapEvent)
            headline = SignerWords.readsZap
        case .connect(_, let asked):
            sort = .pairing
            headline = SignerWords.wantsPairing
            wishes = asked.filter(\.method.usesKey).map { WishItem($0, protected: protected) }
        case .locked:
            sort = .locked
            headline = SignerWords.cannotBeRead
        }
    }
}

extension Kind {
    /// Whether the content is text somebody wrote for people to read.
    fileprivate var isWritten: Bool {
        [1, 6, 7, 11, 14, 20, 21, 22, 42, 1111, 1311, 1984, 5, 9734, 30_023, 30_024, 30_315].contains(self)
    }
}
