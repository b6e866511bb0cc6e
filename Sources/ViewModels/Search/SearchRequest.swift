public import NostrClient
internal import NostrCore
internal import NostrNIPs

/// What a form or a command asks a search for.
public struct SearchRequest: Hashable, Sendable {
    /// What was typed, in one line.
    public let text: String
    /// What is looked for.
    public let sort: SearchQuestion.Sort
    /// Which relays are asked: `usual`, `listed`, `here` for none, or a relay's address.
    public let scope: String
    /// Why the scope cannot be used; then the usual relays are asked.
    public let problem: String?
    /// The secret that was typed, which is not searched for.
    let secret: SearchedSecret?
    /// What is asked.
    let question: SearchQuestion

    /// Reads what was filled in; what is no choice counts as the usual one.
    public init(_ text: String, sort: String = "", scope: String = "") {
        // Not even shown again.
        secret = SearchedSecret(in: text)
        self.text = secret == nil ? oneLine(text, limit: 1200) : ""
        self.sort = SearchQuestion.Sort(rawValue: sort) ?? .all
        let place = oneLine(scope, limit: 200)
        var chosen = SearchQuestion.Scope.usual
        var problem: String?
        switch place {
        case "", "usual": break
        case "listed": chosen = .listed
        case "here": chosen = .here
        default:
            let address = place.contains("://") ? place : "wss://" + place
            // Why an address is none makes no difference here.
            if let relay = try? RelayURL(address) {
                chosen = .relay(relay)
            } else {
                problem = "“\(place)” is not a relay's address."
            }
        }
        self.problem = problem
        switch chosen {
        case .usual: self.scope = "usual"
        case .listed: self.scope = "listed"
        case .here: self.scope = "here"
        case .relay(let relay): self.scope = relay.text
        }
        question = SearchQuestion(self.text, sort: self.sort, scope: chosen)
    }

    /// The sorts there are, with their words.
    public static var sorts: [(sort: SearchQuestion.Sort, words: String)] {
        SearchQuestion.Sort.allCases.map { ($0, SearchWords.sort($0)) }
    }

    /// What is wrong with a code that was pasted; `nil` for words.
    ///
    /// Whole codes are led to what they name before anything is searched for.
    var codeProblem: String? {
        let typed = text.lowercased()
        let code = typed.hasPrefix("nostr:") ? String(typed.dropFirst(6)) : typed
        let prefixes = ["npub1", "nprofile1", "note1", "nevent1", "naddr1"]
        guard !code.contains(" "), prefixes.contains(where: code.hasPrefix) else { return nil }
        // Why it is none makes no difference here.
        return (try? NostrEntity(code)) == nil ? SearchWords.brokenCode : nil
    }

    /// What is said of a secret that was typed; `nil` where none was.
    public var secretWarning: String? { secret?.sentence }

    /// The name at a domain that was typed, as it is shown; `nil` where none was.
    public var name: String? {
        guard text.contains("@"), let identifier = identifier else { return nil }
        return identifier.description
    }

    /// Whose notes are looked for, where a name stands behind `from:` instead of a key.
    var author: (name: String, part: String)? {
        let part = question.unread.first { $0.hasPrefix("from:") }
        guard let part else { return nil }
        let name = oneLine(String(part.dropFirst(5).drop { $0 == "@" }), limit: 50)
        return name.utf8.count >= 2 ? (name, part) : nil
    }

    /// The same, to be asked for.
    var identifier: InternetIdentifier? { InternetIdentifier(text.first == "@" ? String(text.dropFirst()) : text) }
}
