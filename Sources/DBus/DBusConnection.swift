internal import AsyncPrimitives

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A connection to a message bus, for one caller at a time.
///
/// Nothing is read but while somebody waits for an answer or a signal: no work of its own runs behind it. What breaks
/// the rules, a call that is not answered in time, and a caller who is cancelled end it. Source: D-Bus Specification.
actor DBusConnection {
    /// How long things may take.
    struct Patience: Sendable {
        /// For the connection to stand.
        var opening = Duration.seconds(10)
        /// For an answer; what the reference implementation waits too.
        var answer = Duration.seconds(25)
    }

    /// The most signals that are kept until they are asked for; the oldest go first.
    private static let mostSignals = 16
    private static let bus = "org.freedesktop.DBus"

    private let socket: StreamSocket
    private let patience: Patience
    private let clock: any Clock<Duration>
    private var input = DBusInput()
    private var lastSerial: UInt32 = 0
    private var signals: [DBusMessage] = []

    /// Connects to the first bus of an address that answers, and says hello.
    ///
    /// - Throws: ``DBusProblem/noBus``, ``DBusProblem/refused``, ``DBusProblem/noReply``, ``DBusProblem/malformed``.
    static func open(
        _ address: String, patience: Patience = Patience(), clock: any Clock<Duration> = ContinuousClock()
    ) async throws(DBusProblem) -> DBusConnection {
        for path in DBusAddress.socketPaths(address) {
            // The next address is tried; whether one answered is what counts.
            guard path.utf8.count < 104,
                let socket = try? await StreamSocket(to: .unix(path: path), within: patience.opening)
            else { continue }
            let connection = DBusConnection(socket, patience: patience, clock: clock)
            try await connection.inTime(patience.opening) { try await $0.greet() }
            _ = try await connection.call(Self.bus, "/org/freedesktop/DBus", Self.bus, "Hello")
            return connection
        }
        throw .noBus
    }

    private init(_ socket: StreamSocket, patience: Patience, clock: any Clock<Duration>) {
        self.socket = socket
        self.patience = patience
        self.clock = clock
    }

    /// Calls a method and waits for its answer.
    ///
    /// - Parameter deadline: other than the ordinary one, for what asks a person.
    /// - Returns: the answer; its sender is who really answered.
    /// - Throws: ``DBusProblem``; after any but ``DBusProblem/error(_:)`` the connection is at its end.
    func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ body: [DBusValue] = [],
        within deadline: Duration? = nil
    ) async throws(DBusProblem) -> DBusMessage {
        let call = message(destination, path, interface, member, body)
        let answer = try await inTime(deadline ?? patience.answer) { connection in
            try await connection.send(call)
            return try await connection.answer(to: call.serial)
        }
        if answer.kind == .error { throw .error(answer.errorName ?? "") }
        return answer
    }

    /// Calls a method whose answer nobody waits for.
    func notify(_ destination: String, _ path: String, _ interface: String, _ member: String) async throws(DBusProblem)
    {
        var call = message(destination, path, interface, member, [])
        call.flags = DBusMessage.noReplyExpected
        try await inTime(patience.answer) { [call] in try await $0.send(call) }
    }

    /// Asks the bus for the signals of a rule.
    func match(_ rule: String) async throws(DBusProblem) {
        _ = try await call(Self.bus, "/org/freedesktop/DBus", Self.bus, "AddMatch", [.string(rule)])
    }

    /// Waits for the next signal, as long as it takes.
    ///
    /// - Throws: ``DBusProblem/gone``, ``DBusProblem/malformed``.
    func signal() async throws(DBusProblem) -> DBusMessage {
        while signals.isEmpty { keep(try await next()) }
        return signals.removeFirst()
    }

    /// Closes it.
    func close() async { await socket.close() }

    // MARK: - Speaking

    private func greet() async throws(DBusProblem) {
        try await send(DBusAuthentication.opening(user: getuid()))
        while true {
            if let line = try input.line() {
                guard DBusAuthentication.isAccepted(line) else { throw .refused }
                return try await send(DBusAuthentication.begin)
            }
            input.append(try await receive())
        }
    }

    private func message(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ body: [DBusValue]
    ) -> DBusMessage {
        // Zero is no serial; after four thousand million of them they begin again.
        lastSerial = lastSerial == .max ? 1 : lastSerial + 1
        var message = DBusMessage(.methodCall, serial: lastSerial)
        (message.destination, message.path, message.interface) = (destination, path, interface)
        (message.member, message.body) = (member, body)
        return message
    }

    private func answer(to serial: UInt32) async throws(DBusProblem) -> DBusMessage {
        while true {
            let message = try await next()
            let isAnswer = message.kind == .methodReturn || message.kind == .error
            if isAnswer, message.replySerial == serial { return message }
            keep(message)
        }
    }

    private func keep(_ message: DBusMessage) {
        guard message.kind == .signal else { return }
        if signals.count >= Self.mostSignals { signals.removeFirst() }
        signals.append(message)
    }

    // MARK: - The socket

    private func next() async throws(DBusProblem) -> DBusMessage {
        while true {
            if let message = try input.message() { return message }
            input.append(try await receive())
        }
    }

    private func receive() async throws(DBusProblem) -> [UInt8] {
        do {
            if let bytes = try await socket.receive() { return bytes }
        } catch {
            // Broken or cancelled: it is at its end either way.
        }
        throw .gone
    }

    private func send(_ message: DBusMessage) async throws(DBusProblem) { try await send(message.bytes) }

    private func send(_ bytes: [UInt8]) async throws(DBusProblem) {
        do { try await socket.send(bytes) } catch { throw .gone }
    }

    /// Does something with a deadline; being late ends the connection.
    private func inTime<Value: Sendable>(
        _ deadline: Duration, _ work: @escaping @Sendable (isolated DBusConnection) async throws -> Value
    ) async throws(DBusProblem) -> Value {
        do {
            return try await withDeadline(deadline, on: clock, throwing: DBusProblem.noReply) { try await work(self) }
        } catch {
            if case .error? = error as? DBusProblem {} else { await socket.close() }
            throw error as? DBusProblem ?? .gone
        }
    }
}
