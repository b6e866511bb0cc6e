internal import NostrCore
internal import NostrNIPs

/// What was asked of relays not long ago, so that looking at the same page twice does not ask twice.
///
/// Also the memory of what could not be found: after two fruitless tries an id or a person is left alone for a while.
struct RecentQuestions: Sendable {
    /// What can be asked.
    enum Question: Hashable, Sendable {
        case thread(EventID)
        case engagement(EventID)
        /// The votes of a poll.
        case votes(EventID)
        case person(PublicKey)
        case event(EventID)
        /// The newest version at an address.
        case address(EventAddress)
        /// The articles of somebody.
        case articles(PublicKey)
        /// The apps for a kind.
        case apps(Kind)
        /// The packs of emoji of those who are followed.
        case packsOfFollows
        case search(String)
        case older(TimelineSource)
        /// Where somebody receives messages; answered by at least one relay.
        case inbox(PublicKey)
        /// The same for a page, also while no relay answers.
        case inboxOnPage(PublicKey)
    }

    private struct Answer {
        var tries: Int
        var at: Timestamp
    }

    private static let capacity = 20_000
    private var asked: [Question: Answer] = [:]

    /// How many questions are remembered.
    var count: Int { asked.count }

    /// Whether a question may be asked now.
    func allows(_ question: Question, now: Timestamp) -> Bool {
        asked[question].map { $0.at + question.rest(after: $0.tries) <= now } ?? true
    }

    /// Whether a question should be asked now; if so, it counts as asked.
    mutating func shouldAsk(_ question: Question, now: Timestamp) -> Bool {
        guard allows(question, now: now) else { return false }
        if asked.count >= Self.capacity { asked = asked.filter { $0.value.at + .seconds(600) > now } }
        if asked.count >= Self.capacity { asked = [:] }
        asked[question] = Answer(tries: (asked[question]?.tries ?? 0) + 1, at: now)
        return true
    }

    /// Some questions may be asked again at once: the answer may be another one now.
    mutating func forget(_ belongs: (Question) -> Bool) {
        asked = asked.filter { !belongs($0.key) }
    }

    /// The answer came; the next question may be asked after the usual pause.
    mutating func wasAnswered(_ question: Question) {
        asked[question]?.tries = 1
    }

    /// Nobody was there to be asked; the question may be put as soon as somebody is.
    mutating func wasNotAsked(_ question: Question) {
        asked[question] = nil
    }
}

extension RecentQuestions.Question {
    /// How long not to ask again.
    func rest(after tries: Int) -> Duration {
        switch self {
        case .thread, .search, .older: .seconds(30)
        case .engagement, .votes, .inboxOnPage, .address, .articles: .seconds(120)
        case .packsOfFollows, .apps: .seconds(600)
        case .inbox: .seconds(3600)
        case .person, .event: tries < 2 ? .seconds(30) : .seconds(900)
        }
    }
}
