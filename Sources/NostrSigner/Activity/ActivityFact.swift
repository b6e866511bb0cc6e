internal import NostrCore
internal import NostrNIPs

/// What a line of the log tells besides the method: a code with facts.
///
/// The words for it stand with the screens.
public enum ActivityFact: Hashable, Sendable {
    /// An event was signed.
    case signed(SigningSummary)
    /// A text was encrypted.
    case encrypted
    /// A text was decrypted.
    case decrypted
    /// The private part of a zap was read.
    case readPrivateZap
    /// The account's public key was told.
    case toldKey
    /// The app was paired.
    case paired
    /// The app was unpaired.
    case unpaired
    /// The app ended its session.
    case loggedOut
    /// The person trusts the app more or less than before.
    case trustChanged(from: TrustLevel, to: TrustLevel)
    /// The words of a line that was written before there were codes.
    case words(String)
}

// As records keep it: a JSON object, or the words of an old line as they are.
extension ActivityFact {
    /// The form that is kept.
    public var text: String {
        if case .words(let words) = self { return words }
        return JSONValue.object([JSONMember("fact", .string(name))] + members).text
    }

    /// Reads what was kept; what is no fact is words.
    ///
    /// - Returns: `nil` for an empty text.
    public init?(text: String) {
        guard !text.isEmpty else { return nil }
        // Words are no JSON, and a fact of a later version is shown as it is.
        guard text.hasPrefix("{"), let value = try? JSONValue(Array(text.utf8)), let fact = Self(value) else {
            self = .words(text)
            return
        }
        self = fact
    }

    private var name: String {
        switch self {
        case .signed: "signed"
        case .encrypted: "encrypted"
        case .decrypted: "decrypted"
        case .readPrivateZap: "read_private_zap"
        case .toldKey: "told_key"
        case .paired: "paired"
        case .unpaired: "unpaired"
        case .loggedOut: "logged_out"
        case .trustChanged: "trust_changed"
        case .words: ""
        }
    }

    private var members: [JSONMember] {
        switch self {
        case .signed(let summary): summary.members
        case .trustChanged(let before, let after):
            [JSONMember("from", .string(before.rawValue)), JSONMember("to", .string(after.rawValue))]
        default: []
        }
    }

    private init?(_ value: JSONValue) {
        switch value["fact"]?.string {
        case "signed"?:
            guard let summary = SigningSummary(value) else { return nil }
            self = .signed(summary)
        case "encrypted"?: self = .encrypted
        case "decrypted"?: self = .decrypted
        case "read_private_zap"?: self = .readPrivateZap
        case "told_key"?: self = .toldKey
        case "paired"?: self = .paired
        case "unpaired"?: self = .unpaired
        case "logged_out"?: self = .loggedOut
        case "trust_changed"?:
            guard let before = value["from"]?.string.flatMap(TrustLevel.init(rawValue:)),
                let after = value["to"]?.string.flatMap(TrustLevel.init(rawValue:))
            else { return nil }
            self = .trustChanged(from: before, to: after)
        default: return nil
        }
    }
}

extension SigningSummary {
    fileprivate var members: [JSONMember] {
        switch self {
        case .event(let kind, let variant):
            [.number("kind", Int(kind.rawValue))]
                + (variant == .plain ? [] : [JSONMember("variant", .string(variant.rawValue))])
        case .deletion(let events, let addresses): [.number("events", events), .number("addresses", addresses)]
        case .replacement(let change): change.members
        }
    }

    fileprivate init?(_ value: JSONValue) {
        if let events = value.count("events"), let addresses = value.count("addresses") {
            self = .deletion(events: events, addresses: addresses)
            return
        }
        guard let kind = value.count("kind").flatMap(UInt16.init(exactly:)).map({ Kind($0) }) else { return nil }
        if let change = value["replaces"] {
            self = .replacement(ReplacementSummary(change, kind: kind))
        } else {
            self = .event(kind, value["variant"]?.string.flatMap(Variant.init(rawValue:)) ?? .plain)
        }
    }
}

extension ReplacementSummary {
    fileprivate var members: [JSONMember] {
        let counts = [
            ("added", added), ("dropped", dropped), ("people_added", addedPeople), ("people_dropped", droppedPeople),
            ("unknown_added", addedUnknown), ("unknown_dropped", droppedUnknown),
        ].filter { $0.1 != 0 }.map { JSONMember.number($0, $1) }
        let names = [
            ("fields", fields), ("fields_added", fieldsAdded), ("fields_removed", fieldsRemoved),
            ("fields_changed", fieldsChanged),
        ].filter { $0.1.count > 0 }.map { name, fields in
            JSONMember(
                name,
                .object([
                    .number("count", fields.count), JSONMember("names", .array(fields.names.map(JSONValue.string))),
                ])
            )
        }
        let notes = Remark.allCases.filter(remarks.contains).map { JSONValue.string($0.rawValue) }
        return [
            .number("kind", Int(kind.rawValue)),
            JSONMember(
                "replaces", .object(counts + names + (notes.isEmpty ? [] : [JSONMember("remarks", .array(notes))]))),
        ]
    }

    fileprivate init(_ value: JSONValue, kind: Kind) {
        self.init(kind: kind)
        (added, dropped) = (value.count("added") ?? 0, value.count("dropped") ?? 0)
        (addedPeople, droppedPeople) = (value.count("people_added") ?? 0, value.count("people_dropped") ?? 0)
        (addedUnknown, droppedUnknown) = (value.count("unknown_added") ?? 0, value.count("unknown_dropped") ?? 0)
        fields = FieldNames(value["fields"])
        fieldsAdded = FieldNames(value["fields_added"])
        fieldsRemoved = FieldNames(value["fields_removed"])
        fieldsChanged = FieldNames(value["fields_changed"])
        remarks = Set(value.strings("remarks").compactMap(Remark.init(rawValue:)))
    }
}

extension ReplacementSummary.FieldNames {
    fileprivate init(_ value: JSONValue?) {
        self.init(value?.strings("names") ?? [], of: value?.count("count") ?? 0)
    }
}

extension JSONMember {
    fileprivate static func number(_ name: String, _ number: Int) -> JSONMember {
        JSONMember(name, .number("\(number)"))
    }
}

extension JSONValue {
    fileprivate func count(_ name: String) -> Int? {
        self[name]?.integer.flatMap { Int(exactly: $0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    fileprivate func strings(_ name: String) -> [String] {
        guard case .array(let values)? = self[name] else { return [] }
        return values.compactMap(\.string)
    }
}
