import NostrCore
import NostrNIPs

/// What a person gave, as an error may repeat it: in quotes, short, and never what may be a secret.
enum Shown {
    private static let longest = 60

    /// The text in quotes, or what it looks like where that could be a secret.
    static func text(_ text: String) -> String {
        if mayBeSecret(text) { return "(not shown: it may be a secret)" }
        let plain = String(text.map { $0.unicodeScalars.contains(where: isControl) ? "\u{FFFD}" : $0 })
        return plain.count > longest ? "'\(plain.prefix(longest))…'" : "'\(plain)'"
    }

    /// Whether a text can be a key, an encrypted key, the words of one, or a token with a secret in it.
    static func mayBeSecret(_ text: String) -> Bool {
        let lowered = text.lowercased()
        // Half of a key that was cut off is still half a secret.
        let run = lowered.split { !$0.isHexDigit }.map(\.count).max() ?? 0
        return lowered.contains("nsec1") || lowered.contains("ncryptsec1") || lowered.contains("secret=") || run >= 32
            || lowered.hasPrefix("bunker:") || text.split(whereSeparator: \.isWhitespace).count >= 6
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
