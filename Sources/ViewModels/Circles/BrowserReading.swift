internal import Location
internal import NostrClient
public import NostrCore

/// Where a browser says its device is, or why it cannot say.
public struct BrowserReading: Hashable, Sendable {
    let reading: LocationReading

    /// Takes a position a page sent.
    ///
    /// - Parameters:
    ///   - latitude: degrees, -90 to 90.
    ///   - longitude: degrees, -180 to 180.
    ///   - accuracy: metres around it.
    ///   - altitude: metres above the ellipsoid, if known.
    ///   - moment: when it was measured.
    ///   - battery: 0 to 100, if known.
    /// - Returns: nil for what is no place on Earth.
    public init?(
        latitude: Double, longitude: Double, accuracy: Double, altitude: Double?, moment: Timestamp, battery: Int?
    ) {
        guard
            let fix = try? Fix(
                latitude: latitude, longitude: longitude, accuracy: accuracy, moment: moment, altitude: altitude,
                battery: battery)
        else { return nil }
        reading = .fix(fix)
    }

    /// Takes why there is none, in the page's word; nil for a word it does not have.
    public init?(failure word: String) {
        switch word {
        case "denied": reading = .failure(.notAllowed)
        case "unavailable", "timeout": reading = .failure(.noFix)
        default: return nil
        }
    }
}
