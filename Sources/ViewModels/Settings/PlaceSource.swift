public import Location
public import NostrClient
public import NostrCore

/// Where this machine's place comes from by a person's choice, beside the page in the browser.
public enum PlaceSource: Codable, Hashable, Sendable {
    /// gpsd, at a host and port as a person writes them.
    case gpsd(address: String)
    /// GeoClue, the location service of Linux desktops.
    case geoClue
    /// A recorded way in a GPX file of this machine, gone again and again.
    case track(file: String)
    /// A place that does not move, which the account keeps encrypted.
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
    /// Reads the place for an account from what its person has chosen by now.
    func placeSourceDidChange(of account: PublicKey) async
    /// Looks once where this machine is by a source, for some seconds.
    func look(by source: PlaceSource, for account: any Account) async -> PlaceOutcome
}

/// What came of looking where this machine is; nothing of where that is.
public enum PlaceOutcome: Hashable, Sendable {
    /// A position, and how exact, in metres.
    case found(accuracy: Double)
    /// None, and why.
    case failed(LocationFailure)
    /// Nothing was said in time.
    case nothing
}

extension PlaceSource {
    /// The sorts of source there are, and none, as a form names them.
    public enum Sort: String, Hashable, Sendable, CaseIterable {
        /// The page in the browser alone.
        case none
        /// As the sources of the same names.
        case gpsd, geoClue = "geoclue", track, fixed
    }
}
