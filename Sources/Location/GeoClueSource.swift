public import AsyncPrimitives
public import NostrCore

/// The properties of a `Location` object of GeoClue, the location service of Linux desktops.
///
/// Source: D-Bus interface `org.freedesktop.GeoClue2.Location`.
public struct GeoClueLocation: Hashable, Sendable {
    /// Degrees.
    public var latitude: Double
    /// Degrees.
    public var longitude: Double
    /// Metres.
    public var accuracy: Double
    /// Metres; the smallest `Double` there is means unknown.
    public var altitude: Double
    /// Metres per second; negative means unknown.
    public var speed: Double
    /// Seconds since 1970 of `Timestamp`; `nil` where the service has none.
    public var seconds: UInt64?

    /// The properties of GeoClue's `Location` object, in its units; the defaults are its words for "not known".
    public init(
        latitude: Double, longitude: Double, accuracy: Double, altitude: Double = -.greatestFiniteMagnitude,
        speed: Double = -1, seconds: UInt64? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.altitude = altitude
        self.speed = speed
        self.seconds = seconds
    }

    /// The position; one without a date, or from later than now, is dated now.
    public func reading(now: Timestamp) -> LocationReading {
        let told = seconds.flatMap(Int64.init(exactly:)).map(Timestamp.init(seconds:))
        return LocationReading { () throws(FixProblem) in
            // Altitude and speed that mean "unknown" are out of range, and so left out.
            try Fix(
                latitude: latitude, longitude: longitude, accuracy: accuracy, moment: min(told ?? now, now),
                altitude: altitude, speed: speed)
        }
    }
}

/// Why GeoClue gives nothing.
public enum GeoClueProblem: Error, Hashable, Sendable {
    /// `org.freedesktop.DBus.Error.AccessDenied`: its agent or its configuration says no.
    case accessDenied
    /// There is no such service on the bus.
    case noService
    /// The bus or the service went away.
    case gone
}

/// A client object of GeoClue; what speaks D-Bus is an adapter's.
public protocol GeoClueClient: Sendable {
    /// Makes a client, sets its desktop id, its accuracy level and `TimeThreshold`, and starts it.
    func start(every interval: Duration) async throws(GeoClueProblem)
    /// Waits for the next `LocationUpdated`; ``GeoClueProblem/gone`` also when cancelled.
    func next() async throws(GeoClueProblem) -> GeoClueLocation
    /// Stops the client.
    func stop() async
}

/// GeoClue as a source; a service that is gone is tried again after a minute.
public struct GeoClueSource: LocationSource {
    private let makeClient: @Sendable () -> any GeoClueClient
    private let time: Time<Timestamp>

    /// The location service of a Linux desktop.
    ///
    /// - Parameters:
    ///   - time: what retries run on, and the date for positions without one or from later than now.
    ///   - client: makes a client object for each reader.
    public init(
        time: Time<Timestamp>, client: @escaping @Sendable () -> any GeoClueClient
    ) {
        makeClient = client
        self.time = time
    }

    public func readings(every interval: Duration) -> AsyncStream<LocationReading> {
        let watch = GeoClueWatch(makeClient(), every: max(interval, shortestRest), time: time)
        return AsyncStream(unfolding: { await watch.next() })
    }
}

/// One reader's client: it works only while the next reading is waited for.
private actor GeoClueWatch {
    private static let retry: Duration = .seconds(60)

    private let client: any GeoClueClient
    private let interval: Duration
    private let time: Time<Timestamp>
    private var isStarted = false
    private var lastFailure: LocationFailure?

    init(
        _ client: any GeoClueClient, every interval: Duration, time: Time<Timestamp>
    ) {
        self.client = client
        self.interval = interval
        self.time = time
    }

    func next() async -> LocationReading? {
        while !Task.isCancelled {
            do throws(GeoClueProblem) {
                if !isStarted {
                    if lastFailure != nil { await time.pause(for: Self.retry) }
                    try await client.start(every: interval)
                    isStarted = true
                }
                let reading = try await client.next().reading(now: time.now())
                lastFailure = nil
                return reading
            } catch {
                isStarted = false
                await client.stop()
                if Task.isCancelled { break }
                let failure = Self.failure(error)
                guard failure != lastFailure else { continue }
                lastFailure = failure
                return .failure(failure)
            }
        }
        await client.stop()
        return nil
    }

    private static func failure(_ problem: GeoClueProblem) -> LocationFailure {
        switch problem {
        case .accessDenied: .notAllowed
        case .noService: .noDevice
        case .gone: .sourceGone
        }
    }
}
