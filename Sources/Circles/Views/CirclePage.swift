public import Location
public import NostrClient
public import NostrCore

/// Somebody in a circle.
public struct CircleMember: Hashable, Sendable, Identifiable {
    /// Who.
    public var person: Person
    /// What they call themselves here; `nil` of who is muted.
    public var nickname: String?
    /// Whether they are an admin.
    public var isAdmin: Bool
    /// Whether they asked to be let go.
    public var isLeaving: Bool
    /// Where they last said they are.
    public var place: LocationPayload?
    /// What they last said of their sharing, if that is newer.
    public var sharing: SharingNotice?
    /// Why their place is old, or why there is none; nil while it is what they promised.
    public var whyOld: StaleReason?
    /// The names of the watched places where they were last.
    public var whereabouts: [String] = []
    /// Until when the place is what they promised if nothing newer comes.
    public var freshUntil: Timestamp?
    /// The picture they show here.
    public var picture: CirclePicture?
    /// Whether it is not known that this is them: a leaf that names them was never shown to be theirs.
    public var isUnverified = false
    /// Whether the place came from such a leaf.
    public var isPlaceUnverified = false

    public var id: PublicKey { person.key }

    /// A member as shown now; place and sharing notice are the newest that came.
    public init(
        person: Person, nickname: String?, isAdmin: Bool, isLeaving: Bool, place: LocationPayload?,
        sharing: SharingNotice?, whyOld: StaleReason? = nil, whereabouts: [String] = []
    ) {
        (self.person, self.nickname, self.isAdmin, self.isLeaving) = (person, nickname, isAdmin, isLeaving)
        (self.place, self.sharing, self.whyOld, self.whereabouts) = (place, sharing, whyOld, whereabouts)
    }
}

/// Somebody who asks to join.
public struct CircleRequest: Hashable, Sendable, Identifiable {
    /// Who.
    public var person: Person
    /// What they want to be called; `nil` of who is muted.
    public var name: String?
    /// When the request came.
    public var arrivedAt: Timestamp
    /// Whether they are a member who is out of step.
    public var isReadmission: Bool

    public var id: PublicKey { person.key }

    /// A request to join; a readmission comes from a member who is out of step.
    public init(person: Person, name: String?, arrivedAt: Timestamp, isReadmission: Bool) {
        (self.person, self.name, self.arrivedAt) = (person, name, arrivedAt)
        self.isReadmission = isReadmission
    }
}

/// A circle, open.
public struct CirclePage: Hashable, Sendable {
    /// The circle.
    public var summary: CircleSummary
    /// What it is about.
    public var about: String
    /// Its relays.
    public var relays: [RelayURL]
    /// All of them, where none is contacted before the person allows it: they are in a private network, and somebody
    /// else chose them.
    public var unchosenRelays: [RelayURL] = []
    /// Who is in it, the account itself first, then by name.
    public var members: [CircleMember]
    /// Who asks to join, if the account may let them in.
    public var requests: [CircleRequest]
    /// The lines, oldest first.
    public var lines: [CircleLine]
    /// Where older ones start; nil at the beginning.
    public var older: MessageCursor?
    /// What a person must know before all else; nil while all is well.
    public var warning: CircleWarning?
    /// Files of the account's that no media server has taken yet; only of a stretch that ends with the newest line.
    public var unsent: [UnsentFile] = []

    /// One page of a circle; `older` is `nil` when its first line is the circle's first.
    public init(
        summary: CircleSummary, about: String, relays: [RelayURL], members: [CircleMember], requests: [CircleRequest],
        lines: [CircleLine], older: MessageCursor?, warning: CircleWarning?
    ) {
        (self.summary, self.about, self.relays, self.members) = (summary, about, relays, members)
        (self.requests, self.lines, self.older, self.warning) = (requests, lines, older, warning)
    }
}

/// What a person must know of a circle before all else.
public enum CircleWarning: Hashable, Sendable {
    /// What rests of it here cannot be read.
    case damaged
    /// We were removed; what was said before is here.
    case removed
    /// We left; what was said before is here.
    case left
    /// We asked to be let go, and are in it until another member's program does so.
    case leaving
    /// We are ending it for everybody.
    case ending
    /// It is wiped here, and goes when another member's program has let us go.
    case vanishing
    /// Nothing of the others can be read until an admin lets us in again.
    case outOfStep
}

/// What happened to a circle that does not go on as it should; stored by its number.
public enum CircleTrouble: UInt8, Hashable, Sendable {
    /// All relays refused our change; it was not made.
    case changeRefused = 1
    /// No relay said in time that it took our change; it counts if it turns up.
    case changeNotAccepted
    /// No relay gave our change back in time; it counts if it turns up.
    case changeNotFound
    /// Our change could not be made.
    case changeFailed
    /// Somebody's change came first; ours is made once more.
    case changeOvertaken
    /// We are not a member any more.
    case removed
    /// Relays do not answer.
    case relaysSilent
    /// We are out of step.
    case outOfStep = 9
    /// We are in step again.
    case backInStep
    /// Events came that nothing opens: strangers' junk, or somebody is out of step.
    case unread
}

/// Whether a circle goes on as it should.
public struct CircleHealth: Hashable, Sendable {
    /// Something that happened and what it means.
    public struct Trouble: Hashable, Sendable {
        /// What happened.
        public var what: CircleTrouble
        /// When.
        public var at: Timestamp

        /// Something that happened at a moment.
        public init(_ what: CircleTrouble, at: Timestamp) { (self.what, self.at) = (what, at) }
    }

    /// How many changes the group went through.
    public var epoch: UInt64
    /// Whether it is known that the account is out of step.
    public var isOutOfStep: Bool
    /// Whether a relay has given all it has since the program started.
    public var isCaughtUp: Bool
    /// How much of the circle is here.
    public var progress = CircleProgress.upToDate
    /// What members can compare: the same for all who are in step.
    public var fingerprint: String
    /// How many events wait to be read.
    public var waiting: Int
    /// How many events came that nothing opened; anybody can post such.
    public var unopened = 0
    /// How many of the account's events no relay has taken.
    public var unsent: Int
    /// How many of the account's changes are not through.
    public var pending: Int
    /// How many of the account's Welcomes and requests, of all circles, no relay has taken.
    public var undelivered: Int
    /// Its relays, and which of them are connected.
    public var relays: [RelayURL: Bool]
    /// The last troubles, the newest first.
    public var troubles: [Trouble]

    /// Figures of one moment; relays map to whether they are connected.
    public init(
        epoch: UInt64, isOutOfStep: Bool, isCaughtUp: Bool, fingerprint: String, waiting: Int, unsent: Int,
        pending: Int,
        undelivered: Int, relays: [RelayURL: Bool], troubles: [Trouble]
    ) {
        (self.epoch, self.isOutOfStep, self.isCaughtUp) = (epoch, isOutOfStep, isCaughtUp)
        (self.fingerprint, self.waiting) = (fingerprint, waiting)
        (self.unsent, self.pending, self.undelivered) = (unsent, pending, undelivered)
        (self.relays, self.troubles) = (relays, troubles)
    }
}
