public import NostrCore

/// Links that were handed in and are shown on a page of their own, until their answers have gone.
///
/// ``run()`` keeps asking for as long as the program runs; a page, or a command, looks on by the link's ``OpenLink/id``.
public actor OpenLinks {
    /// How long a link is remembered after it was handed in.
    public static let lifetime = Duration.seconds(900)
    /// How many are remembered.
    public static let most = 64

    private let handler: SignerLinkHandler
    private let now: @Sendable () -> Timestamp
    private var random: any RandomNumberGenerator & Sendable
    private var links: [OpenLink] = []
    private var onlookers: [String: [AsyncStream<LinkOutcome>.Continuation]] = [:]
    private let arrivals: AsyncStream<(String, LinkRequest)>
    private let arrive: AsyncStream<(String, LinkRequest)>.Continuation

    /// Links whose answers a handler finds.
    ///
    /// - Parameter random: makes ids that cannot be guessed.
    public init(
        _ handler: SignerLinkHandler, random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.handler = handler
        self.random = random
        self.now = now
        (arrivals, arrive) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.most))
    }

    /// Asks about links until cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for await (id, request) in arrivals {
                group.addTask { await self.settle(id, await self.handler.answer(request)) }
            }
            group.cancelAll()
        }
    }

    /// Hands a link in; the same text again, while it is asked about, is the same link.
    ///
    /// - Parameter isCarriedElsewhere: whether the caller takes the answer back, so that no page does.
    public func open(_ text: String, isCarriedElsewhere: Bool = false) async -> OpenLink {
        if let there = links.first(where: { $0.text == text && $0.outcome == nil }) { return there }
        forgetOld()
        let id = encodeHex(randomBytes(16, using: &random))
        switch await handler.admit(text) {
        case .settled(let outcome): return keep(OpenLink(id: id, text: text, opened: now(), outcome: outcome))
        case .asks(let request):
            let link = keep(
                OpenLink(
                    id: id, text: text, opened: now(), isCarriedElsewhere: isCarriedElsewhere, request: request))
            arrive.yield((id, request))
            return link
        case .chooses(let choice):
            return keep(
                OpenLink(id: id, text: text, opened: now(), isCarriedElsewhere: isCarriedElsewhere, choice: choice))
        }
    }

    /// Goes on with a link for the account the person chose; nothing happens where there was nothing to choose.
    public func choose(_ account: PublicKey, for id: String) async {
        guard let index = links.firstIndex(where: { $0.id == id }), let choice = links[index].choice,
            choice.accounts.contains(account)
        else { return }
        links[index].choice = nil
        switch await handler.admit(choice, as: account) {
        case .settled(let outcome): settle(id, outcome)
        case .chooses: break
        case .asks(let request):
            guard let index = links.firstIndex(where: { $0.id == id }) else { return }
            links[index].request = request
            arrive.yield((id, request))
        }
    }

    /// A link as it stands now; `nil` when it is not remembered.
    public func link(_ id: String) -> OpenLink? {
        links.first { $0.id == id && $0.opened + Self.lifetime > now() }
    }

    /// The answer to a link, once; ends without one when the link is forgotten.
    public func outcome(of id: String) -> AsyncStream<LinkOutcome> {
        let (stream, continuation) = AsyncStream.makeStream(of: LinkOutcome.self, bufferingPolicy: .bufferingNewest(1))
        if let outcome = link(id)?.outcome {
            continuation.yield(outcome)
            continuation.finish()
        } else if link(id) != nil {
            onlookers[id, default: []].append(continuation)
        } else {
            continuation.finish()
        }
        return stream
    }

    private func keep(_ link: OpenLink) -> OpenLink {
        links.append(link)
        return link
    }

    private func settle(_ id: String, _ outcome: LinkOutcome) {
        if let index = links.firstIndex(where: { $0.id == id }) { links[index].outcome = outcome }
        for onlooker in onlookers.removeValue(forKey: id) ?? [] {
            onlooker.yield(outcome)
            onlooker.finish()
        }
    }

    private func forgetOld() {
        let now = now()
        var kept = links.filter { $0.opened + Self.lifetime > now }
        if kept.count >= Self.most { kept.removeFirst(kept.count - Self.most + 1) }
        for link in links where !kept.contains(where: { $0.id == link.id }) {
            for onlooker in onlookers.removeValue(forKey: link.id) ?? [] { onlooker.finish() }
        }
        links = kept
    }
}

/// One link that was handed in.
public struct OpenLink: Sendable, Identifiable {
    /// Nobody can guess it.
    public let id: String
    /// The link.
    public let text: String
    /// When it was handed in.
    public let opened: Timestamp
    /// Whether the caller that handed it in takes the answer back.
    public let isCarriedElsewhere: Bool
    /// Who is asked what; `nil` when no signer has to be, or not yet.
    public internal(set) var request: LinkRequest?
    /// The accounts the person is to choose from first; `nil` when there is nothing to choose.
    public internal(set) var choice: LinkChoice?
    /// What became of it; `nil` while its signer is asked.
    public internal(set) var outcome: LinkOutcome?

    init(
        id: String, text: String, opened: Timestamp, isCarriedElsewhere: Bool = false, request: LinkRequest? = nil,
        choice: LinkChoice? = nil, outcome: LinkOutcome? = nil
    ) {
        self.id = id
        self.text = text
        self.opened = opened
        self.isCarriedElsewhere = isCarriedElsewhere
        self.request = request
        self.choice = choice
        self.outcome = outcome
    }
}
