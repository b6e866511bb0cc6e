public import NostrClient
public import NostrCore
internal import NostrRelay

/// One relay as a screen shows it.
public struct RelayItem: Hashable, Sendable, Identifiable {
    /// How it stands.
    public enum Health: String, Hashable, Sendable, CaseIterable {
        case connected, connecting, resting, failing, distrusted, blocked
        /// It is not contacted until the person allows it.
        case awaitsPermission = "awaits-permission"

        /// The state in a word or two.
        public var words: String {
            switch self {
            case .connected: RelaysWords.connected
            case .connecting: RelaysWords.connecting
            case .resting: RelaysWords.resting
            case .failing: RelaysWords.failing
            case .distrusted: RelaysWords.distrusted
            case .blocked: RelaysWords.blocked
            case .awaitsPermission: RelaysWords.awaitsPermission
            }
        }
    }

    /// Its address.
    public let address: String
    /// Its address without the scheme.
    public let name: String
    /// How it stands.
    public let health: Health
    /// Followed people read from here.
    public let people: Int
    /// Whether the account itself reads here.
    public let isOwnRead: Bool
    /// Whether the account itself writes here.
    public let isOwnWrite: Bool
    /// Connections opened.
    public let connects: Int
    /// Connections that failed or broke.
    public let failures: Int
    /// Checked events it sent.
    public let events: Int
    /// Events that had come before.
    public let duplicates: Int
    /// Events with a wrong id or signature, events nobody asked for, and what could not be read.
    public let unbelieved: Int
    /// The median time to the first answer, in milliseconds.
    public let latency: Int?
    /// The last failure, or why it is not believed or not contacted for now, in plain words.
    public let problem: String?
    /// Whether it is contacted only once the person allows it: it is in a private network, and a stranger named it.
    public var awaitsPermission: Bool { health == .awaitsPermission }

    public var id: String { address }

    /// Reads a report.
    public init(_ report: RelayReport) {
        let statistics = report.statistics
        address = report.relay.text
        name = shortAddress(report.relay)
        people = report.authors.count
        isOwnRead = report.isOwnRead
        isOwnWrite = report.isOwnWrite
        connects = statistics.connects
        failures = statistics.failures
        events = statistics.events
        duplicates = statistics.duplicates
        unbelieved = statistics.forged + statistics.unasked + statistics.unreadable
        latency = statistics.latency.map { Int($0 / .milliseconds(1)) }
        health = Self.health(of: report)
        problem =
            switch health {
            case .awaitsPermission: RelaysWords.notAskedUntilAllowed
            default:
                statistics.distrusted.map { RelaysWords.distrust($0, isOwn: report.isOwnWrite) }
                    ?? statistics.lastProblem.map { oneLine($0.words, limit: 160) }
            }
    }

    private static func health(of report: RelayReport) -> Health {
        let isOwn = report.isOwnRead || report.isOwnWrite
        return switch report.statistics.state {
        case .blocked: .blocked
        // Its name is looked up again every so often; until the person allows it nothing else comes of that. One's own
        // need no permission, also where that is seen only at the next attempt.
        case _ where report.statistics.awaitsPermission && !isOwn: .awaitsPermission
        case _ where report.statistics.distrusted != nil: .distrusted
        case .connected: .connected
        case .connecting: .connecting
        case .waiting: .failing
        case .idle: .resting
        }
    }
}

/// A relay's address without the scheme.
func shortAddress(_ relay: RelayURL) -> String {
    relay.text.hasPrefix("wss://") ? String(relay.text.dropFirst(6)) : String(relay.text.dropFirst(5))
}

/// What was asked for one person, and what came, as a screen shows it.
public struct CoverageItem: Hashable, Sendable {
    /// How one relay's answer about one person ended.
    public struct Answer: Hashable, Sendable {
        /// The relay.
        public let relay: String
        /// How it ended, in plain words.
        public let ending: String
        /// Whether it sent all it holds.
        public let isComplete: Bool
        /// How many of the person's events came from it since the start.
        public let received: Int
        /// Until when it was heard about the person, where it has not sent all it holds since the start.
        public let heardUntil: Timestamp?
    }

    /// The person.
    public let person: PersonItem
    /// The relays asked.
    public let answers: [Answer]
    /// How the relays were found.
    public let basis: String
    /// How many relays were asked.
    public var asked: Int { answers.count }
    /// How many of them answered in full.
    public var complete: Int { answers.count { $0.isComplete } }
    /// Whether every relay asked answered in full.
    public var isComplete: Bool { asked > 0 && complete == asked }
    /// The share of relays that answered in full, 0 to 1.
    public var share: Double { asked == 0 ? 0 : Double(complete) / Double(asked) }
    /// Events received, from all relays.
    public var received: Int { answers.reduce(0) { $0 + $1.received } }

    /// Reads a coverage.
    public init(_ coverage: AuthorCoverage) {
        person = PersonItem(coverage.person)
        basis =
            switch coverage.basis {
            case .relayList: RelaysWords.ownList
            case .hints: RelaysWords.hints
            case .indexers: RelaysWords.indexers
            }
        answers = coverage.asked.sorted { $0.key < $1.key }.map { relay, ending in
            let (words, isComplete) = describe(ending)
            return Answer(
                relay: shortAddress(relay), ending: words, isComplete: isComplete,
                received: coverage.received[relay] ?? 0, heardUntil: isComplete ? nil : coverage.heardUntil[relay])
        }
    }
}

private func describe(_ ending: RelayEnding?) -> (String, Bool) {
    switch ending {
    case nil: (RelaysWords.stillAnswering, false)
    case .complete: (RelaysWords.complete, true)
    case .deadline: (RelaysWords.tooSlow, false)
    case .closed, .unauthenticated: (RelaysWords.refused, false)
    case .failed(.privateAddress), .notAsked(.failedBefore(.privateAddress)): (RelaysWords.notAskedUntilAllowed, false)
    case .failed: (RelaysWords.notReachable, false)
    case .notAsked(let why): (oneLine(why.words, limit: 80), false)
    }
}
