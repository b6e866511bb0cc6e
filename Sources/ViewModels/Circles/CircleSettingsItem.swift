internal import Circles
internal import NostrClient

/// What a person chose for one circle, as its settings page shows it.
public struct CircleSettingsItem: Hashable, Sendable {
    /// How the account's place is shared, or would be.
    public let sharing: SharingItem
    /// After how many days the account's keys in it are renewed.
    public let renewalDays: Int
    /// The links by which guests see where the account is.
    public let guests: [GuestLinkItem]

    /// The spans to choose from, in days.
    public static let renewals = [1, 3, 7, 14, 30]

    init(_ circles: AccountCircles, _ id: CircleID) async throws {
        sharing = SharingItem(try await circles.sharing.state(in: id))
        guests = try await circles.guests.links(in: id).map(GuestLinkItem.init)
        renewalDays = try await circles.administration.renewalDays(of: id)
    }
}

/// How a person wants their place shared with a circle, as a form says it.
public struct SharingChoice: Hashable, Sendable {
    /// Seconds between two places while moving.
    public var interval: Int
    /// Metres; nil for as exactly as it is.
    public var blur: Int?
    /// Whether the battery goes first.
    public var isLowPower = false
    /// Whether places that could not be sent follow later.
    public var keepsTrail = false
    /// Whether the circle is told why there is no place.
    public var tellsWhy = false
    /// Percent below which the circle is told of the battery at once; nil for never.
    public var lowBattery: Int?

    /// A choice of how often and how exactly; the rest is off.
    public init(interval: Int, blur: Int?) { (self.interval, self.blur) = (interval, blur) }
}
