import Logging
import ServiceLifecycle

/// A long-lived piece of the program, with its name in the log.
struct BackgroundService: Service, CustomStringConvertible {
    let description: String
    private let stop: (@Sendable () -> Void)?
    private let work: @Sendable () async throws -> Void

    /// A part of the program.
    ///
    /// - Parameters:
    ///   - stop: tells the work to end by itself when the program shuts down; without it the work is cancelled then.
    ///   - work: runs until it is stopped.
    init(_ name: String, stop: (@Sendable () -> Void)? = nil, work: @escaping @Sendable () async throws -> Void) {
        description = name
        self.stop = stop
        self.work = work
    }

    func run() async throws {
        if let stop {
            try await withGracefulShutdownHandler {
                try await work()
            } onGracefulShutdown: {
                stop()
            }
        } else {
            await cancelWhenGracefulShutdown {
                do {
                    try await work()
                } catch is CancellationError {
                    // Being cancelled is how this work ends.
                } catch {
                    Logger(label: "linnet").error("a part of the program stopped", metadata: ["part": "\(description)"])
                }
            }
        }
    }
}

extension ServiceGroupConfiguration {
    /// The program's parts: SIGTERM, SIGINT and SIGHUP drain them, last first, within ten seconds.
    static func program(services: [any Service], log: Logger) -> ServiceGroupConfiguration {
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: EndingSignals.all, logger: log)
        configuration.maximumGracefulShutdownDuration = .seconds(8)
        return configuration
    }
}
