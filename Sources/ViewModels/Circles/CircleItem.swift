public import Circles
internal import Location
internal import NostrClient
public import NostrCore

/// A circle as a list of circles shows it: one property for each thing that is shown.
public struct CircleItem: Hashable, Sendable, Identifiable {
    /// Its name in addresses: its id in hex.
    public let word: String
    /// What it is called.
    public let name: String
    /// Who is in it.
    public let people: [PersonItem]
    /// Whether the account is in it.
    public let isMember: Bool
    /// Whether the account is an admin of it.
    public let isAdmin: Bool
    /// How many lines of others who are not muted came since it was read.
    public let unread: Int
    /// When the last of those came here, in seconds; 0 where it is not known.
    public let unreadArrived: Int64
    /// How many people who are not muted ask to join.
    public let requests: Int
    /// The start of the newest line.
    public let excerpt: String
    /// Who wrote it; "You" for the account itself.
    public let excerptAuthor: String?
    /// When.
    public let moment: Timestamp?
    /// What a person must know of it: "You left", "Not up to date"; nil while all is well.
    public let state: String?
    /// That something of it is missing here, or may be; empty while all is here.
    public let progress: String
    /// Its own picture.
    public let picture: CirclePictureItem?
    /// The pictures that members show in it.
    public let avatars: [PublicKey: CirclePictureItem]
    /// Whether it is being ended or wiped: nothing is to be done any more.
    public let isOver: Bool

    public var id: String { word }

    /// Reads what a list needs from a circle.
    ///
    /// - Parameter own: whose account looks.
    public init(_ circle: CircleSummary, own: PublicKey) {
        word = circle.id.hex
        name = oneLine(circle.name, limit: 80)
        let people = circle.people.map { PersonItem($0) }
        self.people = people
        isMember = circle.standing == .member || circle.standing == .leaving
        picture = circle.picture.map { CirclePictureItem($0) }
        avatars = circle.avatars.mapValues { CirclePictureItem($0) }
        isOver = circle.standing == .ending || circle.standing == .vanishing
        (isAdmin, unread, requests) = (circle.isAdmin, circle.unread, circle.requests)
        unreadArrived = circle.unreadArrived
        moment = circle.newest?.createdAt
        excerpt = circle.newest.map { lineExcerpt($0, own: own, people: people) } ?? ""
        let isSpoken = circle.newest.map { if case .change = $0.body { false } else { true } } ?? false
        let author = circle.newest.map {
            ConversationWords.author(isOwn: $0.author.key == own, PersonItem($0.author).name)
        }
        excerptAuthor = isSpoken ? author : nil
        let isPartial = isMember && circle.progress != .upToDate && circle.progress != .outOfStep
        progress = isPartial ? CircleWords.progress(circle.progress) : ""
        let state = CircleWords.state(circle.standing, isOutOfStep: circle.isOutOfStep)
        // What was said last says more than that more may follow.
        self.state = state ?? (isPartial && circle.newest == nil ? progress : nil)
    }
}

/// The start of a line in one line.
func lineExcerpt(_ line: CircleLine, own: PublicKey, people: [PersonItem], limit: Int = 100) -> String {
    switch line.body {
    case .text(let text) where text.isEmpty && !line.files.isEmpty:
        ConversationWords.encrypted(line.files.first.map { FileItem($0).sort } ?? "")
    case .text(let text): textExcerpt(text, names: names(of: people), limit: limit)
    case .deleted: ConversationWords.deleted
    case .muted(let reason): MuteWords.stub(reason)
    case .change(let change): oneLine(CircleWords.change(change, by: line.author, own: own), limit: limit)
    }
}

/// A circle the account asked to join, or is invited to.
public struct WaitingCircleItem: Hashable, Sendable, Identifiable {
    /// Its name in addresses.
    public let word: String
    /// What it is called, if that is known.
    public let name: String
    /// Who was asked, or who invites.
    public let person: PersonItem
    /// When.
    public let moment: Timestamp
    /// All relays that its invitation names, where none is contacted before the person allows it.
    public private(set) var unchosenRelays: [String] = []
    /// That its name is muted, in one sentence; the name is not here then.
    public private(set) var veil: String?
    /// What the person is asked about those; `nil` where there is nothing to ask.
    public var relayQuestion: String? { CircleWords.unchosenInvitation(unchosenRelays) }

    public var id: String { word }

    init(_ circle: AskedCircle) {
        word = circle.id.hex
        unchosenRelays = circle.unchosenRelays.map(\.text)
        name = oneLine(circle.name ?? "", limit: 80)
        (person, moment) = (PersonItem(circle.inviter), circle.askedAt)
    }

    /// - Parameter isUnveiled: whether its name is to be seen, muted or not.
    init(_ invitation: CircleInvitation, isUnveiled: Bool = false) {
        word = invitation.id.hex
        (person, moment) = (PersonItem(invitation.inviter), invitation.arrivedAt)
        veil = invitation.muted == nil || isUnveiled ? nil : CircleWords.veiledInvitation(by: person.name)
        name = veil == nil ? oneLine(invitation.name, limit: 80) : ""
    }
}

