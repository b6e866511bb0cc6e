public import NostrCore

/// What a relay wants to be paid for one thing.
///
/// Source: NIP-11, "Pay-to-Relay".
public struct RelayFee: Hashable, Sendable {
    /// What is paid for.
    public enum Occasion: String, Hashable, Sendable, CaseIterable {
        /// Once, to be let in.
        case admission
        /// Again and again, to stay.
        case subscription
        /// For each event.
        case publication
    }

    /// What is paid for.
    public var occasion: Occasion
    /// How much, in ``unit``; never negative.
    public var amount: Int64
    /// What is paid with, `msats` for most.
    public var unit: String
    /// For how many seconds a subscription is paid.
    public var period: Int64?
    /// Which kinds a publication fee is for; empty for all.
    public var kinds: [Kind]

    /// A fee.
    public init(_ occasion: Occasion, amount: Int64, unit: String, period: Int64? = nil, kinds: [Kind] = []) {
        (self.occasion, self.amount, self.unit, self.period, self.kinds) = (occasion, amount, unit, period, kinds)
    }

    /// More than a relay has; a longer list is cut.
    private static let most = 16

    /// The fees a document names, those without an amount left out.
    static func all(in value: JSONValue) -> [RelayFee] {
        Occasion.allCases.flatMap { occasion in
            (value[occasion.rawValue]?.elements ?? []).prefix(most).compactMap { RelayFee(occasion, $0) }
        }
    }

    private init?(_ occasion: Occasion, _ value: JSONValue) {
        guard let amount = value["amount"]?.integer.flatMap(Int64.init(exactly:)), amount >= 0 else { return nil }
        self.init(
            occasion, amount: amount, unit: value["unit"]?.string ?? "",
            period: value["period"]?.integer.flatMap(Int64.init(exactly:)).flatMap { $0 > 0 ? $0 : nil },
            kinds: (value["kinds"]?.elements ?? []).compactMap {
                $0.integer.flatMap(UInt16.init(exactly:)).map { Kind($0) }
            })
    }

    /// The `fees` of a document.
    static func json(_ fees: [RelayFee]) -> JSONValue {
        .object(
            Occasion.allCases.compactMap { occasion in
                let own = fees.filter { $0.occasion == occasion }
                return own.isEmpty ? nil : JSONMember(occasion.rawValue, .array(own.map(\.json)))
            })
    }

    private var json: JSONValue {
        var members = [JSONMember("amount", .number(String(amount))), JSONMember("unit", .string(unit))]
        if let period { members.append(JSONMember("period", .number(String(period)))) }
        if !kinds.isEmpty {
            members.append(JSONMember("kinds", .array(kinds.map { .number(String($0.rawValue)) })))
        }
        return .object(members)
    }
}
