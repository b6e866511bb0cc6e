public import NostrCore
internal import NostrNIPs

/// Where links are handed in: from the text of a link to the URL that carries the answer back.
///
/// It reads, refuses what comes again or too often, finds the account, and asks its ``SigningService``, which decides by
/// the same policy as for every other app. Opening the answer is left to the caller, see ``URLOpening``.
public actor SignerLinkHandler {
    /// Where links to this signer begin.
    public nonisolated let addresses: LinkAddresses
    /// How often apps may ask.
    public nonisolated let limits: LinkLimits
    private let accounts: any LinkAccounts
    private let pasteboard: (any Pasteboard)?
    private let name: String
    private let now: @Sendable () -> Timestamp
    private var random: any RandomNumberGenerator & Sendable
    private var entrance: LinkGuard
    private var waiting = 0

    /// A handler that waits for links.
    ///
    /// - Parameters:
    ///   - name: what this signer is called in answers (`package`).
    ///   - pasteboard: where payloads too long for a link lie; without it, links that need one are refused.
    ///   - random: tells requests apart that have no id.
    public init(
        accounts: any LinkAccounts, name: String, addresses: LinkAddresses = LinkAddresses(),
        limits: LinkLimits = LinkLimits(), pasteboard: (any Pasteboard)? = nil,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.accounts = accounts
        self.name = name
        self.addresses = addresses
        self.limits = limits
        self.pasteboard = pasteboard
        self.random = random
        self.now = now
        entrance = LinkGuard(limits)
    }

    /// Takes a link and waits for what becomes of it; where the person might choose, it is the account in use.
    public func handle(_ text: String) async -> LinkOutcome {
        switch await admit(text) {
        case .settled(let outcome): outcome
        case .asks(let request): await answer(request)
        case .chooses(let choice):
            switch await admit(choice.link, as: choice.accounts[0]) {
            case .asks(let request): await answer(request)
            case .settled(let outcome): outcome
            case .chooses: choice.link.envelope.refusal(LinkError(.noChoice))
            }
        }
    }

    /// What becomes of a link before any signer is asked.
    public enum Admission: Sendable {
        /// It needs no signer.
        case settled(LinkOutcome)
        /// It is to be answered by ``SignerLinkHandler/answer(_:)``.
        case asks(LinkRequest)
        /// The person is to choose whose key it is about, with ``SignerLinkHandler/admit(_:as:)``.
        case chooses(LinkChoice)
    }

    /// Takes a link: reads it, refuses it or finds whose it is.
    public func admit(_ text: String) async -> Admission {
        switch SignerLink.read(text, at: addresses) {
        case .notALink:
            return .settled(LinkOutcome(.nothing, LinkError(.notALink)))
        case .unusable(let envelope, let error):
            // Those count too: an app that sends only broken links still opens callbacks.
            let isTooMuch = entrance.admit(envelope.app, id: nil, at: now()) == .tooMany
            return .settled(isTooMuch ? LinkOutcome(.nothing, Self.tooMany) : envelope.refusal(error))
        case .needsPayload(let envelope, let token):
            return await admit(text, envelope, token: token)
        case .request(let link):
            if let refusal = refuse(link.envelope, link.method.usesKey ? link.content : nil) {
                return .settled(refusal)
            }
            return await admit(link)
        }
    }

    /// Asks the account's signer, and waits for the answer.
    public func answer(_ request: LinkRequest) async -> LinkOutcome {
        let link = request.link
        guard waiting < limits.waiting else {
            forget(link.envelope, link.content)
            return link.envelope.refusal(LinkError(.tooManyWaiting))
        }
        waiting += 1
        defer { waiting -= 1 }
        do throws(LinkError) {
            let result = try await result(of: request)
            return try await deliver(result, of: link)
        } catch {
            // Nothing was done, so asking again is no replay.
            forget(link.envelope, link.content)
            return link.envelope.refusal(error)
        }
    }

    // MARK: Admitting

    private static let tooMany = LinkError(.tooManyLinks)

    /// - Parameter content: what is asked of the key; `nil` for what needs none, and may come as often as it likes.
    private func refuse(_ envelope: LinkEnvelope, _ content: String?) -> LinkOutcome? {
        let id = content == nil ? nil : envelope.id
        return switch entrance.admit(envelope.app, id: id, content: content ?? "", at: now()) {
        case .new: nil
        case .tooMany: envelope.refusal(Self.tooMany)
        case .replayed: envelope.refusal(LinkError(.repeated))
        }
    }

    private func admit(_ text: String, _ envelope: LinkEnvelope, token: String) async -> Admission {
        // What lies under the token is read once the link is let in, so until then the token stands for it.
        let content = envelope.pasted(under: token)
        if let refusal = refuse(envelope, content) { return .settled(refusal) }
        func refused(_ cause: LinkError.Cause) -> Admission { self.refused(envelope, content, LinkError(cause)) }
        guard let pasteboard else { return refused(.noPasteboard) }
        let pasted: String?
        do { pasted = try await pasteboard.text(under: token) } catch {
            return refused(.pasteboardUnreadable)
        }
        guard let pasted else { return refused(.pasteboardEmpty) }
        switch SignerLink.read(text, at: addresses, pasted: pasted) {
        case .request(let link): return await admit(link)
        case .unusable(_, let error): return self.refused(envelope, content, error)
        case .notALink, .needsPayload: return refused(.failed)
        }
    }

    private func admit(_ link: SignerLink) async -> Admission {
        let all = await accounts.accounts()
        guard let first = all.first else {
            return refused(link, LinkError(.noAccount))
        }
        if let user = link.currentUser, !all.contains(user) {
            return refused(link, LinkError(.otherUser))
        }
        if let user = link.currentUser { return await admit(link, as: user) }
        guard case .publicKey = link.action, all.count > 1 else { return await admit(link, as: first) }
        // Which account it is for is known when it is paired with one of them alone.
        let paired = await paired(link.envelope, among: all)
        if paired.count == 1 { return await admit(link, as: paired[0]) }
        return .chooses(LinkChoice(link: link, accounts: all))
    }

    /// The accounts an app is paired with; an app that asks without a callback is paired with none.
    private func paired(_ envelope: LinkEnvelope, among all: [PublicKey]) async -> [PublicKey] {
        guard envelope.app.isKnown else { return [] }
        var paired: [PublicKey] = []
        for account in all {
            // Records that cannot be read say nothing; the person is asked then.
            let client = try? await accounts.signer(of: account)?.client(envelope.app)
            if client != nil { paired.append(account) }
        }
        return paired
    }

    /// Goes on with a link for the account the person chose.
    public func admit(_ choice: LinkChoice, as account: PublicKey) async -> Admission {
        guard choice.accounts.contains(account) else {
            return refused(choice.link, LinkError(.noKey))
        }
        return await admit(choice.link, as: account)
    }

    private func admit(_ link: SignerLink, as account: PublicKey) async -> Admission {
        guard let signer = await accounts.signer(of: account) else {
            return refused(link, LinkError(.noKey))
        }
        let id = encodeHex(randomBytes(16, using: &random))
        return .asks(LinkRequest(link: link, account: account, id: id, signer: signer))
    }

    private func refused(_ link: SignerLink, _ error: LinkError) -> Admission {
        refused(link.envelope, link.content, error)
    }

    private func refused(_ envelope: LinkEnvelope, _ content: String, _ error: LinkError) -> Admission {
        forget(envelope, content)
        return .settled(envelope.refusal(error))
    }

    private func forget(_ envelope: LinkEnvelope, _ content: String) {
        if let id = envelope.id { entrance.forget(envelope.app, id: id, content: content) }
    }

    // MARK: Answering

    private func result(of request: LinkRequest) async throws(LinkError) -> LinkResult {
        let answer: DirectAnswer
        do {
            answer = try await request.signer.answer(
                request.request, from: request.link.envelope.app, claims: request.link.envelope.claims,
                deadline: limits.patience)
        } catch let error as SigningServiceError {
            throw LinkError(error.code == .locked ? .locked : .failed)
        } catch {
            throw LinkError(.failed)
        }
        switch answer {
        case .refused(let rule): throw LinkError(.refused(rule))
        case .failed: throw LinkError(.impossible)
        case .done(let text, let event):
            switch request.link.action {
            case .publicKey(let wanted):
                return .publicKey(request.account, granted: await granted(wanted, request))
            case .sign:
                guard let event, event.pubkey == request.account else {
                    throw LinkError(.noSignature)
                }
                return .signed(event)
            case .encrypt, .decrypt, .decryptZap: return .text(text)
            }
        }
    }

    /// What of the permissions an app would like it may do now without being asked about.
    private func granted(_ wanted: [RemotePermission], _ request: LinkRequest) async -> [RemotePermission] {
        guard !wanted.isEmpty else { return [] }
        // Without knowing, nothing is claimed to be granted.
        guard let client = try? await request.signer.client(request.link.envelope.app),
            let settings = try? await request.signer.settings()
        else { return [] }
        let policy = Policy(settings: settings, client: client, now: now(), minute: client.hours?.from ?? 0)
        return wanted.filter { if case .allow = policy.decide($0) { true } else { false } }
    }

    private func deliver(_ result: LinkResult, of link: SignerLink) async throws(LinkError) -> LinkOutcome {
        if let token = link.envelope.token, let pasteboard,
            let (text, outcome) = link.answerByPasteboard(result, token: token)
        {
            do { try await pasteboard.put(text, under: token, expires: PasteboardRules.lifetime) } catch {
                throw LinkError(.pasteboardUnwritable)
            }
            return outcome
        }
        return link.answer(result, signer: name)
    }
}

