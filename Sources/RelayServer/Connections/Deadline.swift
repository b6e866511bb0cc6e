/// The work took longer than it may.
struct DeadlinePassed: Error {}

/// Runs work that must end in time; cancels it when it does not.
///
/// - Throws: what the work throws, or ``DeadlinePassed``.
func within(
    _ deadline: Duration, on clock: any Clock<Duration>, _ work: @escaping @Sendable () async throws -> Void
) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await work() }
        group.addTask {
            try await clock.sleep(for: deadline)
            throw DeadlinePassed()
        }
        defer { group.cancelAll() }
        try await group.next()
    }
}
