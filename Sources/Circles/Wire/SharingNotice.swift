internal import NostrClient
public import NostrCore
internal import NostrNIPs

/// What a member says of the sharing of their place, so that others know why a pin is old.
///
/// Ours; other programs have no such thing and do not show it. Shape: `{"type":"sharing","state":"on"}`,
/// `{"type":"sharing","state":"paused","until":<seconds>}` or `{"type":"sharing","state":"silent","why":<reason>}`,
/// with `ts` and `v`.
public enum SharingNotice: Hashable, Sendable {
    /// They share again.
    case on
    /// They paused, until a moment or until they say otherwise.
    case paused(until: Timestamp?)
    /// They mean to share and cannot; nil for a reason this version does not know.
    case silent(Reason?)

    /// Why there is no place to share.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The device does not know where it is.
        case noFix = "no_fix"
        /// The device may not tell.
        case noPermission = "no_permission"
        /// There was no network.
        case noNetwork = "no_network"
        /// There was a network, and no relay took the message.
        case noRelay = "no_relay"
        /// The member was out of step with the circle.
        case outOfStep = "out_of_step"
    }

    /// Reads a payload; nil for a state this version does not know.
    init?(_ payload: CirclePayload) {
        switch payload["state"]?.string {
        case "on": self = .on
        case "paused": self = .paused(until: payload["until"]?.moment)
        case "silent": self = .silent(payload["why"]?.string.flatMap(Reason.init))
        default: return nil
        }
    }

    /// The fields of the payload.
    var fields: [(String, JSONValue)] {
        switch self {
        case .on: [("state", .string("on"))]
        case .paused(let until):
            [("state", .string("paused"))] + (until.map { [("until", .number(String($0.seconds)))] } ?? [])
        case .silent(let why):
            [("state", .string("silent"))] + (why.map { [("why", .string($0.rawValue))] } ?? [])
        }
    }
}
