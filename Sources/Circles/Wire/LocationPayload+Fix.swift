internal import Location
internal import NostrClient
internal import NostrCore

extension LocationPayload {
    /// A position as it is told.
    ///
    /// - Parameter moment: when it is sent; nil for the moment of the position, as for one of a trail, which no reader
    ///   must take for where somebody is.
    init?(_ fix: Fix, sentAt moment: Timestamp? = nil, interval: Duration? = nil, isStationary: Bool? = nil) {
        self.init(
            latitude: fix.place.latitude, longitude: fix.place.longitude, altitude: fix.altitude,
            accuracy: fix.accuracy, sentAt: max(moment ?? fix.moment, fix.moment), measuredAt: fix.moment,
            battery: fix.battery, interval: interval, isStationary: isStationary)
    }

    /// The position that was told; nil for one dated outside of what a position can have.
    var fix: Fix? {
        // A date of another age is the one thing of a payload that a position does not take.
        try? Fix(
            latitude: latitude, longitude: longitude, accuracy: min(accuracy, Coordinate.farthest), moment: moment,
            altitude: altitude, battery: battery)
    }
}

extension SharingNotice {
    /// A reason as it is told.
    init(_ why: ToldReason) {
        self =
            switch why {
            case .paused(let until): .paused(until: until)
            case .silent(let trouble): .silent(trouble.map(Reason.init))
            }
    }

    /// The reason that was told; nil where they share again.
    var why: ToldReason? {
        switch self {
        case .on: nil
        case .paused(let until): .paused(until: until)
        case .silent(let reason): .silent(reason.map(\.trouble))
        }
    }
}

extension SharingNotice.Reason {
    fileprivate init(_ trouble: SharingTrouble) {
        self =
            switch trouble {
            case .noFix: .noFix
            case .noPermission: .noPermission
            case .noNetwork: .noNetwork
            case .noRelay: .noRelay
            case .outOfStep: .outOfStep
            }
    }

    fileprivate var trouble: SharingTrouble {
        switch self {
        case .noFix: .noFix
        case .noPermission: .noPermission
        case .noNetwork: .noNetwork
        case .noRelay: .noRelay
        case .outOfStep: .outOfStep
        }
    }
}
