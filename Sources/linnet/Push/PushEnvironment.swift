import Foundation

/// The variables a push proxy is told: those it was started with, and for what they leave out those of a file.
struct PushEnvironment: Sendable {
    /// What the file says.
    let kept: [String: String]
    /// A variable the program was started with.
    private let started: @Sendable (String) -> String?

    init(kept: [String: String], started: @escaping @Sendable (String) -> String? = EnvironmentVariables.value) {
        (self.kept, self.started) = (kept, started)
    }

    /// Reads a file; without a name `.env` of the folder the program was started in, where there is one.
    ///
    /// - Throws: a ``CommandFailure`` for a file that was named and cannot be read.
    init(file: String?) throws {
        guard let text = try? String(contentsOfFile: file ?? ".env", encoding: .utf8) else {
            if let file { throw CommandFailure("Cannot read \(file).") }
            self.init(kept: [:])
            return
        }
        self.init(kept: Self.lines(text))
    }

    /// The value of the first of some variables that has one; an empty one counts as none.
    func value(_ names: String...) -> String? {
        names.lazy.compactMap { started($0) ?? kept[$0] }.first
    }

    /// Reads lines of `NAME=value`.
    ///
    /// Shape: as Node's `dotenv` and systemd's `EnvironmentFile` both read it: `export` before a name, quotes around a
    /// value and a comment behind ` #` are dropped; what is no assignment is passed over.
    static func lines(_ text: String) -> [String: String] {
        var values: [String: String] = [:]
        for line in text.split(whereSeparator: \.isNewline) {
            var rest = line.drop(while: \.isWhitespace)
            if rest.hasPrefix("export ") { rest = rest.dropFirst("export ".count) }
            guard !rest.hasPrefix("#"), let equals = rest.firstIndex(of: "=") else { continue }
            let name = rest[..<equals].trimmingCharacters(in: .whitespaces)
            let value = plain(rest[rest.index(after: equals)...].trimmingCharacters(in: .whitespaces))
            if !name.isEmpty, !value.isEmpty { values[name] = value }
        }
        return values
    }

    private static func plain(_ value: String) -> String {
        for quote in ["\"", "'"] where value.hasPrefix(quote) {
            return String(value.dropFirst().prefix { String($0) != quote })
        }
        guard let comment = value.range(of: " #") else { return value }
        return value[..<comment.lowerBound].trimmingCharacters(in: .whitespaces)
    }
}
