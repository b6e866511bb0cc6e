import ArgumentParser
import Foundation

/// What a command works on: its arguments, or the lines of standard input where there are none or only `-`.
struct InputLines {
    let arguments: [String]
    /// Whether texts count as they are, with white space around them and also when they are empty.
    var areVerbatim = false

    /// Whether the lines come from standard input.
    var isStandardInput: Bool { arguments.isEmpty || arguments == ["-"] }

    /// Hands over one text after the other, white space around it cut off, empty lines left out.
    ///
    /// Goes on after a failure; every failure is told on standard error, with its line where there are lines.
    ///
    /// - Throws: `ExitCode.failure` at the end when there was one.
    func forEach(_ body: (String) throws -> Void) throws {
        var failed = false
        try eachText { text, line in
            do {
                try body(text)
            } catch let failure as CommandFailure {
                failed = true
                Output.error("Error: \(line.map { "line \($0): " } ?? "")\(failure)\n")
            }
        }
        if failed { throw ExitCode.failure }
    }

    /// The only text.
    ///
    /// - Throws: ``CommandFailure`` when there is none or more than one.
    func single(_ what: String) throws -> String {
        var texts: [String] = []
        try eachText { text, line in
            guard texts.isEmpty else {
                throw CommandFailure(
                    "Give \(what), one and no more\(line.map { ": line \($0) is not empty" } ?? "").")
            }
            texts.append(text)
        }
        guard let text = texts.first else { throw CommandFailure("Give \(what), one and no more.") }
        return text
    }

    private func eachText(_ body: (String, _ line: Int?) throws -> Void) throws {
        guard isStandardInput else {
            for argument in arguments { try body(areVerbatim ? argument : trimmed(argument), nil) }
            return
        }
        while let (line, number) = try StandardInput.nextLine() {
            if areVerbatim { try body(line, number) } else if !trimmed(line).isEmpty { try body(trimmed(line), number) }
        }
    }

    private func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespacesAndNewlines) }
}

/// Recognises secrets where none belong.
enum Secrets {
    /// Whether a text is an nsec, also behind `nostr:` and also a damaged one.
    static func isSecret(_ text: String) -> Bool {
        let lowered = text.lowercased()
        return lowered.hasPrefix("nsec1") || lowered.hasPrefix("nostr:nsec1")
    }

    /// Refuses arguments that hold a secret.
    static func refuse(in arguments: [String]) throws {
        if arguments.contains(where: isSecret) { throw CommandFailure.secretArgument }
    }
}