/// Somebody in a circle as a screen shows them.
public struct CircleMemberItem: Hashable, Sendable, Identifiable {
    /// Who.
    public let person: PersonItem
    /// What to call them here.
    public let name: String
    /// Whether it is the account itself.
    public let isOwn: Bool
    /// Whether they are an admin.
    public let isAdmin: Bool
    /// Whether they asked to be let go.
    public let isLeaving: Bool
    /// Whether the account muted them.
    public let isMuted: Bool
    /// Where they last said they are.
    public let place: PlaceItem?
    /// Why there is no place; empty where there is one.
    public let whyNone: String
    /// The named places they are at.
    public let whereabouts: [String]
    /// The picture they show here.
    public let picture: CirclePictureItem?
    /// That it is not known that this is them; empty where it is.
    public let doubt: String
    /// That it is not known that the place is theirs; empty where it is.
    public let placeDoubt: String

    public var id: PublicKey { person.key }

    init(_ member: CircleMember, own: PublicKey) {
        doubt = member.isUnverified ? CircleWords.unverified : ""
        placeDoubt = member.isPlaceUnverified ? CircleWords.unverified : ""
        person = PersonItem(member.person)
        name = member.nickname.map { oneLine($0, limit: 50) } ?? person.name
        isOwn = member.person.key == own
        picture = member.picture.map { CirclePictureItem($0) }
        (isAdmin, isLeaving, isMuted) = (member.isAdmin, member.isLeaving, member.person.isMuted)
        place = member.place.map { PlaceItem($0, member.whyOld, freshUntil: member.freshUntil) }
        whyNone =
            if member.place != nil {
                ""
            } else {
                isOwn && member.whyOld == .neverShared ? PlaceWords.notSharing : PlaceWords.stale(member.whyOld)
            }
        whereabouts = member.whereabouts.map { oneLine($0, limit: 60) }
    }
}

extension CircleMemberItem {
    /// Where they are, in words.
    ///
    /// - Parameter age: how old a place is, as people say it.
    public func placeWords(_ age: (Timestamp) -> String) -> String {
        guard let place else { return whyNone }
        let words = PlaceWords.whereabouts(
            places: whereabouts, age: age(place.sentAt), accuracy: place.accuracy, battery: place.battery,
            stale: place.words)
        return [words, placeDoubt].filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// Where somebody last said they are, as a screen shows it.
public struct PlaceItem: Hashable, Sendable {
    /// Degrees.
    public let latitude: Double, longitude: Double
    /// Metres around it.
    public let accuracy: Double
    /// When they were there.
    public let sentAt: Timestamp
    /// How full their battery is, 0 to 100.
    public let battery: Int?
    /// How fresh it is, as the map's script reads it: `fresh`, `old`, `paused`, `nofix`, `nonetwork`, `norelay`,
    /// `outofstep`.
    public let state: String
    /// Why it is old; empty while it is fresh.
    public let words: String
    /// Until when it stays fresh if nothing newer comes; nil for one that is not.
    public let freshUntil: Timestamp?

    init(_ place: LocationPayload, _ why: StaleReason?, freshUntil: Timestamp?) {
        self.freshUntil = why == nil ? freshUntil : nil
        (latitude, longitude, accuracy) = (place.latitude, place.longitude, place.accuracy)
        (sentAt, battery) = (place.moment, place.battery)
        (state, words) = (staleState(why), PlaceWords.stale(why))
    }
}

/// Why a place is old, in a word for the map's script.
private func staleState(_ why: StaleReason?) -> String {
    switch why {
    case nil: "fresh"
    case .paused: "paused"
    case .told(.noFix), .told(.noPermission), .neverShared, .here(.noFix), .here(.noPermission): "nofix"
    case .told(.noNetwork), .here(.noNetwork): "nonetwork"
    case .told(.noRelay), .here(.noRelay): "norelay"
    case .told(.outOfStep), .here(.outOfStep): "outofstep"
    case .told(nil), .silent: "old"
    }
}

/// Somebody who asks to join, as a screen shows them.
public struct CircleRequestItem: Hashable, Sendable, Identifiable {
    /// Who.
    public let person: PersonItem
    /// What they want to be called; empty if they do not say.
    public let name: String
    /// When the request came.
    public let moment: Timestamp
    /// Whether they are a member who is out of step.
    public let isReadmission: Bool
    /// Whether the account muted them: they stand folded, and nobody is told of them.
    public let isMuted: Bool

    public var id: PublicKey { person.key }

    init(_ request: CircleRequest) {
        person = PersonItem(request.person)
        name = oneLine(request.name ?? "", limit: 64)
        (moment, isReadmission, isMuted) = (request.arrivedAt, request.isReadmission, request.person.isMuted)
    }
}
