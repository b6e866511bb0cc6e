internal import NostrClient

/// What the page of a profile says.
enum ProfileWords {
    static let noWebAddress = "This is not a web address. It begins with https://."
    static let noAddress = "This looks like name@example.org."

    /// How a claimed address stands.
    static func address(_ standing: NostrAddress.Standing, at domain: String) -> String {
        switch standing {
        case .unknown: "claimed, not checked"
        case .checking: "claimed; asking \(domain)"
        case .verified: "checked: \(domain) says so too"
        case .mismatch: "claimed, but \(domain) does not say so"
        case .unreachable: "claimed; \(domain) gives no answer"
        }
    }
    static func nobody(_ name: String, at domain: String) -> String { "\(domain) knows nobody called \(name)." }
    static func noAnswer(_ domain: String) -> String { "\(domain) gives no answer about its names. Try again later." }

    /// Who follows somebody, as far as lists of follows are here.
    static func followers(_ count: Int, ofOwn isOwn: Bool, hasMore: Bool, followed: Int) -> String {
        let whom = isOwn ? "you" : "this person"
        guard count > 0 else { return "No list of follows on this machine names \(whom)." }
        let followers = count == 1 ? "One person follows" : "\(hasMore ? "More than " : "")\(count) people follow"
        let known = followed == count && !hasMore ? "all" : "\(followed)"
        let ofThem = followed == 0 ? "" : " You follow \(known) of them."
        return "\(followers) \(whom), by the lists of follows on this machine.\(count == 1 ? "" : ofThem)"
    }
    static func whoFollows(_ name: String) -> String { "Who follows \(name)" }
    static let followersAreNotAsked =
        "Relays are not asked for this, and nobody knows everyone who follows somebody."

    /// What a field of a profile is called.
    static func field(_ name: String) -> String {
        let names = [
            "display_name": "Display name", "name": "Name", "about": "About", "picture": "Picture",
            "banner": "Banner", "website": "Website", "nip05": "Nostr address", "lud16": "Lightning address",
        ]
        return names[name] ?? "Field “\(oneLine(name, limit: 40))”"
    }
}
