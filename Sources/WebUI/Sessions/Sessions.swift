internal import AsyncPrimitives
internal import Crypto
internal import NostrClient
internal import NostrCore
internal import Synchronization
internal import ViewModels

/// Login tokens that work once, and the sessions they opened; both end with the program.
final class Sessions: Sendable {
    private struct State {
        var tokens: [(digest: SHA256Digest, dies: Timestamp)] = []
        var sessions: [SHA256Digest: BrowserSession] = [:]
    }

    private let state = Mutex(State())
    private let time: Time<Timestamp>
    private let tokenLifetime: Duration

    /// A session ends after so long.
    static let sessionLifetime = Duration.seconds(30 * 24 * 3600)
    private static let mostTokens = 16, mostSessions = 64

    init(time: Time<Timestamp>, tokenLifetime: Duration) {
        self.time = time
        self.tokenLifetime = tokenLifetime
    }

    /// Makes a token; the oldest dies when there are too many.
    func makeToken() -> String {
        let token = randomWord(bytes: 32)
        let dies = time.now() + tokenLifetime
        state.withLock { state in
            state.tokens.append((digest(token), dies))
            state.tokens.removeFirst(max(0, state.tokens.count - Self.mostTokens))
        }
        return token
    }

    /// Uses a token up; whether it was good.
    func redeem(_ token: String) -> Bool {
        let now = time.now()
        let offered = digest(token)
        return state.withLock { state in
            state.tokens.removeAll { $0.dies <= now }
            let before = state.tokens.count
            // Digests compare in constant time, and all are compared.
            state.tokens.removeAll { $0.digest == offered }
            return state.tokens.count < before
        }
    }

    /// Opens a session; returns the word for the cookie.
    func open(_ account: (any Account)?) -> String {
        let word = randomWord(bytes: 32)
        let session = BrowserSession(openedAt: time.now(), account: account)
        let oldest = state.withLock { state -> BrowserSession? in
            state.sessions[digest(word)] = session
            guard state.sessions.count > Self.mostSessions,
                let oldest = state.sessions.min(by: { $0.value.openedAt < $1.value.openedAt })
            else { return nil }
            return state.sessions.removeValue(forKey: oldest.key)
        }
        oldest?.end()
        return word
    }

    /// The session behind a cookie, as it stands now.
    func session(_ word: String) -> Session? {
        let key = digest(word)
        guard let browser = state.withLock({ $0.sessions[key] }) else { return nil }
        guard time.now() < browser.openedAt + Self.sessionLifetime else {
            close(word)
            return nil
        }
        return browser.now
    }

    /// Takes every browser away from an account that is gone.
    func leave(_ key: PublicKey) {
        for session in state.withLock({ Array($0.sessions.values) }) { session.leave(key) }
    }

    /// Ends a session, and with it the live pages of its browser.
    func close(_ word: String) {
        let ended = state.withLock { $0.sessions.removeValue(forKey: digest(word)) }
        ended?.end()
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
