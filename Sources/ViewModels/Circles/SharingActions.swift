internal import Circles
internal import Location
public import NostrClient
public import NostrCore

/// What a person does about places: the account's own, this machine's, and named ones.
///
/// Every failure is a ``Trouble``.
public struct SharingActions: Sendable {
    private let account: any Account

    /// The places of an account.
    public init(of account: any Account) {
        self.account = account
    }

    // The account's place

    /// Takes where a browser says its device is, for all circles the account shares its place with.
    public func read(_ reading: BrowserReading) async throws(Trouble) {
        try await perform { try await $0.sharing.receive(reading.reading) }
    }
    /// Shares the account's place from now on, or differently.
    ///
    /// - Parameters:
    ///   - interval: seconds between two places while moving.
    ///   - blur: metres; nil for as exactly as it is.
    public func share(every interval: Int, blur: Int?, in id: CircleID) async throws(Trouble) {
        try await perform { circles in
            var settings = try await circles.sharing.state(in: id).settings
            settings.interval = SharingInterval(clamping: interval)
            settings.blur = blur.map { Double($0) }
            settings.pause = .none
            try await circles.sharing.share(settings, in: id)
        }
    }
    /// How the place is shared from now on, whenever it is.
    public func configure(_ choice: SharingChoice, in id: CircleID) async throws(Trouble) {
        try await perform { circles in
            var settings = try await circles.sharing.state(in: id).settings
            settings.interval = SharingInterval(clamping: choice.interval)
            settings.blur = choice.blur.map { Double($0) }
            settings.isLowPower = choice.isLowPower
            settings.keepsTrail = choice.keepsTrail
            settings.tellsWhy = choice.tellsWhy
            settings.lowBattery = choice.lowBattery
            try await circles.sharing.configure(settings, in: id)
        }
    }
    /// Lets sharing rest until a moment, or until it is taken back.
    public func pause(until moment: Timestamp?, in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.sharing.pause(until: moment, in: id) }
    }
    /// Goes on sharing.
    public func resume(in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.sharing.resume(in: id) }
    }
    /// Shares no more.
    public func stop(in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.sharing.stop(in: id) }
    }
    /// Sends the account's place as soon as it is known.
    public func sendNow(in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.sharing.sendNow(in: id) }
    }

    // This machine's place

    /// The place that was entered for a machine that does not move, in degrees; nil for none.
    public func fixedPlace() async throws(Trouble) -> (latitude: Double, longitude: Double)? {
        do {
            return try await openCircles(account).sharing.fixedPlace().map { ($0.latitude, $0.longitude) }
        } catch {
            throw Trouble(error)
        }
    }
    /// Keeps the place of a machine that does not move, encrypted.
    ///
    /// - Parameters:
    ///   - latitude: degrees.
    ///   - longitude: degrees.
    public func keepFixedPlace(latitude: Double, longitude: Double) async throws(Trouble) {
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
            throw Trouble(PlaceWords.notOnEarth, canRetry: false)
        }
        try await perform { try await $0.sharing.setFixedPlace(place) }
    }
    /// Forgets the place of a machine that does not move.
    public func forgetFixedPlace() async throws(Trouble) {
        try await perform { try await $0.sharing.setFixedPlace(nil) }
    }
    /// Looks once where this machine is by a source.
    public func look(by source: PlaceSource, with place: any MachinePlace) async -> PlaceOutcome {
        await place.look(by: source, for: account)
    }

    // Others' places

    /// Names a place and watches who comes and leaves.
    ///
    /// - Parameter radius: metres.
    public func name(
        _ name: String, latitude: Double, longitude: Double, radius: Double, in id: CircleID
    ) async throws(Trouble) {
        guard let centre = Coordinate(latitude: latitude, longitude: longitude) else {
            throw Trouble(PlaceWords.notOnEarth, canRetry: false)
        }
        try await perform {
            _ = try await $0.places.name(oneLine(name, limit: 60), centre: centre, radius: radius, in: id)
        }
    }
    /// Forgets a named place.
    public func forget(_ place: String, in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.places.forget(place, in: id) }
    }
    /// Keeps where members have been for some days, or no more.
    public func keepTrails(days: Int?, in id: CircleID) async throws(Trouble) {
        try await perform { try await $0.places.keepTrails(days: days, in: id) }
    }

    private func perform(_ body: (AccountCircles) async throws -> Void) async throws(Trouble) {
        do { try await body(await openCircles(account)) } catch { throw Trouble(error) }
    }
}
