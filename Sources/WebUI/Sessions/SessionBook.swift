internal import Crypto
internal import NostrCore
internal import Synchronization
internal import ViewModels

/// One browser that came in with a login link.
final class Session: Sendable {
    /// What every form must carry (CSRF).
    let formToken: String
    let openedAt: Timestamp
    private let state: Mutex<State>

    private struct State {
        var desk: Desk?
        var isLocked = false
        var streams: [Int: Bool] = [:]
        var nextStream = 0
    }

    /// A browser may hold so many live pages; a further one ends the oldest.
    static let mostStreams = 6

    init(formToken: String, openedAt: Timestamp, desk: Desk?, isLocked: Bool) {
        self.formToken = formToken
        self.openedAt = openedAt
        state = Mutex(State(desk: desk, isLocked: isLocked))
    }

    /// The account open in this browser.
    var desk: Desk? { state.withLock { $0.desk } }
    /// Whether the account's key must be unlocked before it signs.
    var isLocked: Bool { state.withLock { $0.isLocked } }

    func sit(at desk: Desk?, isLocked: Bool) {
        state.withLock {
            $0.desk = desk
            $0.isLocked = isLocked
        }
    }

    /// Begins a live page; returns its number.
    func beginStream() -> Int {
        state.withLock { state in
            state.nextStream += 1
            state.streams[state.nextStream] = true
            if state.streams.count > Self.mostStreams, let oldest = state.streams.keys.min() {
                state.streams[oldest] = nil
            }
            return state.nextStream
        }
    }

    /// Whether a live page may go on.
    func isOpen(stream: Int) -> Bool { state.withLock { $0.streams[stream] == true } }

    func endStream(_ stream: Int) { state.withLock { $0.streams[stream] = nil } }
}

/// Login tokens that work once, and the sessions they opened; both end with the program.
final class SessionBook: Sendable {
    private struct Pages {
        var tokens: [(digest: SHA256Digest, dies: Timestamp)] = []
        var sessions: [SHA256Digest: Session] = [:]
    }

    private let pages = Mutex(Pages())
    private let clock: WebClock
    private let tokenLifetime: Duration

    /// A session ends after so long.
    static let sessionLifetime = Duration.seconds(30 * 24 * 3600)
    private static let mostTokens = 16, mostSessions = 64

    init(clock: WebClock, tokenLifetime: Duration) {
        self.clock = clock
        self.tokenLifetime = tokenLifetime
    }

    /// Makes a token; the oldest dies when there are too many.
    func makeToken() -> String {
        let token = randomWord(bytes: 32)
        let dies = clock.now() + tokenLifetime
        pages.withLock { pages in
            pages.tokens.append((digest(token), dies))
            pages.tokens.removeFirst(max(0, pages.tokens.count - Self.mostTokens))
        }
        return token
    }

    /// Uses a token up; whether it was good.
    func redeem(_ token: String) -> Bool {
        let now = clock.now()
        let offered = digest(token)
        return pages.withLock { pages in
            pages.tokens.removeAll { $0.dies <= now }
            let before = pages.tokens.count
            // Digests compare in constant time, and all are compared.
            pages.tokens.removeAll { $0.digest == offered }
            return pages.tokens.count < before
        }
    }

    /// Opens a session; returns the word for the cookie.
    func open(desk: Desk?, isLocked: Bool) -> String {
        let word = randomWord(bytes: 32)
        let session = Session(
            formToken: randomWord(bytes: 32), openedAt: clock.now(), desk: desk, isLocked: isLocked)
        pages.withLock { pages in
            pages.sessions[digest(word)] = session
            if pages.sessions.count > Self.mostSessions,
                let oldest = pages.sessions.min(by: { $0.value.openedAt < $1.value.openedAt })
            {
                pages.sessions[oldest.key] = nil
            }
        }
        return word
    }

    /// The session behind a cookie.
    func session(_ word: String) -> Session? {
        let key = digest(word)
        return pages.withLock { pages in
            guard let session = pages.sessions[key] else { return nil }
            guard clock.now() < session.openedAt + Self.sessionLifetime else {
                pages.sessions[key] = nil
                return nil
            }
            return session
        }
    }

    /// Ends a session.
    func close(_ word: String) {
        pages.withLock { $0.sessions[digest(word)] = nil }
    }
}

private func digest(_ word: String) -> SHA256Digest {
    SHA256.hash(data: Array(word.utf8))
}

/// A word nobody can guess.
func randomWord(bytes: Int) -> String {
    var random = SystemRandomNumberGenerator()
    return encodeHex(randomBytes(bytes, using: &random))
}

/// Compares two words without telling by the time taken where they differ.
func isSame(_ a: String, _ b: String) -> Bool {
    digest(a) == digest(b)
}
