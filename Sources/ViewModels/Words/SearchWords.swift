internal import NostrClient

/// What is said about a search.
enum SearchWords {
    static let secret =
        "That is a secret key. It was not searched for, but it is in this browser's history now: if it is yours, delete it there."

    static let secretAddress =
        "That address lets in whoever has it, so it was not searched for. Paste it under Signer or Circles. It is in this browser's history now: delete it there."

    static let brokenCode = "This code is mistyped or incomplete. Copy it again, whole."

    static func sort(_ sort: SearchQuestion.Sort) -> String {
        switch sort {
        case .all: "All"
        case .people: "People"
        case .notes: "Notes"
        case .articles: "Articles"
        }
    }

    static func unread(_ parts: [String]) -> String {
        let shown = parts.map { "“\($0)”" }.joined(separator: ", ")
        return "Left out: \(shown). from: takes an npub or a name, since: and until: a day such as 2025-03-01."
    }

    /// The one relay to ask is in a private network.
    private static func notChosen(_ relay: String) -> String {
        "\(relay) is in a private network and was not asked. Linnet asks it once you allow that."
    }

    /// How far relays have come; `nil` where none was asked.
    static func progress(_ relays: [SearchedRelay]) -> String? {
        guard !relays.isEmpty else { return nil }
        let count = { (standing: SearchedRelay.Standing) in relays.count { $0.standing == standing } }
        let (answered, failed) = (count(.answered), count(.failed) + count(.notChosen))
        if let only = relays.first, relays.count == 1, only.standing == .notChosen {
            return notChosen(shortAddress(only.relay))
        }
        let all = relays.count == 1 ? "1 relay" : "\(relays.count) relays"
        if answered == relays.count { return "\(all) answered." }
        if answered + failed == relays.count {
            return answered == 0 ? "None of \(all) answered." : "\(answered) of \(all) answered."
        }
        return "Asking relays: \(answered + failed) of \(relays.count) so far."
    }
}
