import ArgumentParser
import Foundation

/// What a command works on: its arguments, or the lines of standard input where there are none or only `-`.
struct InputLines {
    let arguments: [String]
    /// Whether texts count as they are, with white space around them and also when they are empty.
    var areVerbatim = false

    /// Whether the lines come from standard input.
    var isStandardInput: Bool { arguments.isEmpty || arguments == ["-"] }

    /// Hands over one text after the other, white space around it cut off, empty ones left out.
    ///
    /// Goes on after a failure; every failure is told on standard error.
    ///
    /// - Throws: `ExitCode.failure` at the end when there was one.
    func forEach(_ body: (String) throws -> Void) throws {
        var failed = false
        try eachText { text in
            do {
                try body(text)
            } catch let failure as CommandFailure {
                failed = true
                Output.error("Error: \(failure)\n")
            }
        }
        if failed { throw ExitCode.failure }
    }

    /// The only text.
    ///
    /// - Throws: ``CommandFailure`` when there is none or more than one.
    func single(_ what: String) throws -> String {
        var texts: [String] = []
        try eachText { texts.append($0) }
        guard texts.count == 1, let text = texts.first else {
            throw CommandFailure("Give \(what), one and no more.")
        }
        return text
    }

    private func eachText(_ body: (String) throws -> Void) throws {
        if isStandardInput {
            while let line = readLine() { try pass(line, body) }
        } else {
            for argument in arguments { try pass(argument, body) }
        }
    }

    private func pass(_ text: String, _ body: (String) throws -> Void) throws {
        if areVerbatim { return try body(text) }
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if !trimmed.isEmpty { try body(trimmed) }
    }
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
