public import AsyncPrimitives
public import NostrCore

/// Opens connections to gpsd; the socket behind it is an adapter's.
public protocol GPSDConnector: Sendable {
    /// Connects to gpsd, usually at port 2947 of this machine.
    func connect() async throws -> any GPSDConnection
}

/// One open connection to gpsd.
///
/// Releasing it closes it too.
public protocol GPSDConnection: Sendable {
    /// Sends bytes.
    func send(_ bytes: [UInt8]) async throws
    /// The next bytes that came; `nil` when gpsd has closed. Throws when cancelled.
    func receive() async throws -> [UInt8]?
    /// Closes the connection.
    func close() async
}

/// A receiver attached to a machine that runs gpsd.
///
/// Where a position is wanted once a minute or less often, the connection is closed in between: gpsd switches a
/// receiver off that nobody watches. A gpsd that is gone is tried again, after 1, 2, 4 … 64 seconds.
public struct GPSDSource: LocationSource {
    private let connector: any GPSDConnector
    private let time: Time<Timestamp>

    /// A receiver that gpsd watches.
    ///
    /// - Parameters:
    ///   - connector: opens the connection, again after each rest.
    ///   - time: what rests and retries run on, and the date for positions without one.
    public init(_ connector: any GPSDConnector, time: Time<Timestamp>) {
        self.connector = connector
        self.time = time
    }

    public func readings(every interval: Duration) -> AsyncStream<LocationReading> {
        let watch = GPSDWatch(connector, every: max(interval, shortestRest), time: time)
        return AsyncStream(unfolding: { await watch.next() })
    }
}

/// One reader's conversation with gpsd: it works only while the next reading is waited for.
private actor GPSDWatch {
    /// From here on it pays to close the connection in between.
    private static let restsFrom: Duration = .seconds(60)

    private let connector: any GPSDConnector
    private let interval: Duration
    private let time: Time<Timestamp>
    private var connection: (any GPSDConnection)?
    private var reports = GPSDReports()
    private var ready: [LocationReading] = []
    private var pauseFirst: Duration?
    private var failures = 0
    private var nextFix: Timestamp?

    init(
        _ connector: any GPSDConnector, every interval: Duration, time: Time<Timestamp>
    ) {
        self.connector = connector
        self.interval = interval
        self.time = time
    }

    func next() async -> LocationReading? {
        while !Task.isCancelled {
            if !ready.isEmpty { return ready.removeFirst() }
            if let pause = pauseFirst {
                pauseFirst = nil
                await time.pause(for: pause)
            } else if let connection {
                await read(connection)
            } else {
                await connect()
            }
        }
        await hangUp()
        return nil
    }

    private func connect() async {
        do {
            connection = try await connector.connect()
            reports = GPSDReports()
        } catch {
            lose()
        }
    }

    private func read(_ connection: any GPSDConnection) async {
        do {
            guard let bytes = try await connection.receive() else {
                await hangUp()
                return lose()
            }
            for action in reports.receive(bytes, now: time.now()) {
                switch action {
                case .send(let bytes): try await connection.send(bytes)
                case .reading(let reading): deliver(reading)
                }
            }
            if pauseFirst != nil { await hangUp() }
        } catch {
            await hangUp()
            lose()
        }
    }

    private func deliver(_ reading: LocationReading) {
        failures = 0
        guard case .fix = reading else { return ready.append(reading) }
        // A receiver tells once a second or more often; the newest of what came at once is enough.
        let moment = time.now()
        if let nextFix, moment < nextFix, moment >= nextFix - interval { return }
        nextFix = moment + interval
        ready = ready.filter { if case .fix = $0 { false } else { true } } + [reading]
        if interval >= Self.restsFrom { pauseFirst = interval }
    }

    /// Tells the first time, and waits longer each time.
    private func lose() {
        if failures == 0 { ready.append(.failure(.sourceGone)) }
        pauseFirst = .seconds(1 << min(failures, 6))
        failures = min(failures + 1, 7)
    }

    private func hangUp() async {
        let open = connection
        connection = nil
        await open?.close()
    }
}
