package import Location

/// A client object of GeoClue over D-Bus.
///
/// GeoClue drops a client when its connection to the bus goes, so one stays open from ``start(every:)`` on. Signals count
/// only from the sender that answered the calls, by the unique name that the bus writes. Source: D-Bus interfaces
/// `org.freedesktop.GeoClue2.Manager`, `org.freedesktop.GeoClue2.Client`, `org.freedesktop.GeoClue2.Location` and
/// `org.freedesktop.DBus.Properties`.
package actor DBusGeoClue: GeoClueClient {
    /// The service, on the system bus.
    static let service = "org.freedesktop.GeoClue2"
    /// What GeoClue's agents know this program by: the name of its desktop file.
    static let desktopID = "linnet"
    /// `GCLUE_ACCURACY_LEVEL_EXACT`.
    private static let exact: UInt32 = 8
    private static let client = "org.freedesktop.GeoClue2.Client"
    private static let location = "org.freedesktop.GeoClue2.Location"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let manager = "/org/freedesktop/GeoClue2/Manager"

    /// A client that stands.
    private struct Standing {
        let bus: DBusConnection
        /// Who speaks for the service, by unique name.
        let owner: String
        /// The client's object.
        let path: String
    }

    private let address: String
    private let patience: DBusConnection.Patience
    /// How long the service may take to start a client: its agent may ask the person.
    private let consent: Duration
    private var standing: Standing?

    /// A client on the bus at an address; nothing is connected before ``start(every:)``.
    package init(bus address: String) { self.init(bus: address, consent: .seconds(120)) }

    init(
        bus address: String, patience: DBusConnection.Patience = DBusConnection.Patience(), consent: Duration
    ) {
        self.address = address
        self.patience = patience
        self.consent = consent
    }

    /// Makes a client and starts it.
    package func start(every interval: Duration) async throws(GeoClueProblem) {
        await hangUp()
        do throws(DBusProblem) {
            let bus = try await DBusConnection.open(address, patience: patience)
            do throws(DBusProblem) {
                standing = try await Self.client(on: bus, every: interval, consent: consent)
            } catch {
                await bus.close()
                throw error
            }
        } catch {
            throw GeoClueProblem(error)
        }
    }

    /// Waits for the next position; where the service has none yet, as long as that takes.
    package func next() async throws(GeoClueProblem) -> GeoClueLocation {
        guard let standing else { throw .gone }
        do throws(DBusProblem) {
            while true {
                let signal = try await standing.bus.signal()
                if Self.isGoodbye(signal, of: standing.owner) { throw .gone }
                guard let path = Self.news(signal, to: standing) else { continue }
                if let location = try await Self.location(at: path, standing) { return location }
            }
        } catch {
            throw GeoClueProblem(error)
        }
    }

    /// Stops the client and closes the connection.
    package func stop() async {
        // A bus that is gone took the client with it.
        if let standing { try? await standing.bus.notify(standing.owner, standing.path, Self.client, "Stop") }
        await hangUp()
    }

    private func hangUp() async {
        let bus = standing?.bus
        standing = nil
        await bus?.close()
    }

    // MARK: - What is said

    private static func client(
        on bus: DBusConnection, every interval: Duration, consent: Duration
    ) async throws(DBusProblem) -> Standing {
        // Asked for first, so that a service that goes at once is noticed.
        try await bus.match(
            """
            type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',\
            arg0='\(service)'
            """)
        let made = try await bus.call(service, manager, "org.freedesktop.GeoClue2.Manager", "GetClient")
        guard case .objectPath(let path)? = made.body.first, let owner = made.sender else { throw .malformed }
        let seconds = UInt32(clamping: interval.components.seconds)
        let wishes: [(String, DBusValue)] = [
            ("DesktopId", .string(desktopID)), ("RequestedAccuracyLevel", .uint32(exact)),
            ("TimeThreshold", .uint32(seconds)),
        ]
        for (name, value) in wishes {
            _ = try await bus.call(
                owner, path, properties, "Set", [.string(client), .string(name), .variant(value)])
        }
        try await bus.match(
            "type='signal',sender='\(service)',interface='\(client)',member='LocationUpdated',path='\(path)'")
        _ = try await bus.call(owner, path, client, "Start", within: consent)
        return Standing(bus: bus, owner: owner, path: path)
    }

    /// Whether the bus tells that the service's owner is gone (`NameOwnerChanged`: name, old owner, new owner).
    private static func isGoodbye(_ signal: DBusMessage, of owner: String) -> Bool {
        signal.sender == "org.freedesktop.DBus" && signal.member == "NameOwnerChanged" && signal.body.count == 3
            && signal.body[0] == .string(service) && signal.body[1] == .string(owner)
    }

    /// The object of a new position (`LocationUpdated`: old, new); `/` is none.
    private static func news(_ signal: DBusMessage, to standing: Standing) -> String? {
        guard signal.sender == standing.owner, signal.path == standing.path, signal.interface == client,
            signal.member == "LocationUpdated", signal.body.count == 2, case .objectPath(let path) = signal.body[1],
            path != "/"
        else { return nil }
        return path
    }

    /// What an object says; `nil` for one that is gone by now, because a newer one has come.
    private static func location(at path: String, _ standing: Standing) async throws(DBusProblem) -> GeoClueLocation? {
        do throws(DBusProblem) {
            let answer = try await standing.bus.call(
                standing.owner, path, properties, "GetAll", [.string(location)])
            return answer.body.first?.properties.flatMap { GeoClueLocation($0) }
        } catch {
            // The service or the object that does not answer: which of both it is, the next signal tells.
            guard case .error = error else { throw error }
            return nil
        }
    }
}

extension GeoClueLocation {
    /// Reads the properties of `org.freedesktop.GeoClue2.Location`; `nil` without a position.
    init?(_ properties: [String: DBusValue]) {
        guard case .double(let latitude)? = properties["Latitude"],
            case .double(let longitude)? = properties["Longitude"],
            case .double(let accuracy)? = properties["Accuracy"]
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, accuracy: accuracy)
        if case .double(let altitude)? = properties["Altitude"] { self.altitude = altitude }
        if case .double(let speed)? = properties["Speed"] { self.speed = speed }
        // Seconds and microseconds since 1970; zero where the service does not know.
        if case .structure(let moment)? = properties["Timestamp"], case .uint64(let seconds)? = moment.first,
            seconds > 0
        {
            self.seconds = seconds
        }
    }
}

extension GeoClueProblem {
    /// What a failure on the bus means: names of `org.freedesktop.DBus.Error`.
    init(_ problem: DBusProblem) {
        switch problem {
        case .error("org.freedesktop.DBus.Error.AccessDenied"): self = .accessDenied
        case .noBus, .refused, .error("org.freedesktop.DBus.Error.ServiceUnknown"),
            .error("org.freedesktop.DBus.Error.NameHasNoOwner"):
            self = .noService
        case .error(let name) where name.hasPrefix("org.freedesktop.DBus.Error.Spawn."): self = .noService
        case .error, .malformed, .noReply, .gone: self = .gone
        }
    }
}
