internal import NostrClient

/// What the first screen says to what was filled in.
enum FirstRunWords {
    static let publicKeyMissing = "Paste a public key: npub1… or 64 hex characters."
    static let passphraseMissing = "Enter the passphrase of this account."
    static let itsPassphraseMissing = "Enter the passphrase that this ncryptsec was made with."
    static let nothingSigned = "The extension signed nothing. Is it unlocked, and may this page use it?"
    static let invitationOfAnApp = "That is an app's invitation. Your signer gives out one that begins with bunker://."
    static let noToken = "Paste what your signer shows: it begins with bunker://."
    static let nameMissing = "Choose a name. You can change it later."
    static let publicNotSecret = "That is a public key. To write you need the secret one, which begins with nsec1."
    static let keyMissing = "Paste your key: nsec1…, ncryptsec1…, 64 hex characters or its words."
    static let nothingElsewhere = "This Linnet does not work with signers elsewhere."
    static let noWords = "This Linnet cannot make a key from words. Paste an nsec1… instead."
    static let noAccount = "No account was chosen."

    // The steps after a key was made

    static func title(of step: FirstRunProgress.Step) -> String {
        switch step {
        case .key: "Your key"
        case .relays: "Relays"
        case .profile: "Profile"
        case .people: "People"
        case .topics: "Topics"
        case .note: "First note"
        }
    }

    static let noFirstRun = "This account has been set up already."

    // Relays

    static func search(_ search: RelaySearch?) -> String {
        guard let search else { return "Looking for relays…" }
        switch search.phase {
        case .reading(let answered, let count):
            return "Reading which relays others use: \(answered) of \(counted(count, "relay", "relays")) answered, "
                + "\(counted(search.lists, "relay list", "relay lists")) so far."
        case .trying:
            let tried = search.candidates.count { $0.answer != .waiting }
            return "Trying relays: \(tried) of \(search.candidates.count) so far."
        case .over: return result(of: search)
        }
    }

    private static func result(of search: RelaySearch) -> String {
        let answering = search.candidates.count { $0.delay != nil }
        guard answering > 0 else {
            return
                "No relay answered. Are you connected to the internet? You can add a relay yourself, or skip this step: "
                + "the usual relays are used then."
        }
        let silent = search.candidates.count - answering
        let sentence =
            search.lists > 0
            ? "Found in \(counted(search.lists, "relay list", "relay lists")) of other people, the fastest first."
            : "These are relays that many use, the fastest first."
        return silent == 0 ? sentence : sentence + " \(silent) more did not answer, or answer only people they know."
    }

    static func facts(of candidate: RelaySearch.Candidate) -> String {
        var facts: [String] = []
        if candidate.names > 0 { facts.append(counted(candidate.names, "person uses it", "people use it")) }
        if candidate.names == 0, candidate.monitors > 0 {
            facts.append(counted(candidate.monitors, "monitor reached it", "monitors reached it"))
        }
        if let delay = candidate.delay { facts.append("answers in \(Int64(delay / .milliseconds(1))) ms") }
        if !candidate.takesEvents { facts.append("takes no notes from people it does not know") }
        return facts.joined(separator: " · ")
    }

    static let noRelayChosen = "Choose at least one relay, or skip this step."
    static let nowhereToWrite = "Choose a relay to write to; otherwise nobody finds what you publish."
    static let nowhereToRead = "Choose a relay to read from; otherwise nobody knows where to reply to you."
    static func tooManyRelays(_ count: Int, most: Int) -> String {
        "\(count) relays are too many: whoever follows you has to connect to them. Choose at most \(most); three are enough."
    }
    static func relaysPublished(accepted: Int, of count: Int) -> String {
        accepted == 0
            ? "Your relay list waits to be sent; it goes out as soon as a relay answers."
            : "Your relay list is published: \(accepted) of \(counted(count, "answer", "answers")) so far say yes."
    }

    // People and topics

    static let lookingForPeople = "Looking for people who are writing now…"
    static let nobodyFound = "Nobody was found. You can search for people later, by name or by key."
    static let nobodyChosen = "Choose somebody to follow, or skip this step."
    static let lookingForTopics = "Looking for what people talk about…"
    static let noTopicChosen = "Choose a topic, or skip this step."

    /// What a first note begins with.
    static let introduction = "#introductions\n\n"
    static let nothingWritten = "Write a few words about yourself, or skip this step."

    // A key that was brought

    static let arrived = "All that relays hold of you is here. Notes of the people you follow come in on Home."
    static let arrivedButMessages = """
        What relays hold of you is here, except for private messages that are still coming in. Notes of the people you \
        follow come in on Home.
        """
    static func arriving(_ lists: String?) -> String {
        "Asking relays for what belongs to your key" + (lists.map { ": \($0) so far." } ?? "…")
    }
    static let found = "found"
    static let notFound = "none found"
    static let looking = "looking…"
    static let yourRelays = "Your relay list"
    static let yourProfile = "Your profile"
    static let yourInbox = "Where you receive private messages"
    static let yourFollows = "People you follow"
    static let theirRelays = "Where they publish"
    static let yourLists = "Your other lists"
    static let yourNotes = "Your recent notes"
    static let yourMessages = "Your private messages"
    static func people(_ count: Int) -> String { counted(count, "person", "people") }
    static func relayLists(_ count: Int, of all: Int) -> String {
        "\(count) of \(counted(all, "relay list", "relay lists"))"
    }
    static func lists(_ count: Int) -> String { counted(count, "list", "lists") }
    static func notes(_ count: Int, soFar: Bool) -> String {
        counted(count, "note", "notes") + (soFar ? " so far" : "")
    }
    static func conversations(_ count: Int, soFar: Bool) -> String {
        counted(count, "conversation", "conversations") + (soFar ? " so far" : "")
    }

    private static func counted(_ count: Int, _ one: String, _ many: String) -> String {
        count == 1 ? "1 \(one)" : "\(count) \(many)"
    }
}
