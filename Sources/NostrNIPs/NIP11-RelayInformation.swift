public import NostrCore

/// What a relay says about itself.
///
/// Every field may be missing; a field of the wrong type counts as missing, and unknown fields are ignored.
/// Source: NIP-11.
public struct RelayInformation: Hashable, Sendable {
    /// The media type to ask for and to answer with.
    public static let mediaType = "application/nostr+json"

    /// A short name.
    public var name: String?
    /// Words about the relay.
    public var description: String?
    /// The address of a wide picture.
    public var banner: String?
    /// The address of a small picture.
    public var icon: String?
    /// The operator.
    public var pubkey: PublicKey?
    /// The relay's own key.
    public var ownKey: PublicKey?
    /// Another way to reach the operator.
    public var contact: String?
    /// The NIPs it says it supports.
    public var supportedNIPs: [Int] = []
    /// The address of the software's home page.
    public var software: String?
    /// The software's version.
    public var version: String?
    /// The address of the terms of service.
    public var termsOfService: String?
    /// Where one pays, for relays that want it.
    public var paymentsURL: String?
    /// What it costs, where it says so.
    public var fees: [RelayFee] = []
    /// What the relay takes and gives at most.
    public var limitation = RelayLimitation()

    /// A document that says nothing.
    public init() {}

    /// Parses the document, or is `nil` when it is no JSON object.
    public init?(json: [UInt8]) {
        // Anything but an object counts as no document; a relay without one is used with our own limits.
        guard let document = try? JSONValue(json), case .object = document else { return nil }
        name = document["name"]?.string
        description = document["description"]?.string
        banner = document["banner"]?.string
        icon = document["icon"]?.string
        pubkey = Self.key(document["pubkey"])
        ownKey = Self.key(document["self"])
        contact = document["contact"]?.string
        supportedNIPs = (document["supported_nips"]?.elements ?? []).compactMap {
            // Some relays write the numbers as text.
            $0.integer.flatMap(Int.init(exactly:)) ?? $0.string.flatMap { Int(decimal: $0) }
        }
        software = document["software"]?.string
        version = document["version"]?.string
        // What the terms were called before, and still are by many.
        termsOfService = document["terms_of_service"]?.string ?? document["posting_policy"]?.string
        paymentsURL = document["payments_url"]?.string
        fees = RelayFee.all(in: document["fees"] ?? .null)
        limitation = RelayLimitation(document["limitation"] ?? .null)
    }

    /// The document, fields that say nothing left out.
    public var json: [UInt8] {
        var members: [JSONMember] = []
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(JSONMember(name, value)) }
        }
        add("name", name.map(JSONValue.string))
        add("description", description.map(JSONValue.string))
        add("banner", banner.map(JSONValue.string))
        add("icon", icon.map(JSONValue.string))
        add("pubkey", pubkey.map { .string($0.hex) })
        add("self", ownKey.map { .string($0.hex) })
        add("contact", contact.map(JSONValue.string))
        add("supported_nips", .array(supportedNIPs.map { .number(String($0)) }))
        add("software", software.map(JSONValue.string))
        add("version", version.map(JSONValue.string))
        add("terms_of_service", termsOfService.map(JSONValue.string))
        add("payments_url", paymentsURL.map(JSONValue.string))
        if !fees.isEmpty { add("fees", RelayFee.json(fees)) }
        let limits = limitation.members
        if !limits.isEmpty { add("limitation", .object(limits)) }
        return JSONValue.object(members).json
    }

    private static func key(_ value: JSONValue?) -> PublicKey? {
        guard let text = value?.string else { return nil }
        // Many relays leave the field empty or write an address of another kind; it counts as missing.
        return try? PublicKey(hex: text)
    }
}

/// What a relay takes and gives at most; `nil` where it does not say.
///
/// Source: NIP-11, "Server Limitations". Negative numbers count as not said.
public struct RelayLimitation: Hashable, Sendable {
    /// The longest frame a client may send, in bytes.
    public var maxMessageLength: Int?
    /// Open subscriptions per connection.
    public var maxSubscriptions: Int?
    /// What a filter's `limit` is cut to.
    public var maxLimit: Int?
    /// What stands in for a missing `limit`.
    public var defaultLimit: Int?
    /// The longest subscription id, in characters.
    public var maxSubscriptionIDLength: Int?
    /// The most tags of one event.
    public var maxEventTags: Int?
    /// The longest content, in Unicode characters.
    public var maxContentLength: Int?
    /// The least work of an event (NIP-13), in bits.
    public var minPowDifficulty: Int?
    /// How far in the past an event may be, in seconds.
    public var createdAtLowerLimit: Int?
    /// How far in the future an event may be, in seconds.
    public var createdAtUpperLimit: Int?
    /// Whether everything needs authentication (NIP-42).
    public var authRequired: Bool?
    /// Whether everything needs payment.
    public var paymentRequired: Bool?
    /// Whether writing needs some condition to be met.
    public var restrictedWrites: Bool?

    /// Without any limit, as of a relay that states none.
    public init() {}

    private static var numbers: [(String, WritableKeyPath<RelayLimitation, Int?>)] {
        [
            ("max_message_length", \.maxMessageLength), ("max_subscriptions", \.maxSubscriptions),
            ("max_limit", \.maxLimit), ("default_limit", \.defaultLimit),
            ("max_subid_length", \.maxSubscriptionIDLength), ("max_event_tags", \.maxEventTags),
            ("max_content_length", \.maxContentLength), ("min_pow_difficulty", \.minPowDifficulty),
            ("created_at_lower_limit", \.createdAtLowerLimit), ("created_at_upper_limit", \.createdAtUpperLimit),
        ]
    }
    private static var truths: [(String, WritableKeyPath<RelayLimitation, Bool?>)] {
        [
            ("auth_required", \.authRequired), ("payment_required", \.paymentRequired),
            ("restricted_writes", \.restrictedWrites),
        ]
    }

    init(_ value: JSONValue) {
        for (name, path) in Self.numbers {
            self[keyPath: path] = value[name]?.integer.flatMap(Int.init(exactly:)).flatMap { $0 < 0 ? nil : $0 }
        }
        for (name, path) in Self.truths { self[keyPath: path] = value[name]?.bool }
    }

    var members: [JSONMember] {
        Self.numbers.compactMap { name, path in
            self[keyPath: path].map { JSONMember(name, .number(String($0))) }
        }
            + Self.truths.compactMap { name, path in
                self[keyPath: path].map { JSONMember(name, .bool($0)) }
            }
    }
}
