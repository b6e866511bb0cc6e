internal import Location

/// What pages say about places: the account's own, and those of the members of its circles.
package enum PlaceWords {
    static let notOnEarth = "That is not a place on Earth."
    package static let sayWhere = "Say where the place is: latitude and longitude, as 52.5163 and 13.3777."
    package static let giveDegrees = "Give a latitude and a longitude in degrees, as in 52.5163 13.3777."
    package static let browserSaidNothing = "Your browser did not say where you are."
    package static let longPath = "That is too long for a path."

    /// Why a member's place is old; empty while it is fresh.
    static func stale(_ why: StaleReason?) -> String {
        switch why {
        case nil: ""
        case .paused: "sharing is paused"
        case .told(.noFix): "their device does not know where it is"
        case .told(.noPermission): "location is blocked on their device"
        case .told(.noNetwork): "they had no network"
        case .told(.noRelay): "no relay took it"
        case .told(.outOfStep): "they are not up to date"
        case .told(nil), .silent: "nothing newer came"
        case .neverShared: "is not sharing their location"
        case .here(.noNetwork): "you have no network"
        case .here(.noRelay): "no relay of the circle can be reached from here"
        case .here(.outOfStep): "you are not up to date"
        case .here(.noFix), .here(.noPermission): "this device does not know where it is"
        }
    }

    /// In place of your own place where none was ever sent.
    static let notSharing = "You are not sharing your location"

    /// Why the account's own place cannot be told now.
    static func ownTrouble(_ trouble: SharingTrouble) -> String {
        switch trouble {
        case .noFix: "This device does not know where it is."
        case .noPermission: "Location is blocked on this device."
        case .noNetwork: "There is no network; your place is sent when there is."
        case .noRelay: "No relay of this circle can be reached; your place is sent when one can."
        case .outOfStep: "You are not up to date with this circle."
        }
    }

    /// Where a member is, as the list beside the map says it.
    ///
    /// - Parameters:
    ///   - places: the named places they are at.
    ///   - age: how old the place is, as people say it.
    ///   - accuracy: metres.
    ///   - battery: 0 to 100, if known.
    ///   - stale: why the place is old; empty while it is fresh.
    static func whereabouts(places: [String], age: String, accuracy: Double, battery: Int?, stale: String) -> String {
        var words = places.map { "at \($0)" }
        words.append("\(age), within \(Int(min(accuracy, 1e7))) m")
        if let battery { words.append("battery \(battery) %") }
        if !stale.isEmpty { words.append(stale) }
        return words.joined(separator: ", ")
    }
}

// MARK: How a place is shared

extension PlaceWords {
    /// What became of the account's place, where there is no moment at which one was sent last.
    static func sent(isBefore: Bool) -> String {
        isBefore ? "Nothing newer has been sent." : "Nothing has been sent yet."
    }
    /// From which charge on the circle is told of the battery, as a choice.
    package static func lowBattery(_ percent: Int?) -> String { percent.map { "Below \($0) %" } ?? "Never" }
    /// How often keys are renewed, as a choice.
    package static func renewal(_ days: Int) -> String { days == 1 ? "Every day" : "Every \(days) days" }
    /// How often, behind "You share your place".
    package static func interval(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "every \(seconds) seconds"
        case 60: "every minute"
        case ..<3600: "every \(seconds / 60) minutes"
        default: "every hour"
        }
    }
    /// How exactly, behind "You share your place"; empty for as exactly as known.
    package static func blur(_ metres: Int?) -> String { metres.map { " to within \(length($0))" } ?? "" }
    /// How exactly, as a choice.
    package static func blurChoice(_ metres: Int?) -> String {
        metres.map { "To within \(length($0))" } ?? "As exactly as known"
    }
    /// For how long trails are kept, as a choice.
    package static func trailDays(_ days: Int?) -> String {
        days.map { $0 == 1 ? "For a day" : "For \($0) days" } ?? "No"
    }
    /// Where a member is, as a choice of where a named place is.
    package static func known(isOwn: Bool, _ name: String) -> String { isOwn ? "Where I am" : "Where \(name) is" }

    private static func length(_ metres: Int) -> String { metres < 1000 ? "\(metres) m" : "\(metres / 1000) km" }
}

// MARK: This machine's place

extension PlaceWords {
    /// What a choice of source is called, and what it means.
    package static func source(_ kind: PlaceSource.Sort) -> (label: String, hint: String) {
        switch kind {
        case .none: ("Only the page in the browser", "Your location is sent only while the map of a circle is open.")
        case .gpsd: ("gpsd", "A receiver on this machine or in your network; what it says travels unencrypted.")
        case .geoClue: ("GeoClue", "The location service of the desktop; it may ask you whether Linnet may.")
        case .track: ("A recorded track", "For trying things out: the track in a GPX file is followed again and again.")
        case .fixed: ("A place that does not move", "It is kept encrypted with your account.")
        }
    }

    /// What came of looking once, in one plain sentence that says what can be done.
    package static func outcome(_ outcome: PlaceOutcome, of source: PlaceSource) -> String {
        switch (source, outcome) {
        case (_, .found(let accuracy)): return "A position came, exact to \(metres(accuracy)) m."
        case (.gpsd(let address), .failed(.noDevice)):
            return "gpsd answers at \(address), but no receiver is attached to it."
        case (.gpsd(let address), .failed(.noFix)):
            return "gpsd answers at \(address), but its receiver does not know where it is yet; it needs open sky."
        case (.gpsd(let address), .failed): return "gpsd does not answer at \(address); is it running?"
        case (.gpsd(let address), .nothing):
            return "Something answers at \(address), but no position came; is it gpsd, and is its receiver on?"
        case (.geoClue, .failed(.notAllowed)):
            return "The desktop's location service says no: allow it in the desktop's privacy settings."
        case (.geoClue, .failed(.noDevice)): return "There is no location service (GeoClue) on this machine."
        case (.geoClue, .failed(.noFix)), (.geoClue, .nothing):
            return "The desktop's location service knows no place yet."
        case (.geoClue, .failed(.sourceGone)):
            return "The desktop's location service does not answer; it is asked again every minute."
        case (.track(let file), .failed(.noFix)): return "The track in \(file) has a gap here."
        case (.track(let file), _): return "\(file) cannot be read any more."
        case (.fixed, .failed(.notAllowed)):
            return "The entered place can be read only while the account is unlocked."
        case (.fixed, _): return "No place is entered for this account yet."
        }
    }

    private static func metres(_ number: Double) -> Int { Int(exactly: number.rounded(.up)) ?? 0 }
}
