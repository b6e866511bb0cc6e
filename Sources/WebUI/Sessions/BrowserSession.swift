internal import AsyncPrimitives
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import Synchronization
internal import ViewModels

/// One browser that came in with a login link, and the account open in it.
///
/// What forms must carry changes with the account: a page of one account can do nothing once another is open.
final class BrowserSession: Sendable {
    let openedAt: Timestamp
    private let state: Mutex<State>

    private struct State {
        var account: (any Account)?
        var formToken = FormToken(secret: randomWord(bytes: 32))
        var notice: Notice?
        var outcomes: [(word: String, answer: Response)] = []
        /// Streams of news, each with the bell that wakes it.
        var streams: [Int: Doorbell] = [:]
        /// Those that had to end for newer ones.
        var crowdedOut: Set<Int> = []
        var nextStream = 0

        mutating func open(_ next: (any Account)?) {
            if let account, account.publicKey != next?.publicKey {
                formToken = FormToken(secret: randomWord(bytes: 32))
                notice = nil
                outcomes = []
            }
            // One that only read and now has its key is another object: its pages listen again.
            if let account, next.map({ ($0 as AnyObject) !== (account as AnyObject) }) ?? true {
                for bell in streams.values { bell.ring() }
                streams = [:]
            }
            account = next
        }
    }

    /// A browser may hold so many streams of news; a further one ends the oldest for good.
    ///
    /// Its pages share one; where they cannot, those in sight have one each, and connections must be left to load pages.
    static let mostStreams = 4
    private static let mostOutcomes = 4

    init(openedAt: Timestamp, account: (any Account)?) {
        self.openedAt = openedAt
        state = Mutex(State(account: account))
    }

    /// The session as it stands now.
    var now: Session { state.withLock { Session(browser: self, formToken: $0.formToken, account: $0.account) } }

    /// Opens an account in this browser; live pages of the one before it end.
    func open(_ account: (any Account)?) { state.withLock { $0.open(account) } }

    /// Leaves an account, when it is the open one.
    func leave(_ key: PublicKey) {
        state.withLock { state in
            if state.account?.publicKey == key { state.open(nil) }
        }
    }

    /// Ends with the session: its live pages are closed.
    func end() { open(nil) }

    /// Whether a session that was read earlier is still what it was.
    func isStill(_ session: Session) -> Bool { state.withLock { $0.formToken.secret == session.formToken.secret } }

    /// Leaves something to say on the next page.
    func leave(_ notice: Notice) { state.withLock { $0.notice = notice } }

    /// What there is to say, once.
    func takeNotice() -> Notice? {
        state.withLock { state in
            defer { state.notice = nil }
            return state.notice
        }
    }

    /// Leaves the answer to a form, for the page to go on to; so many are kept.
    ///
    /// - Returns: the word it is asked for by.
    func leave(_ answer: Response) -> String {
        let word = randomWord(bytes: 16)
        state.withLock { state in
            state.outcomes.append((word, answer))
            state.outcomes.removeFirst(max(0, state.outcomes.count - Self.mostOutcomes))
        }
        return word
    }

    /// The answer to a form; `nil` for one that is not known any more.
    func outcome(_ word: String) -> Response? {
        state.withLock { $0.outcomes.first { $0.word == word }?.answer }
    }

    /// Begins a stream of an account; `nil` when another one is open.
    func beginStream(of key: PublicKey) -> (number: Int, bell: Doorbell)? {
        state.withLock { state in
            guard state.account?.publicKey == key else { return nil }
            state.nextStream += 1
            let bell = Doorbell()
            state.streams[state.nextStream] = bell
            if state.streams.count > Self.mostStreams, let oldest = state.streams.keys.min() {
                state.crowdedOut.insert(oldest)
                state.streams.removeValue(forKey: oldest)?.ring()
            }
            return (state.nextStream, bell)
        }
    }

    /// Whether a stream may go on.
    func isOpen(stream: Int) -> Bool { state.withLock { $0.streams[stream] != nil } }

    /// Whether a stream had to end for a newer one.
    func isCrowdedOut(stream: Int) -> Bool { state.withLock { $0.crowdedOut.contains(stream) } }

    func endStream(_ stream: Int) {
        state.withLock { state in
            state.streams[stream] = nil
            state.crowdedOut.remove(stream)
        }
    }
}

/// A browser's session as it stood when a request came: one account from the first guard to the last line of the page.
struct Session: Sendable {
    let browser: BrowserSession
    /// What every form must carry (CSRF).
    var formToken: FormToken
    /// The account open in this browser.
    let account: (any Account)?
    /// Whether the account's key must be unlocked before it signs.
    var isLocked = false
}

/// Something to say on top of the next page, and how to take back what was done.
struct Notice: Equatable, Sendable {
    /// A form that undoes it.
    struct Undo: Equatable, Sendable {
        let path: Path
        let fields: [String: String]
    }

    let sentence: String
    var isProblem = false
    var undo: Undo?
}
