/// The text of a JSON object, of which single members are changed while everything else stays byte for byte.
struct JSONObjectText: Hashable, Sendable {
    /// The text as it is now.
    private(set) var bytes: [UInt8]
    /// Its members, in order.
    private(set) var members: [JSONMember]

    /// An empty object.
    init() {
        bytes = Array("{}".utf8)
        members = []
    }

    /// Keeps the text as it was written, its spaces and order too; `nil` for anything but an object.
    init?(_ text: String) {
        bytes = Array(text.utf8)
        guard let members = Self.members(of: bytes) else { return nil }
        self.members = members
    }

    /// The text as it is now.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value of the last member with a name.
    subscript(_ name: String) -> JSONValue? {
        members.last { $0.name == name }?.value
    }

    /// Sets a member in its place or adds it at the end; `nil` takes it out.
    mutating func set(_ name: String, to value: JSONValue?) {
        guard let value else { return removeMembers(named: name) }
        let text = value.json
        let label = JSONValue.string(name).json + [UInt8(ascii: ":")]
        if let member = members.last(where: { $0.name == name }) {
            guard member.value != value else { return }
            replace(member.valueRange, with: text)
        } else if let last = members.last {
            replace(last.whole.upperBound..<last.whole.upperBound, with: [UInt8(ascii: ",")] + label + text)
        } else if let brace = bytes.firstIndex(of: UInt8(ascii: "{")) {
            replace(brace + 1..<brace + 1, with: label + text)
        }
    }

    /// Takes out every member with a name, each with the comma before it, or after it at the front.
    private mutating func removeMembers(named name: String) {
        guard members.contains(where: { $0.name == name }), let first = members.first, let last = members.last else {
            return
        }
        guard let kept = members.firstIndex(where: { $0.name != name }) else {
            return replace(first.whole.lowerBound..<last.whole.upperBound, with: [])
        }
        var rest = bytes
        for index in members.indices.dropFirst(kept + 1).reversed() where members[index].name == name {
            rest.removeSubrange(members[index - 1].whole.upperBound..<members[index].whole.upperBound)
        }
        rest.removeSubrange(first.whole.lowerBound..<members[kept].whole.lowerBound)
        replace(0..<bytes.count, with: rest)
    }

    private mutating func replace(_ range: Range<Int>, with text: [UInt8]) {
        bytes.replaceSubrange(range, with: text)
        guard let read = Self.members(of: bytes) else { preconditionFailure("an edit left no JSON object") }
        members = read
    }

    private static func members(of bytes: [UInt8]) -> [JSONMember]? {
        // What is not JSON is no object; callers have no use for the reason.
        guard case .object(let members)? = try? JSONValue(bytes) else { return nil }
        return members
    }
}
