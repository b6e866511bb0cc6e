internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

// What a person chose, as JSON in one column; a reader that does not know a word of it takes the row for damaged rather
// than forget a refusal.
extension SignerClient {
    /// Everything but who, whose, when and how often.
    var choices: JSONValue {
        var members = [
            JSONMember("trust", .string(trust.rawValue)),
            JSONMember("grants", .array(grants.map(\.kept))),
            JSONMember("requested", .array(requested.map { .string($0.text) })),
            JSONMember("relays", .array(relays.map { .string($0.text) })),
        ]
        if !claims.isEmpty { members.append(JSONMember("claims", .string(claims.json))) }
        if let name { members.append(JSONMember("name", .string(name))) }
        if let perHour { members.append(JSONMember("per_hour", .number("\(perHour)"))) }
        if let hours {
            members.append(JSONMember("hours", .array([.number("\(hours.from)"), .number("\(hours.until)")])))
        }
        if answersAck { members.append(JSONMember("answers_ack", .bool(true))) }
        if readsLongForm { members.append(JSONMember("reads_long", .bool(true))) }
        return .object(members)
    }

    /// Takes ``choices`` back; `false` when they cannot be read.
    mutating func read(choices json: [UInt8]) -> Bool {
        // Text that is no JSON is damaged like any other that cannot be read.
        guard let kept = try? JSONValue(json, depth: 6),
            let trust = kept["trust"]?.string.flatMap(TrustLevel.init(rawValue:)),
            let grants = allOrNone(kept["grants"], Grant.init(kept:)),
            let requested = allOrNone(kept["requested"], { $0.string.flatMap { RemotePermission($0) } }),
            let relays = allOrNone(kept["relays"], { $0.string.flatMap { try? RelayURL($0) } })
        else { return false }
        self.trust = trust
        self.grants = grants
        self.requested = requested
        self.relays = relays
        claims = kept["claims"]?.string.map(ClientMetadata.init(json:)) ?? ClientMetadata()
        name = kept["name"]?.string
        perHour = kept["per_hour"]?.integer.map { Int($0) }
        let hours = kept["hours"]?.elements.compactMap(\.integer) ?? []
        self.hours = hours.count == 2 ? DayHours(from: Int(hours[0]), until: Int(hours[1])) : nil
        answersAck = kept["answers_ack"]?.bool ?? false
        readsLongForm = kept["reads_long"]?.bool ?? false
        return true
    }
}

extension SignerClient {
    /// Takes back what it was given when it was paired and what is protected by default since: nobody decided that.
    mutating func forgetGrantsOfLaterProtection() -> Bool {
        let count = grants.count
        grants.removeAll { grant in
            grant.verdict == .allow && grant.made == connected && requested.contains(grant.permission)
                && grant.permission.kind.map(SignerSettings.secondDefaults.contains) ?? false
        }
        return grants.count != count
    }
}

extension Grant {
    fileprivate var kept: JSONValue {
        var members = [
            JSONMember("permission", .string(permission.text)), JSONMember("verdict", .string(verdict.rawValue)),
            JSONMember("made", .number("\(made.seconds)")),
        ]
        if let audience { members.append(JSONMember("audience", .string(audience.text))) }
        if let expires { members.append(JSONMember("expires", .number("\(expires.seconds)"))) }
        if let perHour { members.append(JSONMember("per_hour", .number("\(perHour)"))) }
        return .object(members)
    }

    fileprivate init?(kept: JSONValue) {
        guard let permission = kept["permission"]?.string.flatMap({ RemotePermission($0) }),
            let verdict = kept["verdict"]?.string.flatMap(Verdict.init(rawValue:)),
            let made = kept["made"]?.integer
        else { return nil }
        let audience = kept["audience"]?.string.flatMap { Audience($0) }
        // A yes for a place nobody can read must not become one for all.
        if kept["audience"] != nil, audience == nil { return nil }
        self.init(
            permission, verdict, for: audience, expires: kept["expires"]?.integer.map(Timestamp.init(seconds:)),
            perHour: kept["per_hour"]?.integer.map { Int($0) }, made: Timestamp(seconds: made))
    }
}

extension SignerSettings {
    /// As JSON.
    var kept: JSONValue {
        .object([
            JSONMember("paused", .bool(isPaused)),
            JSONMember("protected", .array(protectedKinds.sorted().map { .number("\($0.rawValue)") })),
            JSONMember("relays", .array(relays.map { .string($0.text) })),
            JSONMember("defaults", .number("\(Self.defaults)")),
            JSONMember("asks_for_passphrase", .bool(asksForPassphrase)),
        ])
    }

    /// Counts the changes of what is protected by default; settings that were kept before one get what it added, once.
    private static let defaults: Int64 = 2
    /// What the second of them added.
    static let secondDefaults: Set<Kind> = [13, 62, 443, 30_443, 10_050, 10_051, 22_242, 27_235]

    /// Reads ``kept``; `nil` when it cannot be read.
    init?(kept json: [UInt8]) {
        // As above.
        guard let kept = try? JSONValue(json, depth: 4), let isPaused = kept["paused"]?.bool,
            let kinds = allOrNone(kept["protected"], { $0.integer.flatMap(UInt16.init(exactly:)).map { Kind($0) } }),
            let relays = allOrNone(kept["relays"], { $0.string.flatMap { try? RelayURL($0) } })
        else { return nil }
        self.init()
        self.isPaused = isPaused
        protectedKinds = Set(kinds)
        if kept["defaults"]?.integer ?? 1 < Self.defaults { protectedKinds.formUnion(Self.secondDefaults) }
        self.relays = relays
        asksForPassphrase = kept["asks_for_passphrase"]?.bool ?? false
    }
}

/// Every element read, or `nil` when one cannot be.
private func allOrNone<T>(_ value: JSONValue?, _ read: (JSONValue) -> T?) -> [T]? {
    var all: [T] = []
    for element in value?.elements ?? [] {
        guard let one = read(element) else { return nil }
        all.append(one)
    }
    return all
}
