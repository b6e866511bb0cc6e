public import NostrCore
internal import NostrNIPs
public import NostrSigner
internal import Synchronization

/// Signers on the person's own device, asked by links (NIP-155): which there are, what was asked of them, and what came.
public final class DeviceSigners: Sendable {
    /// A signer to choose.
    public struct Choice: Hashable, Sendable, Identifiable {
        /// A word for forms and cookies.
        public let id: String
        /// What people call it; `nil` for whichever the device has chosen for links that all signers share.
        public let name: String?
        /// Whether the device that Linnet runs on has it; a phone whose browser shows the page may have others.
        public let isHere: Bool
    }

    /// Something that was asked.
    public struct Asked: Hashable, Sendable, Identifiable {
        /// Nobody can guess it.
        public let id: String
        /// The link to be opened.
        public let link: String
        /// What is asked, by its name in NIP-46.
        public let method: String
    }

    /// What became of it.
    public enum Answer: Hashable, Sendable {
        /// The result: an event's JSON, or a text.
        case result(String)
        /// There is none; one plain sentence.
        case refused(String)
    }

    private struct Entry {
        let asked: Asked
        let since: Timestamp
        /// The request of the open account that it is for; `nil` for a proof.
        let request: String?
        let account: PublicKey?
        var answer: Answer?
    }

    private struct State {
        var callers: [String: SignerLinkCaller] = [:]
        var entries: [Entry] = []
    }

    /// How many are remembered.
    private static let most = 64
    /// How long an open account waits for an answer; so long as for one of an extension.
    private static let waitedFor = Duration.seconds(120)

    private let opener: any URLOpening
    private let now: @Sendable () -> Timestamp
    private let state = Mutex(State())

    /// Asks with what the system has for links.
    public init(opener: any URLOpening, now: @escaping @Sendable () -> Timestamp) {
        (self.opener, self.now) = (opener, now)
    }

    /// Where answers come that no browser can take, since these pages have no address by https: to the program, by the
    /// desktop.
    public static let ownCallback = "linnet-answer://answer"

    /// The signers there are, those of this device first; each scheme's own before the one that all share.
    public func choices() async -> [Choice] {
        let here = Set(await SignerApp.available(by: opener).map(\.id))
        let all = SignerApp.known.map {
            Choice(id: Self.word($0), name: $0.name, isHere: here.contains($0.id))
        }
        return all.filter(\.isHere) + all.filter { !$0.isHere }
    }

    /// Asks a signer to prove whose key it has.
    ///
    /// - Parameters:
    ///   - challenge: what the event is to hold (``/ViewModels`` checks it when it comes back).
    ///   - page: the address it is for (NIP-98).
    ///   - callback: where the answer comes.
    /// - Returns: `nil` for a signer that is not known, or a callback no answer can go to.
    public func askForProof(
        of challenge: String, at page: String, by app: String, callback: String
    ) -> Asked? {
        let draft = EventDraft(
            kind: 27_235, tags: [["u", page], ["method", "POST"], ["challenge", challenge]], content: "",
            createdAt: now())
        return ask(.signing(draft), by: app, callback: callback, user: nil, request: nil)
    }

    /// Asks a signer for what the open account needs.
    ///
    /// - Returns: as ``askForProof(of:at:by:callback:)``; the same request again is the same link.
    public func ask(
        _ request: ExtensionRequest, of account: PublicKey, by app: String, callback: String
    ) -> Asked? {
        if let there = state.withLock({ $0.entries.first { $0.request == request.id } }) { return there.asked }
        guard let action = Self.action(request) else { return nil }
        return ask(action, by: app, callback: callback, user: account, request: request.id)
    }

    /// What an account asked that is still waited for, the oldest first: a page hears of each once, and shows it until it
    /// is answered or given up.
    public func open(of account: PublicKey) -> [Asked] {
        let now = now()
        return state.withLock { state in
            state.entries.filter { $0.account == account && $0.answer == nil && now < $0.since + Self.waitedFor }
                .map(\.asked)
        }
    }

