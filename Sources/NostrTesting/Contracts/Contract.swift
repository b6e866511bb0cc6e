public import NostrCore
internal import Synchronization

/// One promise that every implementation of a port keeps; its text is the promise.
///
/// A test runs all of them as arguments: `@Test(arguments: EventStoreContract.rules)`.
public struct ContractRule<Subject: Sendable>: Sendable, CustomStringConvertible {
    /// The promise, as a sentence.
    public let description: String
    private let body: @Sendable (Subject, MovableMoment) async throws -> Void

    init(_ description: String, _ body: @escaping @Sendable (Subject, MovableMoment) async throws -> Void) {
        self.description = description
        self.body = body
    }

    /// Makes a fresh subject and checks the promise on it.
    ///
    /// - Parameter make: gives a subject that reads the time from the moment it is handed.
    /// - Throws: ``ContractBroken`` where the promise is not kept.
    public func check(_ make: (MovableMoment) async throws -> Subject) async throws {
        let moment = MovableMoment(Timestamp(seconds: 1_700_000_000))
        try await body(try await make(moment), moment)
    }
}

/// Where an implementation breaks a promise.
public struct ContractBroken: Error, CustomStringConvertible {
    /// What was expected, and what was found.
    public let description: String
}

/// The time of day as a test sets it.
public final class MovableMoment: Sendable {
    private let moment: Mutex<Timestamp>

    /// Stands at a moment.
    public init(_ start: Timestamp) {
        moment = Mutex(start)
    }

    /// The moment it stands at.
    public var now: Timestamp { moment.withLock { $0 } }

    /// Sets it.
    public func move(to next: Timestamp) {
        moment.withLock { $0 = next }
    }
}

/// Compares what was found with what was promised.
func demand<T: Equatable>(_ found: T, _ expected: T, line: Int = #line, file: String = #fileID) throws {
    guard found != expected else { return }
    throw ContractBroken(description: "\(file):\(line): expected \(expected), found \(found)")
}
