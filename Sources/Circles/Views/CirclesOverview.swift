public import NostrClient
public import NostrCore

/// What is to be different about a circle; what is not named stays.
public struct CircleEdit: Hashable, Sendable {
    /// The name from now on.
    public var name: String?
    /// What it is about from now on.
    public var about: String?
    /// Its relays from now on.
    public var relays: [RelayURL]?
    /// Who becomes an admin.
    public var promoted: Set<PublicKey> = []
    /// Who is one no more.
    public var demoted: Set<PublicKey> = []

    /// A change of nothing.
    public init() {}
}

/// All circles of an account.
public struct CirclesOverview: Hashable, Sendable {
    /// The circles the account is or was in, the one with the newest line first.
    public var circles: [CircleSummary]
    /// Circles the account asked to join.
    public var asked: [AskedCircle]
    /// Circles somebody wants one in.
    public var invitations: [CircleInvitation]

    /// Whether others can put one into a circle unasked.
    public var isInvitable: Bool

    /// What the page of circles shows; each list stays in the order given.
    public init(
        circles: [CircleSummary], asked: [AskedCircle], invitations: [CircleInvitation], isInvitable: Bool = false
    ) {
        (self.circles, self.asked, self.invitations) = (circles, asked, invitations)
        self.isInvitable = isInvitable
    }
}

/// A circle in a list.
public struct CircleSummary: Hashable, Sendable, Identifiable {
    /// How one stands to it.
    public enum Standing: String, Hashable, Sendable {
        case member, leaving, left, removed
        /// One ends it for everybody.
        case ending
        /// It was wiped; one waits to be let go.
        case vanishing
        /// Its state cannot be read on this machine any more.
        case damaged
    }

    /// Which.
    public var id: CircleID
    /// What it is called.
    public var name: String
    /// How one stands to it.
    public var standing: Standing
    /// Whether the account is an admin of it.
    public var isAdmin: Bool
    /// Who is in it.
    public var people: [Person]
    /// The newest line.
    public var newest: CircleLine?
    /// How many lines of others who are not muted came since it was read.
    public var unread: Int
    /// How many more came, of people or with words that are muted.
    public var unreadHidden = 0
    /// When the last of ``unread`` came here, in seconds; 0 where it is not known.
    public var unreadArrived: Int64 = 0
    /// How many people who are not muted ask to join, if the account may let them in.
    public var requests: Int
    /// Whether it is known that the account is out of step.
    public var isOutOfStep: Bool
    /// How much of it is here.
    public var progress = CircleProgress.upToDate
    /// Its own picture.
    public var picture: CirclePicture?
    /// The pictures that members show here.
    public var avatars: [PublicKey: CirclePicture] = [:]

    /// A circle of which nothing else is known yet; set the rest afterwards.
    public init(id: CircleID, name: String, standing: Standing) {
        (self.id, self.name, self.standing) = (id, name, standing)
        (isAdmin, people, newest, unread, requests, isOutOfStep) = (false, [], nil, 0, 0, false)
    }
}

/// How much is here of what relays have of a circle.
public enum CircleProgress: Hashable, Sendable {
    /// A relay gave all it has, and what it gave was read.
    case upToDate
    /// Relays are asked for what is missing; so many events have come that are not read yet.
    case catchingUp(toRead: Int)
    /// No relay of the circle is connected, so that nobody knows what is missing.
    case unreachable
    /// What the others say cannot be read before an admin lets us in again.
    case outOfStep
}

/// A circle the account asked to join.
public struct AskedCircle: Hashable, Sendable, Identifiable {
    /// Which.
    public var id: CircleID
    /// What it is called, if the invitation said.
    public var name: String?
    /// Who was asked.
    public var inviter: Person
    /// When.
    public var askedAt: Timestamp
    /// All relays that the invitation names, where the request still waits for one and none is contacted before the
    /// person allows it: they are in a private network, and somebody else chose them.
    public var unchosenRelays: [RelayURL] = []

    /// A request of yours to join; the name is what the invitation claimed.
    public init(id: CircleID, name: String?, inviter: Person, askedAt: Timestamp) {
        (self.id, self.name, self.inviter, self.askedAt) = (id, name, inviter, askedAt)
    }
}

/// A circle somebody added the account to without being asked.
public struct CircleInvitation: Hashable, Sendable, Identifiable {
    /// Which.
    public var id: CircleID
    /// What it says it is called.
    public var name: String
    /// Who invites.
    public var inviter: Person
    /// When it came.
    public var arrivedAt: Timestamp
    /// Why its name is not to be seen unasked.
    public var muted: MuteReason?

    /// An invitation; the name is what the inviter's Welcome says, and anything can stand there.
    public init(id: CircleID, name: String, inviter: Person, arrivedAt: Timestamp) {
        (self.id, self.name, self.inviter, self.arrivedAt) = (id, name, inviter, arrivedAt)
    }
}
