internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// A JSON object in the content of a message: `{"type":…,"ts":…,"v":1}` and what the type has besides.
///
/// Length and depth are bounded before a value is made of it: Foundation's reader runs out of stack at some hundred
/// nested brackets, and a member could end the program of everybody else. Source: Whistle, "Protocol".
struct CirclePayload {
    /// The longest content that is read as JSON; unit: bytes.
    static let longest = 128 * 1024
    /// The deepest nesting of objects and arrays.
    static let deepest = 32
    /// The one version there is, also of a payload that names none.
    static let version: Int64 = 1

    /// What kind of payload it is.
    let type: String
    /// Nil for a version that is no number.
    let version: Int64?
    private let value: JSONValue

    /// What a content is.
    enum Reading {
        /// An object that names its type.
        case payload(CirclePayload)
        /// Anything else that a person may have written.
        case text
        /// JSON too long or too deep to be read.
        case refused
    }

    /// Reads a content.
    ///
    /// What is no JSON, and what has no `type`, is text: Whistle reads it so.
    static func read(_ content: String) -> Reading {
        guard beginsLikeJSON(content) else { return .text }
        guard content.utf8.count <= longest else { return .refused }
        let value: JSONValue
        do { value = try JSONValue(Array(content.utf8), depth: deepest) } catch {
            if case .tooDeep = error { return .refused }
            return .text
        }
        guard let type = value["type"]?.string else { return .text }
        return .payload(CirclePayload(type: type, version: value["v"].map(\.integer) ?? Self.version, value: value))
    }

    /// Whether a reader might not take a text as text: ours, or Whistle's on Android, which also takes JSON without
    /// quotes.
    static func passesForPayload(_ text: String) -> Bool {
        if case .text = read(text) { beginsLikeJSON(text) && text.contains("type") } else { true }
    }

    private static func beginsLikeJSON(_ text: String) -> Bool {
        text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }

    /// The value of a field.
    subscript(_ name: String) -> JSONValue? { value[name] }

    /// When it was sent (`ts`), if it says so in whole seconds of this side of the year 10000.
    var sentAt: Timestamp? { value["ts"]?.moment }

    /// The content of a payload of version 1.
    ///
    /// - Parameter fields: what the type has besides, in order.
    static func content(_ type: String, _ fields: [(String, JSONValue)], sentAt: Timestamp) -> String {
        let all =
            [("type", .string(type))] + fields + [
                ("ts", .number(String(sentAt.seconds))), ("v", .number(String(version))),
            ]
        return JSONValue.object(all.map { JSONMember($0.0, $0.1) }).text
    }
}

extension JSONValue {
    /// A number that is finite.
    var real: Double? {
        guard case .number(let text) = self, let number = Double(text), number.isFinite else { return nil }
        return number
    }

    /// Whole seconds since 1970, up to the end of the year 9999.
    var moment: Timestamp? {
        guard let seconds = integer, (0...253_402_300_799).contains(seconds) else { return nil }
        return Timestamp(seconds: seconds)
    }
}
