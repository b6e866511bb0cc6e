internal import AsyncPrimitives
internal import Crypto
internal import NostrClient
internal import NostrCore
internal import Synchronization
internal import ViewModels

/// What a login token lets a browser do.
enum LoginScope: Hashable, Sendable {
    /// Everything: it opens a session.
    case session
    /// Seeing and answering one signer link, by its name.
    case link(String)
}

/// Login tokens that work once, and the sessions they opened.
///
/// Tokens, and what they opened for one link, end with the program. Sessions are kept under the hash of their cookie and
/// go on after a restart.
final class Sessions: Sendable {
    private struct State {
        var tokens: [(digest: SHA256Digest, scope: LoginScope, dies: Timestamp)] = []
        var sessions: [SHA256Digest: BrowserSession] = [:]
        var links: [SHA256Digest: (link: String, browser: BrowserSession)] = [:]
    }

    let cookies: SessionCookies
    private let state = Mutex(State())
    private let time: Time<Timestamp>
    private let tokenLifetime: Duration
    private let keeping: any SessionKeeping
    private let opening: any AccountOpening

    /// A session ends after so long.
    static let sessionLifetime = Duration.seconds(30 * 24 * 3600)
    private static let mostTokens = 16, mostLinks = 64

    init(
        time: Time<Timestamp>, tokenLifetime: Duration, opening: any AccountOpening,
        keeping: any SessionKeeping = SessionsInMemory(),
        cookies: SessionCookies = SessionCookies()
    ) {
        self.time = time
        self.tokenLifetime = tokenLifetime
        self.keeping = keeping
        self.opening = opening
        self.cookies = cookies
    }

    // MARK: Tokens

    /// Makes a token; the oldest dies when there are too many.
    func makeToken(for scope: LoginScope = .session) -> String {
        let token = randomWord(bytes: 32)
        let dies = time.now() + tokenLifetime
        state.withLock { state in
            state.tokens.append((digest(token), scope, dies))
            state.tokens.removeFirst(max(0, state.tokens.count - Self.mostTokens))
        }
        return token
    }

    /// Uses a token up; what it is good for, `nil` for one that is not good.
    func redeem(_ token: String) -> LoginScope? {
        let now = time.now()
        let offered = digest(token)
        return state.withLock { state in
            state.tokens.removeAll { $0.dies <= now }
            // Digests compare in constant time, and all are compared.
            let good = state.tokens.filter { $0.digest == offered }
            state.tokens.removeAll { $0.digest == offered }
            return good.first?.scope
        }
    }

    // MARK: Sessions

    /// Opens a session; returns the word for the cookie.
    func open(_ account: (any Account)?) async -> String {
        let word = randomWord(bytes: 32)
        let session = BrowserSession(openedAt: time.now(), account: account)
        await enter(session, digest(word))
        await keep(session, word)
        return word
    }

    /// The session behind a cookie, as it stands now.
    func session(_ word: String) async -> Session? {
        let key = digest(word)
        let known = state.withLock { $0.sessions[key] }
        var found = known
        if found == nil { found = await restore(key) }
        guard let browser = found else { return nil }
        guard time.now() < browser.openedAt + Self.sessionLifetime else {
            await close(word)
            return nil
        }
        return browser.now
    }

    /// Whether a cookie has a session that was asked for in this run.
    func isOpen(_ word: String) -> Bool {
        guard let browser = state.withLock({ $0.sessions[digest(word)] }) else { return false }
        return time.now() < browser.openedAt + Self.sessionLifetime
    }

    /// Keeps which account is open in a browser.
    func keep(_ browser: BrowserSession, _ word: String) async {
        let key = digest(word)
        func isOpen() -> Bool { state.withLock { $0.sessions[key] === browser } }
        // One that was ended meanwhile must not come back.
        guard isOpen() else { return }
        let kept = KeptSession(openedAt: browser.openedAt, account: browser.now.account?.publicKey)
        await keeping.keep(kept, under: hex(key))
        if !isOpen() { await keeping.forget(hex(key)) }
    }

    /// Takes every browser away from an account that is gone.
    func leave(_ key: PublicKey) async {
        for session in state.withLock({ Array($0.sessions.values) }) { session.leave(key) }
        await keeping.leave(key)
    }

    /// Ends a session, and with it the live pages of its browser.
    func close(_ word: String) async {
        let ended = state.withLock { $0.sessions.removeValue(forKey: digest(word)) }
        ended?.end()
        await keeping.forget(hex(digest(word)))
    }

    // MARK: Links

    /// Lets a browser see the page of one link; returns the word for the cookie.
    func open(link: String) -> String {
        let word = randomWord(bytes: 32)
        let session = BrowserSession(openedAt: time.now(), account: nil)
        state.withLock { state in
            state.links[digest(word)] = (link, session)
            if state.links.count > Self.mostLinks,
                let oldest = state.links.min(by: { $0.value.browser.openedAt < $1.value.browser.openedAt })
            {
                state.links[oldest.key] = nil
            }
        }
        return word
    }

    /// What a browser may see of a link by this cookie.
    func session(_ word: String, ofLink link: String) -> Session? {
        let found = state.withLock { $0.links[digest(word)] }
        guard let found, found.link == link, time.now() < found.browser.openedAt + tokenLifetime else { return nil }
        return found.browser.now
    }

    // MARK: Keeping

    /// A session of an earlier run.
    private func restore(_ key: SHA256Digest) async -> BrowserSession? {
        guard let kept = await keeping.session(under: hex(key)) else { return nil }
        var account: (any Account)?
        // An account that does not open now can be opened from the first screen, which then says why.
        if let open = kept.account { account = try? await opening.open(open) }
        let restored = BrowserSession(openedAt: kept.openedAt, account: account)
        // Another request of the same browser may have been faster.
        return await enter(restored, key)
    }

    /// Enters a session, unless one is there under this name; the oldest goes when there are too many.
    @discardableResult
    private func enter(_ session: BrowserSession, _ key: SHA256Digest) async -> BrowserSession {
        let (entered, oldest) = state.withLock { state -> (BrowserSession, (SHA256Digest, BrowserSession)?) in
            if let there = state.sessions[key] { return (there, nil) }
            state.sessions[key] = session
            guard state.sessions.count > KeptSession.most,
                let oldest = state.sessions.min(by: { $0.value.openedAt < $1.value.openedAt })
            else { return (session, nil) }
            state.sessions[oldest.key] = nil
            return (session, (oldest.key, oldest.value))
        }
        if let (key, browser) = oldest {
            browser.end()
            await keeping.forget(hex(key))
        }
        return entered
    }

    private func hex(_ digest: SHA256Digest) -> String { encodeHex(Array(digest)) }
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
