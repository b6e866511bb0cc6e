internal import Circles
internal import Location
internal import NostrClient
public import NostrCore

/// What a map of a circle shows besides where its members are.
public struct CircleMapItem: Hashable, Sendable {
    /// How the account's place is shared.
    public let sharing: SharingItem
    /// The places that are watched.
    public let places: [NamedPlaceItem]
    /// Who came and left, newest first.
    public let notices: [CircleNoticeItem]
    /// How many days of trails are kept; nil for none.
    public let trailDays: Int?
    /// Where members have been: degrees north and east, oldest first.
    public let trails: [PublicKey: [[Double]]]

    init(_ circles: AccountCircles, _ id: CircleID, own: PublicKey, members: [PublicKey]) async throws {
        sharing = SharingItem(try await circles.sharing.state(in: id))
        places = try await circles.places.named(in: id).map { NamedPlaceItem($0) }
        notices = try await circles.places.notices(in: id).map { CircleNoticeItem($0, own: own) }
        trailDays = try await circles.places.trailDays(in: id)
        var trails: [PublicKey: [[Double]]] = [:]
        if trailDays != nil {
            for member in members {
                guard let trail = try await circles.places.trail(of: member, in: id) else { continue }
                let points = trail.thinned(toWithin: 25).suffix(Self.longestTrail)
                trails[member] = points.map { [$0.place.latitude, $0.place.longitude] }
            }
        }
        self.trails = trails
    }

    private static let longestTrail = 300
}

/// How the account's place is shared with a circle, as a screen shows it.
public struct SharingItem: Hashable, Sendable {
    /// Whether it is shared; it may rest all the same.
    public let isOn: Bool
    /// Whether sharing rests.
    public let isResting: Bool
    /// Until when it rests; nil where it does not, or rests until it is taken back.
    public let restsUntil: Timestamp?
    /// Seconds between two places while moving.
    public let interval: Int
    /// Metres to which a place is blurred; nil for as exactly as it is.
    public let blur: Int?
    /// How often a position is of use now, in seconds; nil when none is.
    public let look: Int?
    /// When a relay last took a place.
    public let toldAt: Timestamp?
    /// What became of the place so far, where no moment can be given; empty where one can.
    public let sent: String
    /// Whether the battery goes first.
    public let isLowPower: Bool
    /// Whether places that could not be sent follow later.
    public let keepsTrail: Bool
    /// Whether the circle is told why there is no place.
    public let tellsWhy: Bool
    /// Percent below which the circle is told of the battery at once; nil for never.
    public let lowBattery: Int?
    /// How many places wait to be sent.
    public let waiting: Int
    /// Why nothing can be told now; empty while all is well.
    public let trouble: String

    /// The intervals to choose from, in seconds.
    public static let intervals = SharingInterval.choices.map(\.seconds)
    /// The blurs to choose from, in metres.
    public static let blurs = [10, 50, 200, 1000, 5000]
    /// The charges to choose from below which the circle is told at once, in percent.
    public static let lowBatteries = [10, 15, 20, 30]

    init(_ state: SharingState) {
        (isOn, restsUntil, toldAt, waiting) = (state.isOn, state.pausedUntil, state.toldAt, state.waiting)
        sent = state.toldAt == nil ? PlaceWords.sent(isBefore: state.hasSent) : ""
        (isLowPower, keepsTrail) = (state.settings.isLowPower, state.settings.keepsTrail)
        (tellsWhy, lowBattery) = (state.settings.tellsWhy, state.settings.lowBattery)
        isResting = state.settings.pause != .none
        interval = state.settings.interval.seconds
        blur = state.settings.blur.map { Int($0) }
        look = state.look.map { Int($0.components.seconds) }
        trouble = state.trouble.map { PlaceWords.ownTrouble($0) } ?? ""
    }
}

/// A place that is watched, as a screen shows it.
public struct NamedPlaceItem: Hashable, Sendable, Identifiable {
    /// What it is known by.
    public let id: String
    /// What it is called.
    public let name: String
    /// Degrees.
    public let latitude: Double, longitude: Double
    /// Metres.
    public let radius: Int

    init(_ place: NamedPlace) {
        (id, name) = (place.id, oneLine(place.name, limit: 60))
        (latitude, longitude) = (place.centre.latitude, place.centre.longitude)
        radius = Int(place.radius)
    }
}

/// Something Linnet noticed about a member, as a screen shows it.
public struct CircleNoticeItem: Hashable, Sendable {
    /// What, in one sentence.
    public let sentence: String
    /// When.
    public let at: Timestamp

    init(_ notice: CircleNotice, own: PublicKey) {
        let name = notice.nickname.map { oneLine($0, limit: 50) } ?? PersonItem(notice.person).name
        let who = ConversationWords.author(isOwn: notice.person.key == own, name)
        sentence = CircleWords.notice(notice.body, who: who)
        at = notice.at
    }
}
