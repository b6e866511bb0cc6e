internal import NostrStore

/// What went wrong with a connection or a statement.
enum PostgresFailure: Error, Equatable {
    /// The address of the database is none.
    case badAddress
    /// No connection came up; what libpq says of it, which names no password.
    case unreachable(String)
    /// No answer in time; the connection is given up.
    case timedOut
    /// The connection broke under a statement.
    case broken
    /// The server refused a statement, by its SQLSTATE.
    case refused(state: String)

    /// Whether the same work may go well on a fresh connection.
    var isBrokenConnection: Bool {
        switch self {
        case .broken: true
        // Class 08 is a connection failure, 57P01 to 57P03 a server that shuts down or comes up.
        case .refused(let state): state.hasPrefix("08") || ["57P01", "57P02", "57P03"].contains(state)
        case .badAddress, .unreachable, .timedOut: false
        }
    }

    /// Whether the same work may go well at once: others came between it.
    var isConflict: Bool {
        if case .refused(let state) = self { state == "40001" || state == "40P01" } else { false }
    }

    /// For callers of the registry.
    ///
    /// Source: PostgreSQL's manual, appendix A.
    var storeError: StoreError {
        switch self {
        case .badAddress: StoreError(.badAddress)
        case .unreachable(let why): StoreError(.unreachable, detail: why)
        case .timedOut: StoreError(.noAnswer)
        case .broken: StoreError(.connectionBroke)
        case .refused("53100"): StoreError(.diskFull)
        case .refused("25006"): StoreError(.readOnly)
        case .refused("55P03"), .refused("57014"): StoreError(.locked)
        case .refused(let state): StoreError(.io, detail: state)
        }
    }
}
