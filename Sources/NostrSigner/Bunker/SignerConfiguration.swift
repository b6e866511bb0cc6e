public import NostrCore

/// What a signer bears, waits and keeps.
public struct SignerConfiguration: Sendable {
    /// How many requests are worked on at a time.
    public var atOnce = 128
    /// How many batches of apps that are not paired wait to be looked at; more are dropped.
    public var strangersWaiting = 256
    /// How many requests of apps that are not paired are kept while the key is locked.
    public var lockedStrangers = 20
    /// How long the key may take for one request: it may be elsewhere.
    public var keyDeadline: Duration = .seconds(30)
    /// How long a relay may take for one answer.
    public var publishDeadline: Duration = .seconds(5)
    /// The waits before an answer that no relay took is sent again.
    public var resendAfter: [Duration] = [
        .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(30),
    ]
    /// How many answers may be on their way to one relay while others can take them.
    public var answersInFlight = 256
    /// How long the version in force may be looked for, to say what a signature would change.
    public var versionDeadline: Duration = .seconds(4)
    /// How far back relays are asked for requests.
    public var overlap: Duration = .seconds(3600)
    /// How long answered requests are remembered; longer than requests may be old.
    public var remembers: Duration = .seconds(7 * 24 * 3600)
    /// How long a request waits for the person.
    public var waitsFor: Duration = .seconds(24 * 3600)
    /// How long lines of the log are kept.
    public var logsFor: Duration = .seconds(90 * 24 * 3600)
    /// How many lines of the log are kept.
    public var logsLines = 20_000
    /// How often what was admitted while the disk or the key failed is tried again.
    public var retryUnfinished: Duration = .seconds(10)
    /// How often old things are cleared away.
    public var housekeeping: Duration = .seconds(600)
    /// The waits between the answers to an app's token, while the person looks on.
    public var handshakes: [Duration] = [.seconds(2), .seconds(2), .seconds(3), .seconds(3)]
    /// The waits between those sent after that.
    public var lateHandshakes: [Duration] = [
        .seconds(5), .seconds(10), .seconds(15), .seconds(30), .seconds(60), .seconds(120),
    ]
    /// The page where a person can decide about a request, told to its app (NIP-46, "Auth Challenges"); `nil` tells none.
    public var approvalPage: (@Sendable (EventID) -> String?)?

    /// The defaults.
    public init() {}
}
