public import NostrCore

/// How far the search for relays has come, and what it found.
public struct RelaySearch: Hashable, Sendable {
    /// What is being done.
    public enum Phase: Hashable, Sendable {
        /// Relay lists of other people are read; so many relays of so many have answered.
        case reading(answered: Int, of: Int)
        /// Relays are tried.
        case trying
        /// Nothing more comes.
        case over
    }

    /// A relay that was tried, or will be.
    public struct Candidate: Hashable, Sendable {
        /// What a relay did when it was asked without any key.
        public enum Answer: Hashable, Sendable {
            /// It was not asked yet, or has not answered.
            case waiting
            /// It answered after so long; whether it also took an event from somebody it does not know.
            case answered(after: Duration, takesEvents: Bool)
            /// It wants to know first who asks, or turned the question down.
            case refused
            /// It was not reached, or did not answer in time.
            case unreachable
        }

        /// Its address.
        public var relay: RelayURL
        /// How many people of those read name it; zero for one of the usual relays.
        public var names: Int
        /// How many monitors say that they reached it (NIP-66).
        public var monitors: Int
        /// What it did.
        public var answer: Answer

        /// A relay to try.
        public init(relay: RelayURL, names: Int, monitors: Int = 0, answer: Answer = .waiting) {
            self.relay = relay
            self.names = names
            self.monitors = monitors
            self.answer = answer
        }

        /// How long it took to answer; `nil` where it did not.
        public var delay: Duration? {
            if case .answered(let delay, _) = answer { delay } else { nil }
        }

        /// Whether it takes events from somebody it does not know.
        public var takesEvents: Bool {
            if case .answered(_, true) = answer { true } else { false }
        }
    }

    /// What is being done.
    public var phase: Phase
    /// How many people's relay lists were read.
    public var lists: Int
    /// The relays, once they are known: those that answer first, the fastest first.
    public var candidates: [Candidate]

    /// NIP-65 advises two to four relays a side.
    private static let chosen = 3

    /// A search as far as it has come.
    public init(phase: Phase, lists: Int = 0, candidates: [Candidate] = []) {
        self.phase = phase
        self.lists = lists
        self.candidates = candidates
    }

    /// The relays to begin with: the three fastest that answer and take events, to write and to read.
    ///
    /// Where fewer take events from a stranger, that is not known of any: those that answer are chosen then.
    public var choice: [RelayURL] {
        let open = candidates.filter(\.takesEvents)
        return (open.isEmpty ? candidates.filter { $0.delay != nil } : open).prefix(Self.chosen).map(\.relay)
    }

    /// Puts those first that take events, then those that answer, the fastest first, and the most named among equals.
    mutating func sort() {
        func rank(_ candidate: Candidate) -> Int {
            switch candidate.answer {
            case .answered(_, let takesEvents): takesEvents ? 0 : 1
            case .waiting: 2
            case .refused: 3
            case .unreachable: 4
            }
        }
        candidates.sort { a, b in
            if rank(a) != rank(b) { return rank(a) < rank(b) }
            if let first = a.delay, let second = b.delay, first != second { return first < second }
            return a.names != b.names ? a.names > b.names : a.relay < b.relay
        }
    }
}
