public import NostrCore
internal import NostrNIPs
public import NostrRelay
internal import NostrStore

/// Where an account's drafts go, and where they are looked for.
public struct DraftRelays: Hashable, Sendable {
    /// The relays for private content (kind 10013), where drafts are put; empty while they stay on this machine.
    public var kept: [RelayURL]
    /// Relays the account writes on that ask who reads (NIP-42), to be offered while there are none.
    public var offered: [RelayURL]
    /// Whether the account was asked, and said that drafts are to stay on this machine.
    public var isDeclined: Bool
    /// Further relays that are searched for drafts of other programs.
    public var searched: [RelayURL]
    /// Those of them that the person named and that did not say all they have when they were asked last, and why.
    public var unreached: [RelayURL: RelayEnding] = [:]

    /// What was decided, and what is offered while nothing is; `offered` counts only while `kept` is empty.
    public init(kept: [RelayURL], offered: [RelayURL], isDeclined: Bool, searched: [RelayURL]) {
        self.kept = kept
        self.offered = offered
        self.isDeclined = isDeclined
        self.searched = searched
    }
}

/// What an account decided about its drafts' relays and no event says.
///
/// Shape: JSON in the account's records; what is left out was not decided.
struct DraftRelayChoice: Hashable, Sendable {
    static let table = "draft-relays"
    static let key = "choice"

    /// Whether drafts are to stay on this machine.
    var staysHere = false
    /// Where to search; `nil` for what the program begins with.
    var searched: [RelayURL]?

    init() {}

    init?(record: [UInt8]) {
        // What is damaged was not decided.
        guard let value = try? JSONValue(record) else { return nil }
        if case .bool(let stays)? = value["stays_here"] { staysHere = stays }
        if case .array(let relays)? = value["searched"] {
            searched = relays.compactMap { $0.string.flatMap { try? RelayURL($0) } }
        }
    }

    var record: [UInt8] {
        var members = [JSONMember("stays_here", .bool(staysHere))]
        if let searched { members.append(JSONMember("searched", .array(searched.map { .string($0.text) }))) }
        return JSONValue.object(members).json
    }
}
