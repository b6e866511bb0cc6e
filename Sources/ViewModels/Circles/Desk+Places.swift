internal import Circles
internal import Location
public import NostrClient
public import NostrCore

extension Desk {
    // One's own place

    /// Takes where a browser says one is, for all circles with which one's place is shared.
    public func read(_ reading: BrowserReading) async throws(Trouble) {
        try await circling { try await $0.sharing.receive(reading.reading) }
    }
    /// Shares one's place from now on, or differently.
    ///
    /// - Parameters:
    ///   - interval: seconds between two places while moving.
    ///   - blur: metres; nil for as exactly as it is.
    public func share(every interval: Int, blur: Int?, in id: CircleID) async throws(Trouble) {
        try await circling { circles in
            var settings = try await circles.sharing.state(in: id).settings
            settings.interval = SharingInterval(clamping: interval)
            settings.blur = blur.map { Double($0) }
            settings.pause = .none
            try await circles.sharing.share(settings, in: id)
        }
    }
    /// Lets sharing rest until a moment, or until it is taken back.
    public func pauseSharing(until moment: Timestamp?, in id: CircleID) async throws(Trouble) {
        try await circling { try await $0.sharing.pause(until: moment, in: id) }
    }
    /// Goes on sharing.
    public func resumeSharing(in id: CircleID) async throws(Trouble) {
        try await circling { try await $0.sharing.resume(in: id) }
    }
    /// Shares no more.
    public func stopSharing(in id: CircleID) async throws(Trouble) {
        try await circling { try await $0.sharing.stop(in: id) }
    }
    /// Sends one's place as soon as it is known.
    public func sendPlaceNow(in id: CircleID) async throws(Trouble) {
        try await circling { try await $0.sharing.sendNow(in: id) }
    }

    // This machine's place

    /// The place one entered for a machine that does not move, in degrees; nil for none.
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
            throw Trouble("That is no place on Earth.", canRetry: false)
        }
        try await circling { try await $0.sharing.setFixedPlace(place) }
    }
    /// Forgets the place of a machine that does not move.
    public func forgetFixedPlace() async throws(Trouble) {
        try await circling { try await $0.sharing.setFixedPlace(nil) }
    }
    /// Looks once where one is by a source.
    public func look(by source: PlaceSource, with place: any MachinePlace) async -> PlaceOutcome {
        await place.look(by: source, for: account)
    }

    // Others' places

    /// Names a place and watches who comes and leaves.
    ///
    /// - Parameter radius: metres.
    public func namePlace(
        _ name: String, latitude: Double, longitude: Double, radius: Double, in id: CircleID
    ) async throws(Trouble) {
        guard let centre = Coordinate(latitude: latitude, longitude: longitude) else {
            throw Trouble("That is no place on Earth.", canRetry: false)
        }
        try await circling {
            _ = try await $0.places.name(oneLine(name, limit: 60), centre: centre, radius: radius, in: id)
        }
    }
    /// Forgets a named place.
    public func forgetPlace(_ place: String, in id: CircleID) async throws(Trouble) {
        try await circling { try await $0.places.forget(place, in: id) }
    }
    /// Keeps where members have been for some days, or no more.
    public func keepTrails(days: Int?, in id: CircleID) async throws(Trouble) {
        try await circling { try await $0.places.keepTrails(days: days, in: id) }
    }

    private func circling(_ body: (AccountCircles) async throws -> Void) async throws(Trouble) {
        do { try await body(openCircles(account)) } catch { throw Trouble(error) }
    }
}
