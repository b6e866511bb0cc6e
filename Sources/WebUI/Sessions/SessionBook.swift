internal import AsyncPrimitives
internal import Crypto
internal import NostrClient
internal import NostrCore
internal import Synchronization
internal import ViewModels

/// Login tokens that work once, and the sessions they opened; both end with the program.
final class SessionBook: Sendable {
    private struct Pages {
        var tokens: [(digest: SHA256Digest, dies: Timestamp)] = []
        var sessions: [SHA256Digest: BrowserSession] = [:]
    }

    private let pages = Mutex(Pages())
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
        pages.withLock { pages in
            pages.tokens.append((digest(token), dies))
            pages.tokens.removeFirst(max(0, pages.tokens.count - Self.mostTokens))
        }
        return token
    }

    /// Uses a token up; whether it was good.
    func redeem(_ token: String) -> Bool {
        let now = time.now()
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
    func open(_ account: (any Account)?) -> String {
        let word = randomWord(bytes: 32)
        let session = BrowserSession(openedAt: time.now(), account: account)
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

    /// The session behind a cookie, as it stands now.
    func session(_ word: String) -> Session? {
        let key = digest(word)
        let browser = pages.withLock { pages -> BrowserSession? in
            guard let session = pages.sessions[key] else { return nil }
            guard time.now() < session.openedAt + Self.sessionLifetime else {
                pages.sessions[key] = nil
                return nil
            }
            return session
        }
        return browser?.now
    }

    /// Takes every browser away from an account that is gone.
    func leave(_ key: PublicKey) {
        for session in pages.withLock({ Array($0.sessions.values) }) { session.leave(key) }
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
