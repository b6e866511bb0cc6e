internal import CLibPQ
internal import Foundation

/// One connection, used by one thread; every wait has a deadline.
///
/// libpq works without blocking here, so that a server that says nothing cannot hold the thread.
@safe final class PostgresConnection {
    private let handle: OpaquePointer
    /// Whether it can be used no more.
    private(set) var isBroken = false

    /// Connects.
    ///
    /// - Parameter address: a `postgres://` address or a list of libpq's keywords.
    /// - Throws: ``PostgresFailure``.
    init(address: String, deadline: ContinuousClock.Instant) throws(PostgresFailure) {
        // Parsed apart, because what libpq says of a bad address may repeat it with its password.
        guard let options = unsafe PQconninfoParse(address, nil) else { throw .badAddress }
        unsafe PQconninfoFree(options)
        guard let started = unsafe Self.start(address) else { throw .unreachable("no memory") }
        unsafe handle = started
        unsafe PQsetNoticeProcessor(started, { _, _ in }, nil)
        do throws(PostgresFailure) {
            try connect(by: deadline)
        } catch {
            isBroken = true
            throw error
        }
        _ = unsafe PQsetnonblocking(started, 1)
    }

    deinit {
        unsafe PQfinish(handle)
    }

    private static func start(_ address: String) -> OpaquePointer? {
        // `dbname` is expanded when it holds an address; the other keywords give way to what stands in it.
        let keywords = ["fallback_application_name", "dbname"]
        let values = ["linnet", address]
        return unsafe withCStrings(keywords) { keywords in
            unsafe withCStrings(values) { values in unsafe PQconnectStartParams(keywords, values, 1) }
        }
    }

    private func connect(by deadline: ContinuousClock.Instant) throws(PostgresFailure) {
        var step = PGRES_POLLING_WRITING
        while true {
            guard unsafe PQstatus(handle) != CONNECTION_BAD else { throw unreachable }
            switch step {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_FAILED: throw unreachable
            case PGRES_POLLING_READING: try wait(for: POLLIN, until: deadline)
            default: try wait(for: POLLOUT, until: deadline)
            }
            step = unsafe PQconnectPoll(handle)
        }
    }

    private var unreachable: PostgresFailure {
        let message = unsafe PQerrorMessage(handle).map { unsafe String(cString: $0) } ?? ""
        return .unreachable(message.split(separator: "\n").first.map(String.init) ?? "no reason given")
    }

    // MARK: - Statements

    /// Runs one statement.
    ///
    /// - Throws: ``PostgresFailure``; after a missed deadline the connection is broken.
    @discardableResult
    func run(
        _ sql: String, _ parameters: [PostgresValue] = [], until deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> PostgresRows {
        do throws(PostgresFailure) {
            try send(sql, parameters)
            while true {
                let left = unsafe PQflush(handle)
                if left == 0 { break }
                guard left == 1 else { throw .broken }
                try wait(for: POLLIN | POLLOUT, until: deadline)
                guard unsafe PQconsumeInput(handle) == 1 else { throw .broken }
            }
            return try results(until: deadline)
        } catch {
            if error == .timedOut || error == .broken { isBroken = true }
            if unsafe PQstatus(handle) != CONNECTION_OK {
                isBroken = true
                throw .broken
            }
            throw error
        }
    }

    private func send(_ sql: String, _ parameters: [PostgresValue]) throws(PostgresFailure) {
        let encoded = parameters.map(\.encoded)
        // One buffer with a zero behind each value, so that all can be pointed into.
        var offsets: [Int] = []
        var buffer: [UInt8] = []
        for value in encoded {
            offsets.append(buffer.count)
            buffer += value
            buffer.append(0)
        }
        let sent = unsafe buffer.withUnsafeBytes { bytes -> Int32 in
            let base = unsafe bytes.bindMemory(to: CChar.self).baseAddress
            let values = unsafe offsets.map { offset in unsafe base.map { unsafe $0 + offset } }
            return unsafe PQsendQueryParams(
                handle, sql, Int32(parameters.count), parameters.map(\.type), values, encoded.map { Int32($0.count) },
                parameters.map { $0.isBinary ? 1 : 0 }, 1)
        }
        guard sent == 1 else { throw .broken }
    }

    /// Reads all results of a statement; the last that holds something is returned.
    private func results(until deadline: ContinuousClock.Instant) throws(PostgresFailure) -> PostgresRows {
        var rows = PostgresRows()
        var failure: PostgresFailure?
        while true {
            while unsafe PQisBusy(handle) == 1 {
                try wait(for: POLLIN, until: deadline)
                guard unsafe PQconsumeInput(handle) == 1 else { throw .broken }
            }
            guard let result = unsafe PQgetResult(handle) else { break }
            defer { unsafe PQclear(result) }
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: unsafe rows = Self.copy(result)
            default: unsafe failure = .refused(state: Self.state(of: result))
            }
        }
        if let failure { throw failure }
        return rows
    }

    private static func copy(_ result: OpaquePointer) -> PostgresRows {
        var copied = PostgresRows()
        let columns = unsafe PQnfields(result)
        for row in unsafe 0..<PQntuples(result) {
            copied.rows.append(
                (0..<columns).map { column in
                    guard unsafe PQgetisnull(result, row, column) == 0,
                        let value = unsafe PQgetvalue(result, row, column)
                    else { return nil }
                    let length = Int(unsafe PQgetlength(result, row, column))
                    return unsafe [UInt8](UnsafeRawBufferPointer(start: value, count: length))
                })
        }
        if let affected = unsafe PQcmdTuples(result) { copied.affected = unsafe Int(String(cString: affected)) ?? 0 }
        return copied
    }

    private static func state(of result: OpaquePointer) -> String {
        // PG_DIAG_SQLSTATE; a macro of a character that is not imported.
        guard let state = unsafe PQresultErrorField(result, Int32(UInt8(ascii: "C"))) else { return "none" }
        return unsafe String(cString: state)
    }

    // MARK: - Waiting

    private func wait(for events: Int32, until deadline: ContinuousClock.Instant) throws(PostgresFailure) {
        while true {
            let left = ContinuousClock.now.duration(to: deadline)
            guard left > .zero else { throw .timedOut }
            let socket = unsafe PQsocket(handle)
            guard socket >= 0 else { throw .broken }
            var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
            let milliseconds = Int32(min(left / .milliseconds(1), 60_000).rounded(.up))
            let ready = unsafe poll(&entry, 1, milliseconds)
            if ready > 0 { return }
            guard ready == 0 || errno == EINTR else { throw .broken }
        }
    }
}

/// Lends texts as an array of C strings that ends with a null.
private func withCStrings<R>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R
) -> R {
    let copies = unsafe texts.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    let pointers = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
    return unsafe pointers.withUnsafeBufferPointer { buffer in
        guard let base = buffer.baseAddress else { preconditionFailure("an array with a null in it is not empty") }
        return unsafe body(base)
    }
}
