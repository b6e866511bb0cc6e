import ArgumentParser
import Logging

/// How much the program says of itself on standard error.
struct LoggingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "What to log on standard error: trace, debug, info, notice, warning, error or critical.",
            discussion: "LINNET_LOG_LEVEL sets it too. Logs hold no content and no secret."))
    var logLevel: String?

    /// Starts logging; call once.
    ///
    /// - Throws: a `ValidationError` for a level that does not exist.
    func start() throws -> Logger {
        let word = logLevel ?? EnvironmentVariables.value("LINNET_LOG_LEVEL") ?? "notice"
        guard let level = Logger.Level(rawValue: word.lowercased()) else {
            throw ValidationError(
                "'\(word)' is not a log level: use trace, debug, info, notice, warning, error or critical.")
        }
        LoggingSystem.bootstrap { label in
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = level
            return handler
        }
        return Logger(label: "linnet")
    }
}
