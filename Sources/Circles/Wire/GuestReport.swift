internal import Location
internal import NostrCore
internal import NostrNIPs

/// What guests are told: where somebody is, or why nothing newer follows; nothing of the circle, its chat or its members.
///
/// Shape: JSON `{"v":1,"state","sent"}` with `state` one of `on`, `paused`, `silent` and `revoked`; where there is a place
/// also `lat`, `lon`, `acc` (metres) and `fix` (when they were there), and where it is promised `every`, the seconds to the
/// next. A paused report has no place, and `until` where the pause ends by itself.
enum GuestReport: Hashable, Sendable {
    /// A place, and whether the device has none newer.
    case place(LocationPayload, isSilent: Bool)
    /// Sharing rests.
    case paused(until: Timestamp?, at: Timestamp)
    /// The link was taken back.
    case revoked(at: Timestamp)

    /// What a circle was told, for guests: the place as the circle may know it, its battery and height left out.
    init?(_ shared: SharedPlace) {
        if case .paused(let until)? = shared.why {
            self = .paused(until: until, at: shared.sentAt)
            return
        }
        guard
            let place = LocationPayload(
                shared.fix, sentAt: shared.sentAt, interval: shared.interval, isStationary: nil)
        else { return nil }
        self = .place(place, isSilent: shared.why != nil)
    }

    var json: String {
        var members = [JSONMember("v", .number("1"))]
        switch self {
        case .place(let place, let isSilent):
            members += [
                JSONMember("state", .string(isSilent ? "silent" : "on")),
                JSONMember("lat", .number("\(place.latitude)")), JSONMember("lon", .number("\(place.longitude)")),
                JSONMember("acc", .number("\(place.accuracy)")), JSONMember("fix", Self.number(place.moment)),
                JSONMember("sent", Self.number(place.sentAt)),
            ]
            if let interval = place.interval {
                members.append(JSONMember("every", .number("\(interval.components.seconds)")))
            }
        case .paused(let until, let moment):
            members += [JSONMember("state", .string("paused")), JSONMember("sent", Self.number(moment))]
            if let until { members.append(JSONMember("until", Self.number(until))) }
        case .revoked(let moment):
            members += [JSONMember("state", .string("revoked")), JSONMember("sent", Self.number(moment))]
        }
        return JSONValue.object(members).text
    }

    private static func number(_ moment: Timestamp) -> JSONValue { .number("\(moment.seconds)") }
}
