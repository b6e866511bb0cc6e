internal import NostrClient
public import NostrCore
internal import NostrNIPs

/// Where a member says they are.
///
/// It is never written out by `print` or a log. Source: Whistle, "LocationPayload": `{"type":"location","lat","lon",
/// "alt","acc","ts","batt","interval","stationary","v":1}`, the last three but `v` only where known; `fix` is ours.
public struct LocationPayload: Hashable, Sendable {
    /// Degrees north of the equator, −90…90, to six decimals: 11 cm.
    public let latitude: Double
    /// Degrees east of Greenwich, −180…180, to six decimals.
    public let longitude: Double
    /// Metres above the sea, to one decimal; nil where unknown, for which 0 stands on the wire.
    public let altitude: Double?
    /// The radius in metres within which they are, to one decimal; never negative.
    public let accuracy: Double
    /// When it was sent (`ts`); the fix may be older.
    public let sentAt: Timestamp
    /// When they were there, in whole seconds (`fix`); nil where only the sending is known.
    ///
    /// Others pass over it. It is never later than ``sentAt``.
    public let measuredAt: Timestamp?
    /// How full the battery is, 0–100.
    public let battery: Int?
    /// How often they send, at least a second and at most 31 days.
    public let interval: Duration?
    /// Whether they stay where they are; nil where they do not say.
    public let isStationary: Bool?

    /// Takes a place, rounded to what is written; nil for one that is nowhere on Earth or has no accuracy.
    ///
    /// A battery, an interval or an altitude that cannot be is left out: the place counts all the same.
    public init?(
        latitude: Double, longitude: Double, altitude: Double? = nil, accuracy: Double, sentAt: Timestamp,
        measuredAt: Timestamp? = nil, battery: Int? = nil, interval: Duration? = nil, isStationary: Bool? = nil
    ) {
        // A comparison with what is no number is false, so these refuse it too.
        guard abs(latitude) <= 90, abs(longitude) <= 180, (0...1e8).contains(accuracy) else { return nil }
        self.latitude = Decimal(latitude, places: 6).value
        self.longitude = Decimal(longitude, places: 6).value
        let height = altitude.flatMap { abs($0) <= 1e6 ? Decimal($0, places: 1).value : nil }
        self.altitude = height == 0 ? nil : height
        self.accuracy = Decimal(accuracy, places: 1).value
        self.sentAt = sentAt
        self.measuredAt = measuredAt.flatMap { $0 < sentAt ? $0 : nil }
        self.battery = battery.flatMap { (0...100).contains($0) ? $0 : nil }
        let seconds = interval?.components.seconds
        self.interval = seconds.flatMap { (1...31 * 86_400).contains($0) ? .seconds($0) : nil }
        self.isStationary = isStationary
    }

    /// Reads a payload; nil without a place.
    ///
    /// - Parameter moment: when it was sent, if the payload does not say.
    init?(_ payload: CirclePayload, else moment: Timestamp) {
        guard let latitude = payload["lat"]?.real, let longitude = payload["lon"]?.real,
            let accuracy = payload["acc"]?.real
        else { return nil }
        self.init(
            latitude: latitude, longitude: longitude, altitude: payload["alt"]?.real, accuracy: accuracy,
            sentAt: payload.sentAt ?? moment, measuredAt: payload["fix"]?.moment,
            battery: payload["batt"]?.integer.flatMap { Int(exactly: $0) },
            interval: payload["interval"]?.integer.map { .seconds($0) }, isStationary: payload["stationary"]?.bool)
    }

    /// When they were there, as well as it is known.
    public var moment: Timestamp { measuredAt ?? sentAt }

    /// The content of the message, its fields in the order in which Whistle names them.
    var content: String {
        var fields: [(String, JSONValue)] = [
            ("lat", .number(Decimal(latitude, places: 6).text)), ("lon", .number(Decimal(longitude, places: 6).text)),
            ("alt", .number(Decimal(altitude ?? 0, places: 1).text)),
            ("acc", .number(Decimal(accuracy, places: 1).text)),
        ]
        if let battery { fields.append(("batt", .number(String(battery)))) }
        if let interval { fields.append(("interval", .number(String(interval.components.seconds)))) }
        if let isStationary { fields.append(("stationary", .bool(isStationary))) }
        if let measuredAt { fields.append(("fix", .number(String(measuredAt.seconds)))) }
        return CirclePayload.content("location", fields, sentAt: sentAt)
    }
}

extension LocationPayload: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says that it is a place, and not which.
    public var description: String { "a place" }
    /// Says that it is a place, and not which.
    public var debugDescription: String { description }
    /// Shows nothing of what is inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A number rounded to some decimals, whose text has no digits that mean nothing.
private struct Decimal {
    private let scaled: Int64
    private let places: Int

    /// Takes a number of at most 1e8 in size and at most six places.
    init(_ number: Double, places: Int) {
        let power = (0..<places).reduce(1.0) { power, _ in power * 10 }
        // The sizes are checked by whoever calls; what is not is nought rather than a trap.
        scaled = Int64(exactly: (number * power).rounded()) ?? 0
        self.places = places
    }

    /// The double nearest to it, which is also what a reader makes of the text.
    var value: Double {
        Double(scaled) / (0..<places).reduce(1.0) { power, _ in power * 10 }
    }

    var text: String {
        let digits = String(scaled.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = padded.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        let sign = scaled < 0 ? "-" : ""
        let whole = padded.dropLast(places)
        return fraction.isEmpty ? "\(sign)\(whole)" : "\(sign)\(whole).\(fraction)"
    }
}