/// A link that asks for a key where there are several.
public struct LinkChoice: Sendable {
    /// What is asked.
    public let link: SignerLink
    /// The accounts there are, the one in use first.
    public let accounts: [PublicKey]
}

/// A link that a signer has to answer.
public struct LinkRequest: Sendable {
    /// What is asked.
    public let link: SignerLink
    /// Whose key is to be used.
    public let account: PublicKey
    /// Tells this request from every other.
    public let id: String
    /// The account's signer.
    public let signer: any SigningService

    /// The request as the signer knows it.
    var request: RemoteRequest { link.request(id: id) }

    /// What it waits as, among `SigningService/waiting()`.
    public var event: EventID { request.directID(from: link.envelope.app, to: account) }
}

extension LinkEnvelope {
    /// What tells a link whose payload lies on the pasteboard from another one with the same id.
    ///
    /// A token is used once, so it stands for all that is asked.
    fileprivate func pasted(under token: String) -> String { "pb:\(token)\n\(success?.text ?? "")" }
}

extension SignerLink {
    /// What tells it from another request with the same id.
    ///
    /// The whole callback, the method and every parameter that the answer depends on.
    fileprivate var content: String {
        if let token = envelope.token { return envelope.pasted(under: token) }
        let asked = request(id: "").digest
        let shape = "\(returnsEvent) \(envelope.isCompressed)"
        return [asked, currentUser?.hex ?? "", shape, envelope.success?.text ?? ""].joined(separator: "\n")
    }
}
