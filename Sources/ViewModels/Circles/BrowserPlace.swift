internal import NostrClient
public import NostrCore

/// Where a browser says its device is.
public struct BrowserPlace: Hashable, Sendable {
    let payload: LocationPayload

    /// Takes what a page sent.
    ///
    /// - Parameters:
    ///   - latitude: degrees, -90 to 90.
    ///   - longitude: degrees, -180 to 180.
    ///   - altitude: metres above the ellipsoid, if known.
    ///   - accuracy: metres around it.
    ///   - sentAt: when the page sent it.
    ///   - battery: 0 to 100, if known.
    ///   - interval: seconds until the page tells the next.
    /// - Returns: nil for what is no place on Earth.
    public init?(
        latitude: Double, longitude: Double, altitude: Double?, accuracy: Double, sentAt: Timestamp, battery: Int?,
        interval: Int
    ) {
        guard
            let payload = LocationPayload(
                latitude: latitude, longitude: longitude, altitude: altitude, accuracy: accuracy, sentAt: sentAt,
                battery: battery, interval: .seconds(Int64(interval)))
        else { return nil }
        self.payload = payload
    }
}
