public import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import Synchronization

/// One thing to ask a browser for (NIP-07).
public struct BrowserRequest: Hashable, Sendable {
    /// Which.
    public let id: String
    /// What; `sign_event` or one of the ciphers.
    public let method: RemoteMethod
    /// An event's JSON, or the other person's key in hex and the text.
    public let parameters: [String]
}

/// What a browser answered.
public enum BrowserAnswer: Hashable, Sendable {
    /// A signed event's JSON, a payload or a text.
    case result(String)
    /// It did not do it, in its own words.
    case failure(String)
    /// It has no such function.
    case cannot
}

/// Signs with a key in a browser's extension (NIP-07): requests wait for a page of this machine's own web face that has
/// `window.nostr`.
///
/// Nothing it gives back is taken on trust. A page says that it is there by asking for requests again and again.
public final class BrowserSigner: EndingSigner {
    fileprivate struct Waiting {
        let request: BrowserRequest
        let answer: AsyncStream<BrowserAnswer>.Continuation
        var page: String?
    }

    fileprivate struct State {
        var isLocked = false
        var order: [String] = []
        var waiting: [String: Waiting] = [:]
        var pages: [String: Duration] = [:]
        var gone: [String] = []
    }

    /// The key it signs with.
    public let publicKey: PublicKey
    private let time: Time<Timestamp>
    private let random: @Sendable () -> String
    private let state = Mutex(State())
    /// Rung when a page may find something to do, or should stop waiting.
    private let bell = Doorbell()
    private let openings = Broadcast<Bool>(capacity: 1)

    /// How long a page may be silent before it counts as closed; longer than it waits for requests.
    static let pageLasts: Duration = .seconds(45)
    /// How long a page waits for requests.
    static let poll: Duration = .seconds(20)
    /// How long a request waits for a page to open, and for its answer.
    static let opening: Duration = .seconds(10), answering: Duration = .seconds(120)
    private static let mostPages = 50, mostGone = 100
    private static let wrapsAtOnce = 4

    /// - Parameters:
    ///   - publicKey: of the key that the browser has proved to have.
    ///   - random: makes the names of requests.
    public init(
        _ publicKey: PublicKey, time: Time<Timestamp>, random: @escaping @Sendable () -> String = RemoteSigner.requestID
    ) {
        self.publicKey = publicKey
        self.time = time
        self.random = random
    }

    /// Whether it signs nothing any more.
    public var isLocked: Bool { state.withLock { $0.isLocked } }

    /// Ends all that waits.
    public func lock() {
        let waiting = state.withLock { state in
            state.isLocked = true
            defer {
                state.waiting = [:]
                state.order = []
            }
            return Array(state.waiting.values)
        }
        for one in waiting { one.answer.finish() }
        bell.ring()
        openings.finish()
    }

    // MARK: The page's side

    /// Whether a page is open that can be asked.
    public var isPageOpen: Bool {
        let now = time.uptime()
        return state.withLock { $0.pages.values.contains { now - $0 < Self.pageLasts } }
    }

    /// Tells whenever the first page opens; ends when it is locked.
    public func presence() -> AsyncStream<Bool> {
        openings.listen(startingWith: isLocked ? nil : isPageOpen)
    }

    /// What a page is to ask the browser for; waits a while when there is nothing.
    public func requests(for page: String) async -> [BrowserRequest] {
        let end = time.uptime() + Self.poll
        while true {
            note(page)
            let ready = assign(to: page)
            let left = end - time.uptime()
            if !ready.isEmpty || isLocked || left <= .zero { return ready }
            await bell.wait(atMost: left, on: time.clock)
            if Task.isCancelled { return [] }
        }
    }

    /// Hands on what a page brought; an answer to nothing that waits is thrown away.
    public func answer(_ id: String, _ answer: BrowserAnswer) {
        let waiting = state.withLock { $0.remove(id) }
        waiting?.answer.yield(answer)
        waiting?.answer.finish()
    }

