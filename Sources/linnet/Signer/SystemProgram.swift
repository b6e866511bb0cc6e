import AsyncPrimitives
internal import Processes

/// Another program of the system, run its output thrown away.
enum SystemProgram {
    /// Runs a program until it ends, or until it has run for so long; it then goes on by itself.
    ///
    /// - Parameters:
    ///   - command: a name looked up in `PATH` or a path, and its arguments.
    ///   - input: the open file that is its standard input; `nil` for nothing.
    /// - Returns: its exit status, 128 and more when a signal ended it; `nil` when it still runs.
    /// - Throws: ``CommandFailure`` when it cannot be started.
    static func run(
        _ command: [String], within patience: Duration = .seconds(5), input: Int32? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) async throws -> Int32? {
        let child = try start(command, input)
        let elapsed = stopwatch(clock)
        while true {
            if let status = child.exitStatus() { return status }
            guard elapsed() < patience else { return nil }
            try await clock.sleep(for: .milliseconds(20))
        }
    }

    private static func start(_ command: [String], _ input: Int32?) throws -> SpawnedProcess {
        do { return try SpawnedProcess(command[0], Array(command.dropFirst()), input: input) } catch {
            throw CommandFailure("\(command[0]) cannot be run: is it installed?")
        }
    }
}
