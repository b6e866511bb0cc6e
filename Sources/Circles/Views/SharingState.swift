public import Location
public import NostrClient
public import NostrCore

/// How the account's place is shared with one circle.
public struct SharingState: Hashable, Sendable {
    /// How it is shared, or would be.
    public var settings: SharingSettings
    /// Whether it is shared; a pause is in the settings.
    public var isOn: Bool
    /// When a relay last took a place; nil before the first, and where only the reason was told since that there is none.
    public var toldAt: Timestamp?
    /// Whether a relay ever took a place.
    public var hasSent = false
    /// Whether something of it, a place or a word about it, is on its way or waits for a relay.
    public var isBusy = false
    /// How many positions wait to be sent.
    public var waiting: Int
    /// Why nothing can be told now; nil while all is well, and while it is not shared.
    public var trouble: SharingTrouble?
    /// How often a position is of use now; nil when none is.
    public var look: Duration?

    /// How sharing stands now; `toldAt` is `nil` while nothing was sent, however long sharing has been on.
    public init(
        settings: SharingSettings, isOn: Bool, toldAt: Timestamp? = nil, waiting: Int = 0,
        trouble: SharingTrouble? = nil, look: Duration? = nil
    ) {
        (self.settings, self.isOn, self.toldAt, self.waiting) = (settings, isOn, toldAt, waiting)
        (self.trouble, self.look) = (trouble, look)
    }

    /// Until when it rests: nil while it does not, and where it rests until it is taken back.
    public var pausedUntil: Timestamp? {
        if case .until(let moment) = settings.pause { moment } else { nil }
    }
}

/// Something about a member that this program noticed by itself; nobody else learns of it.
public struct CircleNotice: Hashable, Sendable {
    /// What.
    public enum Body: Hashable, Sendable {
        /// They came to a place of this name.
        case arrived(String)
        /// They left a place of this name.
        case left(String)
        /// Their battery has fallen to this many percent.
        case batteryLow(Int)
    }

    /// Who.
    public var person: Person
    /// What they call themselves in the circle.
    public var nickname: String?
    /// What.
    public var body: Body
    /// When: the moment of the position that told it.
    public var at: Timestamp

    /// Something to tell the account's owner; `nickname` is what the person is called in that circle.
    public init(person: Person, nickname: String?, body: Body, at: Timestamp) {
        (self.person, self.nickname, self.body, self.at) = (person, nickname, body, at)
    }
}