    /// A page is gone; what it was to ask for goes to another.
    ///
    /// What the page asked last may still wait here, or come later than this; neither brings it back.
    public func leave(_ page: String) {
        state.withLock { state in
            state.pages[page] = nil
            state.gone.append(page)
            state.gone.removeFirst(max(0, state.gone.count - Self.mostGone))
        }
        bell.ring()
    }

    private func note(_ page: String) {
        let now = time.uptime()
        let isFirst = state.withLock { state in
            guard !state.gone.contains(page) else { return false }
            let wasOpen = state.pages.values.contains { now - $0 < Self.pageLasts }
            state.pages = state.pages.filter { now - $0.value < Self.pageLasts }
            if state.pages.count < Self.mostPages || state.pages[page] != nil { state.pages[page] = now }
            return !wasOpen
        }
        if isFirst { openings.send(true) }
    }

    /// Hands out what no page has that is still open.
    private func assign(to page: String) -> [BrowserRequest] {
        let now = time.uptime()
        return state.withLock { state in
            var assigned: [BrowserRequest] = []
            guard !state.gone.contains(page) else { return assigned }
            for id in state.order {
                guard let waiting = state.waiting[id] else { continue }
                if let holder = waiting.page, let seen = state.pages[holder], now - seen < Self.pageLasts { continue }
                state.waiting[id]?.page = page
                assigned.append(waiting.request)
            }
            return assigned
        }
    }

    // MARK: The signer's side

    private func ask(_ method: RemoteMethod, _ parameters: [String]) async throws -> String {
        let request = BrowserRequest(id: random(), method: method, parameters: parameters)
        let (answers, continuation) = AsyncStream.makeStream(of: BrowserAnswer.self)
        try state.withLock { state in
            if state.isLocked { throw SigningFailure.locked }
            state.waiting[request.id] = Waiting(request: request, answer: continuation)
            state.order.append(request.id)
        }
        bell.ring()
        defer { _ = state.withLock { $0.remove(request.id) } }
        return try await withThrowingTaskGroup(of: String.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await Self.first(of: answers) }
            group.addTask { throw await self.patience() }
            guard let result = try await group.next() else { throw CancellationError() }
            return result
        }
    }

    private static func first(of answers: AsyncStream<BrowserAnswer>) async throws -> String {
        for await answer in answers {
            switch answer {
            case .result(let text): return text
            case .failure(let words): throw SigningFailure.said(oneVisibleLine(words))
            case .cannot: throw SigningFailure.cannotEncrypt
            }
        }
        try Task.checkCancellation()
        throw SigningFailure.locked
    }

    /// Returns why the request is given up.
    private func patience() async -> any Error {
        if !isPageOpen {
            await time.pause(for: Self.opening)
            if Task.isCancelled { return CancellationError() }
            if !isPageOpen { return SigningFailure.noPage }
        }
        await time.pause(for: Self.answering)
        return Task.isCancelled ? CancellationError() : SigningFailure.timedOut
    }

    /// Signs a draft.
    ///
    /// - Throws: ``SigningFailure``.
    public func sign(_ draft: EventDraft) async throws -> Event {
        try Event(signed: try await ask(.signEvent, [draft.json(author: nil)]), of: draft, by: publicKey)
    }

    /// Encrypts a text.
    ///
    /// - Throws: ``SigningFailure``.
    public func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String {
        try await RemoteSigning.encrypt(plaintext, for: other, by: cipher) { try await ask($0, $1) }
    }

    /// Decrypts a payload.
    ///
    /// - Throws: ``SigningFailure``.
    public func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String {
        try await RemoteSigning.decrypt(payload, from: other, by: cipher) { try await ask($0, $1) }
    }

    /// Opens gift wraps, a few at a time, each by two decryptions.
    ///
    /// - Throws: ``SigningFailure`` when the browser cannot be asked now; then all are to be tried again.
    public func open(_ wraps: [Event]) async throws -> [Result<UnwrappedGift, GiftRejection>] {
        try await openOneByOne(wraps, atOnce: Self.wrapsAtOnce)
    }
}

extension BrowserSigner.State {
    fileprivate mutating func remove(_ id: String) -> BrowserSigner.Waiting? {
        order.removeAll { $0 == id }
        return waiting.removeValue(forKey: id)
    }
}
