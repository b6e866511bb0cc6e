internal import AsyncPrimitives
public import NostrClient
public import NostrCore
internal import NostrNIPs
public import NostrSigner

/// Signer links that were handed in, as their pages meet them.
public struct SignerLinks: Sendable {
    private let links: OpenLinks

    /// The links that are open.
    public init(_ links: OpenLinks) {
        self.links = links
    }

    /// Hands in a link that a person opened and went on with.
    public func open(_ text: String) async -> LinkItem { LinkItem(await links.open(text)) }

    /// A link as it stands now; `nil` when it is not remembered.
    public func item(_ id: String) async -> LinkItem? { await links.link(id).map(LinkItem.init) }

    /// A link once it is answered, or as it stands after so long.
    public func settled(_ id: String, within patience: Duration) async -> LinkItem? {
        let outcome = await links.outcome(of: id)
        // Time that runs out changes nothing: the page then shows that it goes on.
        _ = await withDeadline(patience, on: ContinuousClock()) { for await _ in outcome {} }
        return await item(id)
    }

    /// Goes on with a link for the account the person chose.
    public func choose(_ account: PublicKey, for id: String) async { await links.choose(account, for: id) }

    /// What the link asks, in full, and how it is decided; `nil` when nobody is asked.
    ///
    /// - Parameter passphrase: what the person typed with their decision.
    public func request(
        _ id: String, of account: any Account, typing passphrase: String = "", now: Timestamp
    ) async -> ScreenModel<RequestReview>? {
        guard let request = await links.link(id)?.request else { return nil }
        return ScreenModel(request: request.event, of: request.signer.typing(passphrase), account, now: now)
    }
}

/// An answer too long for an address, as the form of a page.
public struct LinkForm: Hashable, Sendable {
    /// One field of it.
    public struct Field: Hashable, Sendable {
        /// Its name.
        public let name: String
        /// Its value; holds no line break.
        public let value: String
    }

    /// Where it goes.
    public let address: String
    /// `https://host` of the address.
    public let origin: String
    /// What goes there.
    public let fields: [Field]

    init(_ answer: PostedAnswer) {
        (address, origin) = (answer.address, answer.origin)
        fields = answer.fields.map { Field(name: $0.name, value: $0.value) }
    }
}

/// One signer link on its page.
public struct LinkItem: Hashable, Sendable, Identifiable {
    /// How far it is.
    public enum Stage: Hashable, Sendable {
        /// The person is to choose one of these accounts first.
        case choosing([PublicKey])
        /// The person is asked.
        case asking
        /// Answered: open this URL.
        case open(String)
        /// Not answered: the person may open this URL, to tell the app.
        case offer(String)
        /// Answered: post this.
        case post(LinkForm)
        /// Answered: put this on the clipboard.
        case copy(String)
        /// The app is told nothing.
        case over
    }

    /// Nobody can guess it.
    public let id: String
    /// How far it is.
    public let stage: Stage
    /// Why there is no result, in one sentence.
    public let problem: String?
    /// Whose key is to be used.
    public let account: PublicKey?
    /// Where the answer goes: `https://host/path` or `scheme:`, at most 120 characters; empty without a callback.
    public let place: String
    /// What the app calls itself, and its page: claims.
    public let claimedName: String?, claimedPage: String?
    /// Whether the answer goes to the clipboard, so that nobody knows who asks.
    public let usesClipboard: Bool
    /// Whether what is decrypted would reach a server.
    public let leaksToServer: Bool
    /// Whether the program that handed the link in takes the answer back, so that the page does not.
    public let isCarriedElsewhere: Bool

    init(_ link: OpenLink) {
        id = link.id
        stage =
            switch link.outcome?.delivery {
            case nil: link.choice.map { .choosing($0.accounts) } ?? .asking
            case .open(let url): .open(url)
            case .offer(let url): .offer(url)
            case .post(let answer): .post(LinkForm(answer))
            case .copy(let text): .copy(text)
            case .nothing: .over
            }
        problem = link.outcome?.error?.sentence
        account = link.request?.account
        let asked = link.request?.link ?? link.choice?.link
        place = (asked?.envelope.success?.destination).map { oneLine($0, limit: 120) } ?? ""
        claimedName = (asked?.envelope.claims.name).map { oneLine($0, limit: 80) }
        claimedPage = (asked?.envelope.claims.url).map { oneLine($0, limit: 120) }
        usesClipboard = asked?.envelope.usesClipboard ?? false
        leaksToServer = asked?.leaksToServer ?? false
        isCarriedElsewhere = link.isCarriedElsewhere
    }
}
