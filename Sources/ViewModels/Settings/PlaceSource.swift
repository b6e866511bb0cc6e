public import Location
public import NostrClient

/// Where a person chose that this machine's own place comes from, beside the page in the browser.
public enum PlaceSource: Codable, Hashable, Sendable {
    /// gpsd, at a host and port as a person writes them.
    case gpsd(address: String)
    /// GeoClue, the location service of Linux desktops.
    case geoClue
    /// A recorded way in a GPX file of this machine, gone again and again.
    case track(file: String)
    /// A place that does not move; each account keeps its own, encrypted.
    case fixed
}

/// What reads this machine's place for its accounts.
public protocol MachinePlace: Sendable {
    /// Whether the desktop's location service can be chosen here.
    var offersGeoClue: Bool { get }
    /// Checks what can be checked before it is used: the form of an address, whether a file holds a way.
    ///
    /// - Throws: a ``Trouble`` that says what is wrong with it.
    func check(_ source: PlaceSource) async throws
    /// Reads from a source from now on, for every account; nil for the browser's page alone.
    func use(_ source: PlaceSource?) async
    /// Looks once where an account is by a source, for some seconds.
    func look(by source: PlaceSource, for account: any Account) async -> PlaceOutcome
}

/// What came of looking where one is; nothing of where that is.
public enum PlaceOutcome: Hashable, Sendable {
    /// A position, and how exact, in metres.
    case found(accuracy: Double)
    /// None, and why.
    case failed(LocationFailure)
    /// Nothing was said in time.
    case nothing
}

extension PlaceSource {
    /// What came of it, in one plain sentence that says what can be done.
    public func sentence(_ outcome: PlaceOutcome) -> String {
        switch (self, outcome) {
        case (_, .found(let accuracy)):
            return "A position came, exact to \(Self.metres(accuracy)) m."
        case (.gpsd(let address), .failed(.noDevice)):
            return "gpsd answers at \(address), but no receiver is attached to it."
        case (.gpsd(let address), .failed(.noFix)):
            return "gpsd answers at \(address), but its receiver does not know where it is yet; it needs open sky."
        case (.gpsd(let address), .failed):
            return "gpsd does not answer at \(address); is it running?"
        case (.gpsd(let address), .nothing):
            return "Something answers at \(address), but no position came; is it gpsd, and is its receiver on?"
        case (.geoClue, .failed(.notAllowed)):
            return "The desktop's location service says no: allow it in the desktop's privacy settings."
        case (.geoClue, .failed(.noDevice)):
            return "There is no location service (GeoClue) on this machine."
        case (.geoClue, .failed(.noFix)), (.geoClue, .nothing):
            return "The desktop's location service knows no place yet."
        case (.geoClue, .failed(.sourceGone)):
            return "The desktop's location service does not answer; it is asked again every minute."
        case (.track(let file), .failed(.noFix)):
            return "The way in \(file) has a gap here."
        case (.track(let file), _):
            return "\(file) cannot be read any more."
        case (.fixed, .failed(.notAllowed)):
            return "The entered place can be read only while the account is unlocked."
        case (.fixed, _):
            return "No place is entered for this account yet."
        }
    }

    private static func metres(_ number: Double) -> Int { Int(exactly: number.rounded(.up)) ?? 0 }
}
