internal import Circles
internal import NostrClient
public import NostrCore

/// How a circle goes on, as a screen shows it.
public struct CircleHealthItem: Hashable, Sendable {
    /// A relay of a circle.
    public struct Relay: Hashable, Sendable {
        /// Its address.
        public let relay: String
        /// Whether Linnet is connected to it.
        public let isConnected: Bool
    }

    /// Something that went wrong, with what a person can do.
    public struct Mishap: Hashable, Sendable {
        /// What.
        public let sentence: String
        /// When.
        public let at: Timestamp
    }

    /// Whether the others may have gone on without this program.
    public let isOutOfStep: Bool
    /// How much of it is here, in words.
    public let progress: String
    /// What members compare to know that they are in step.
    public let fingerprint: String
    /// How many events wait to be read.
    public let waiting: Int
    /// How many events came that nothing opened.
    public let unopened: Int
    /// How many events of the account no relay has taken.
    public let unsent: Int
    /// How many changes of the account are not through.
    public let pending: Int
    /// The relays, in order.
    public let relays: [Relay]
    /// What went wrong lately, newest first.
    public let troubles: [Mishap]

    init(_ health: CircleHealth) {
        (isOutOfStep, fingerprint, waiting) = (health.isOutOfStep, health.fingerprint, health.waiting)
        unopened = health.unopened
        progress = CircleWords.progress(health.progress)
        (unsent, pending) = (health.unsent + health.undelivered, health.pending)
        relays = health.relays.sorted { $0.key < $1.key }.map { Relay(relay: $0.key.text, isConnected: $0.value) }
        troubles = health.troubles.map { Mishap(sentence: $0.what.sentence, at: $0.at) }
    }
}

/// An invitation to a circle, as a screen shows it.
public struct CircleInviteItem: Hashable, Sendable {
    /// A link that opens a program for circles.
    public let link: String
    /// What stands in the code.
    public let code: String

    /// A link for a browser that leads over a web page; nil where no page was named.
    public let webLink: String?

    /// - Parameter page: an `https` address that leads people on; nil for none.
    init(_ invite: CircleInvite, page: String?) {
        (link, code) = (invite.whistleLink, invite.code)
        webLink = page.flatMap { invite.link(on: $0) }
    }
}