    private func ask(
        _ action: SignerLink.Action, by app: String, callback: String, user: PublicKey?, request: String?
    ) -> Asked? {
        guard let signer = SignerApp.known.first(where: { Self.word($0) == app }) else { return nil }
        var random = SystemRandomNumberGenerator()
        let id = encodeHex(randomBytes(16, using: &random))
        let now = now()
        return state.withLock { state in
            // A callback that links cannot have is the caller's to tell.
            guard var caller = state.callers[callback] ?? (try? SignerLinkCaller(callback: callback, name: "Linnet"))
            else { return nil }
            var options = SignerLinkCaller.Options()
            options.user = user
            let asked = Asked(
                id: id, link: caller.ask(action, of: signer, id: id, options, at: now), method: action.method.rawValue)
            if state.callers.count < 8 || state.callers[callback] != nil { state.callers[callback] = caller }
            state.entries.removeAll { $0.since + SignerLinkCaller.patience + SignerLinkCaller.patience <= now }
            if state.entries.count >= Self.most { state.entries.removeFirst() }
            state.entries.append(Entry(asked: asked, since: now, request: request, account: user))
            return asked
        }
    }

    /// What came of a request of an account.
    public struct Arrival: Hashable, Sendable {
        /// The request, as ``Asked/id``.
        public let id: String
        /// The account's own request that it was for, and whose it is.
        public let request: String?, account: PublicKey?
        /// What it says.
        public let answer: Answer
    }

    /// Takes an address that came back from a signer.
    ///
    /// - Returns: `nil` when it answers nothing that is waited for.
    public func receive(_ url: String) -> Arrival? {
        let now = now()
        return state.withLock { state in
            for callback in state.callers.keys {
                guard let (id, _, reply) = state.callers[callback]?.receive(url, at: now),
                    let index = state.entries.firstIndex(where: { $0.asked.id == id })
                else { continue }
                let answer = Self.answer(reply)
                state.entries[index].answer = answer
                return Arrival(
                    id: id, request: state.entries[index].request, account: state.entries[index].account,
                    answer: answer)
            }
            return nil
        }
    }

    /// What was asked under an id, and what became of it; `nil` when it is not remembered.
    public func asked(_ id: String) -> (asked: Asked, answer: Answer?)? {
        state.withLock { state in state.entries.first { $0.asked.id == id }.map { ($0.asked, $0.answer) } }
    }

    private static func word(_ app: SignerApp) -> String { app.name?.lowercased() ?? "any" }

    private static func answer(_ reply: SignerLinkCaller.Reply) -> Answer {
        switch reply {
        case .publicKey(let key, _, _): .result(key.hex)
        case .signed(let event): .result(String(decoding: event.json, as: UTF8.self))
        case .text(let text): .result(text)
        // Nothing here put a payload on a pasteboard.
        case .onPasteboard: .refused(LinkError(.answerUnreadable).sentence)
        case .refused(let error): .refused(error.sentence)
        }
    }

    private static func action(_ request: ExtensionRequest) -> SignerLink.Action? {
        let texts = request.parameters
        func peer() -> PublicKey? { texts.first.flatMap { try? PublicKey(hex: $0) } }
        switch (request.method, texts.count) {
        case ("sign_event", 1): return .sign(texts[0])
        case ("nip44_encrypt", 2): return peer().map { .encrypt(texts[1], for: $0, .nip44) }
        case ("nip44_decrypt", 2): return peer().map { .decrypt(texts[1], from: $0, .nip44) }
        case ("nip04_encrypt", 2): return peer().map { .encrypt(texts[1], for: $0, .nip04) }
        case ("nip04_decrypt", 2): return peer().map { .decrypt(texts[1], from: $0, .nip04) }
        default: return nil
        }
    }
}
