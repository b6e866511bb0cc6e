internal import FoundationEssentials
public import NostrCore

/// What the Geolocation API of a browser gives to a page, as the page sends it on.
///
/// Shape: JSON of at most 4096 bytes; either a `GeolocationPosition` (`coords` with `latitude`, `longitude`, `accuracy`
/// and perhaps `altitude`, `speed`; `timestamp` in milliseconds) or a `GeolocationPositionError` (`code`: 1 is refused,
/// 2 unavailable, 3 too late). Our own page adds `battery`, the `level` of the Battery Status API, 0…1. Source: W3C
/// Geolocation.
public struct BrowserPosition: Hashable, Sendable {
    /// What it says: a position, or why there is none.
    public let reading: LocationReading

    static let longest = 4096

    /// Reads what a page sent.
    ///
    /// - Parameters:
    ///   - json: the bytes.
    ///   - now: a position from later than this is dated now; so is one without a date.
    /// - Returns: `nil` for what is neither a position nor an error; a position whose numbers are out of range is
    ///   ``LocationFailure/noFix``.
    public init?(json: [UInt8], now: Timestamp) {
        guard json.count <= Self.longest, isShallowJSON(json, depth: 8),
            // What is wrong with the bytes is of no use to anybody here.
            let message = try? JSONDecoder().decode(Message.self, from: Data(json))
        else { return nil }
        if let code = message.code {
            guard let failure = Self.failure(code: code) else { return nil }
            reading = .failure(failure)
        } else if let coords = message.coords {
            reading = LocationReading { () throws(FixProblem) in
                try Fix(
                    latitude: coords.latitude, longitude: coords.longitude, accuracy: coords.accuracy,
                    moment: Self.moment(message.timestamp, now: now), altitude: coords.altitude, speed: coords.speed,
                    battery: message.battery.flatMap(percent(ofLevel:)))
            }
        } else {
            return nil
        }
    }

    /// What an error code means; `nil` for a code the specification does not have.
    public static func failure(code: Int) -> LocationFailure? {
        switch code {
        case 1: .notAllowed
        case 2, 3: .noFix
        default: nil
        }
    }

    private static func moment(_ milliseconds: Double?, now: Timestamp) -> Timestamp {
        let latest = Double(Fix.moments.upperBound.seconds)
        guard let seconds = milliseconds.map({ $0 / 1000 }), seconds >= 0, seconds <= latest else { return now }
        return min(Timestamp(seconds: Int64(seconds)), now)
    }

    private struct Message: Decodable {
        struct Coords: Decodable {
            let latitude: Double
            let longitude: Double
            let accuracy: Double
            let altitude: Double?
            let speed: Double?
        }

        let coords: Coords?
        let timestamp: Double?
        let code: Int?
        let battery: Double?
    }
}

/// Whole percent of a level of 0…1; `nil` outside.
func percent(ofLevel level: Double) -> Int? {
    (0...1).contains(level) ? Int((level * 100).rounded()) : nil
}
