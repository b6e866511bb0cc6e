internal import Location
internal import NostrClient
internal import NostrCore

/// A place that no relay has taken, with the events that tell it.
///
/// An event uses up a key of its sender's ratchet for good, and receivers skip only so many in one epoch (RFC 9420
/// §9.1; 1000 here and in MDK). A relay that refuses everybody for a week must not use them up. So the same events are
/// offered again and again, also after a restart. New ones are made for a newer place, but after longer and longer
/// pauses, and then a single one, to knock with; once a relay takes what was made, the newest place follows at once.
///
/// While nobody takes anything, an epoch thus costs at most the messages of one place (``SharedPlace/mostTrail`` and
/// two), 8 more in the first eight and a half hours, and 6 a day after that.
struct UnsentPlace: Codable, Hashable, Sendable {
    /// What was to be told.
    private(set) var place: SharedPlace
    /// The epoch in which it was encrypted; members of another may not be able to read it.
    let epoch: UInt64
    /// The events as JSON, in the order of what they say; fewer than the place has messages for one to knock with.
    private var texts: [String]
    /// When the last event for another place was made.
    private var madeAt: Int64
    /// How often in a row one was made that nobody took.
    private var makings: Int

    private static let firstPause: Duration = .seconds(120)
    private static let longestPause: Duration = .seconds(4 * 3600)

    /// Takes events that were made for a place and not taken.
    ///
    /// - Parameter earlier: what was not taken before.
    init(_ place: SharedPlace, epoch: UInt64, events: [Event], now: Timestamp, after earlier: UnsentPlace?) {
        (self.place, self.epoch) = (place, epoch)
        texts = events.map { String(decoding: $0.json, as: UTF8.self) }
        (madeAt, makings) = (now.seconds, 1)
        guard let earlier, earlier.epoch == epoch else { return }
        makings = min(earlier.makings + 1, 16)
        // Offered again, or more of the same place: the pause has been running since the first.
        if earlier.tells(place) { (madeAt, makings) = (earlier.madeAt, earlier.makings) }
    }

    /// The events, or nil if one is damaged.
    var events: [Event]? {
        let events = texts.compactMap { try? Event(verifying: UnverifiedEvent(json: Array($0.utf8))) }
        return events.count == texts.count && !events.isEmpty ? events : nil
    }

    /// Whether the events tell a place, all of it or its first part.
    func tells(_ other: SharedPlace) -> Bool { Self.undated(place) == Self.undated(other) }

    /// Whether a newer place may be told with a new event, though nobody has taken these.
    func mayGiveWay(now: Timestamp) -> Bool {
        let pause = min(Self.firstPause * (1 << (max(makings, 1) - 1)), Self.longestPause)
        // A clock that was put back makes nobody wait longer.
        let madeAt = Timestamp(seconds: self.madeAt)
        return now >= madeAt + pause || now < madeAt
    }

    /// Only when it was handed out is another moment each time.
    private static func undated(_ place: SharedPlace) -> SharedPlace {
        var place = place
        place.sentAt = place.fix.moment
        return place
    }
}
