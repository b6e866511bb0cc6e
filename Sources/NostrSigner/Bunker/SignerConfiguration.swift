public import NostrCore

/// What a signer bears, how long it waits, and what it keeps.
public struct SignerConfiguration: Sendable {
    /// How much is worked on at a time.
    public struct Limits: Hashable, Sendable {
        /// How many requests are worked on at a time.
        public var requests = 128
        /// How many batches of apps that are not paired wait to be looked at; more are dropped.
        public var strangers = 256
        /// How many requests of apps that are not paired are kept while the key is locked.
        public var lockedStrangers = 20
        /// How many answers may be on their way to one relay while others can take them.
        public var answersPerRelay = 256
    }

    /// How long others may take.
    public struct Deadlines: Hashable, Sendable {
        /// The key, for one request: it may be elsewhere.
        public var key: Duration = .seconds(30)
        /// A relay, for one answer.
        public var publish: Duration = .seconds(5)
        /// A search for the version in force, to say what a signature would change.
        public var version: Duration = .seconds(4)
    }

    /// The waits before something is tried again.
    public struct Pauses: Hashable, Sendable {
        /// Before an answer that no relay took is sent again.
        public var resend: [Duration] = [
            .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(30),
        ]
        /// Between the answers to an app's token, while the person looks on.
        public var handshakes: [Duration] = [.seconds(2), .seconds(2), .seconds(3), .seconds(3)]
        /// Between those sent after that.
        public var lateHandshakes: [Duration] = [
            .seconds(5), .seconds(10), .seconds(15), .seconds(30), .seconds(60), .seconds(120),
        ]
        /// Before what was admitted while the disk or the key failed is tried again.
        public var unfinished: Duration = .seconds(10)
        /// Between two rounds of clearing old things away.
        public var housekeeping: Duration = .seconds(600)
    }

    /// How long and how much is kept.
    public struct Retention: Hashable, Sendable {
        /// How far back relays are asked for requests.
        public var overlap: Duration = .seconds(3600)
        /// How long answered requests are remembered; longer than requests may be old.
        public var answered: Duration = .seconds(7 * 24 * 3600)
        /// How long a request waits for the person.
        public var waiting: Duration = .seconds(24 * 3600)
        /// How long lines of the log are kept.
        public var log: Duration = .seconds(90 * 24 * 3600)
        /// How many lines of the log are kept.
        public var logLines = 20_000
    }

    /// How much is worked on at a time.
    public var limits = Limits()
    /// How long others may take.
    public var deadlines = Deadlines()
    /// The waits before something is tried again.
    public var pauses = Pauses()
    /// How long and how much is kept.
    public var retention = Retention()
    /// The page where a person can decide about a request, told to its app (NIP-46, "Auth Challenges"); `nil` tells none.
    public var approvalPage: (@Sendable (EventID) -> String?)?

    /// The defaults.
    public init() {}
}
