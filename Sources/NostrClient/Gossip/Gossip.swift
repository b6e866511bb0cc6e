internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// Who writes and reads where, and asking relays: the gossip (outbox) model at work for one account.
///
/// Everything here is knowledge that all services read while they think, so it is a class over one lock and not an
/// actor: a look is short and never waits. `run()` finds out about the account itself and everybody it follows.
/// Asking, finding out, learning and keeping have a file each: all of them change that one knowledge.
public final class Gossip: Sendable {
    /// What is known of relays and people.
    struct Knowledge: Sendable {
        var router: RelayRouter
        /// The list that was read last.
        var followList: EventID?
        /// Whom the account follows, in the order of its list.
        var follows: [PublicKey] = []
        var followed: Set<PublicKey> = [] { didSet { homeAuthors = followed.union([router.account]) } }
        /// Whose notes belong on the home timeline: each page of it asks.
        private(set) var homeAuthors: Set<PublicKey>
        /// Where the account searches, receives messages, and keeps private content.
        var searchRelays: [RelayURL] = []
        var inbox: [RelayURL] = []
        var privateRelays: [RelayURL] = []
        /// What the person typed, by what they typed it for.
        var typed: [TypedRelayPurpose: Set<RelayURL>] = [:]
        /// People that were looked up since the start.
        var discovered: Set<PublicKey> = []
        var recent = RecentQuestions()
        var isLoaded = false
        /// Whether what was blocked when the program last ran is in force.
        var hasRestoredBlocked = false
        var ownRelaysListeners: [Doorbell] = []

        init(_ router: RelayRouter) {
            self.router = router
            homeAuthors = [router.account]
        }
    }

    /// What the account stands on.
    package let context: AccountContext
    let knowledge: Mutex<Knowledge>
    /// Which relays may learn who the account is.
    let consents: RelayConsents
    /// Which relays that should hold the account's own lists never answer.
    let silent: SilentRelays
    /// What of the hints is on disk.
    let hintRecords = Mutex(HintRecords())
    /// Rings when routes may differ.
    let routing = Doorbell()
    /// Rings when there may be people to look up.
    let discovering = Doorbell()
    /// Whether relays were asked for the account's own lists since the start.
    private let lookedForOwn = CurrentValue(false)

    init(_ context: AccountContext) {
        self.context = context
        consents = RelayConsents(context.records)
        silent = SilentRelays(context.records)
        var known = Knowledge(RelayRouter(account: context.publicKey, policy: context.configuration.routing))
        known.searchRelays = context.configuration.searchRelays
        knowledge = Mutex(known)
    }

    /// Looks up the account's own lists, then everybody it follows; again whenever the follows change.
    func run() async {
        await discoverOwn()
        lookedForOwn.set(true)
        if followed.isEmpty { context.changes.send(.timeline(.home)) }
        await discoverFollowed()
    }

    // MARK: - What is known

    /// The router with all it knows now; a copy.
    package var router: RelayRouter { knowledge.withLock { $0.router } }
    /// Whom the account follows, in the order of its list.
    package var follows: [PublicKey] { knowledge.withLock { $0.follows } }
    /// Whom the account follows.
    package var followed: Set<PublicKey> { knowledge.withLock { $0.followed } }
    /// Those whose notes make the home timeline: the followed and the account itself.
    package var homeAuthors: Set<PublicKey> { knowledge.withLock { $0.homeAuthors } }
    /// Whether relays were asked for the account's own lists since the start.
    package var hasLookedForOwn: Bool { lookedForOwn.value }
    /// Returns once they were, or when cancelled.
    func ownWasLookedFor() async {
        for await hasLooked in lookedForOwn.values() where hasLooked { return }
    }
    /// Whether somebody's notes belong on the home timeline.
    func isOfHome(_ key: PublicKey) -> Bool {
        key == context.publicKey || knowledge.withLock { $0.followed.contains(key) }
    }
    /// The relays that search for the account.
    package var searchRelays: [RelayURL] { knowledge.withLock { $0.searchRelays } }
    /// The account's own inbox relays, as its list (kind 10050) names them.
    package var inbox: [RelayURL] { knowledge.withLock { $0.inbox } }
    /// Where the account keeps private content (kind 10013).
    package var privateRelays: [RelayURL] { knowledge.withLock { $0.privateRelays } }

    /// Whether a relay is on one of the account's own lists: to read or to write (NIP-65), to receive messages (kind
    /// 10050), or for private content.
    public func isOwn(_ relay: RelayURL) -> Bool {
        knowledge.withLock { known in
            if known.privateRelays.contains(relay) || known.inbox.contains(relay) { return true }
            let own = known.router.lists[context.publicKey]
            return own.map { $0.write.contains(relay) || $0.read.contains(relay) } ?? false
        }
    }

    /// Changes what the router knows of the relays' health.
    func learnHealth<R: Sendable>(_ body: @Sendable (inout RelayHealth) -> R) -> R {
        knowledge.withLock { body(&$0.router.health) }
    }

    // MARK: - What was asked lately

    /// Whether a question should be asked now; if so, it counts as asked.
    func shouldAsk(_ question: RecentQuestions.Question) -> Bool {
        let now = context.time.now()
        return knowledge.withLock { $0.recent.shouldAsk(question, now: now) }
    }

    /// Whether a question may be asked now.
    func allows(_ question: RecentQuestions.Question) -> Bool {
        let now = context.time.now()
        return knowledge.withLock { $0.recent.allows(question, now: now) }
    }

    /// Some questions may be asked again at once: the answer may be another one now.
    func forgetQuestions(_ belongs: (RecentQuestions.Question) -> Bool) {
        knowledge.withLock { $0.recent.forget(belongs) }
    }

    /// The answer came; the next question may be asked after the usual pause.
    func wasAnswered(_ question: RecentQuestions.Question) {
        knowledge.withLock { $0.recent.wasAnswered(question) }
    }

    /// No relay was known that could be asked.
    func wasNotAsked(_ question: RecentQuestions.Question) {
        knowledge.withLock { $0.recent.wasNotAsked(question) }
    }

    // MARK: - What the account's lists say

    /// Rings a bell from now on when the account's own relays change.
    func ring(_ bell: Doorbell) {
        knowledge.withLock { $0.ownRelaysListeners.append(bell) }
    }

    /// Rings a bell no more.
    func ringNoMore(_ bell: Doorbell) {
        knowledge.withLock { $0.ownRelaysListeners.removeAll { $0 === bell } }
    }

    func ownRelaysDidChange() {
        for bell in knowledge.withLock({ $0.ownRelaysListeners }) { bell.ring() }
    }

    /// Takes over what the account's lists say with their private parts, once those are open.
    func use(blocked: BlockedRelays, search: [RelayURL], privateRelays: [RelayURL]) {
        let fallback = context.configuration.searchRelays
        let isNew = knowledge.withLock { known in
            known.searchRelays = search.isEmpty ? fallback : search
            known.privateRelays = privateRelays.filter { !blocked.contains($0) }
            guard blocked != known.router.blocked else { return false }
            known.router.blocked = blocked
            context.blocked.replace(with: blocked)
            return true
        }
        if isNew { routing.ring() }
    }
}
