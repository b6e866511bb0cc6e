internal import NostrClient

/// What pages say about private messages.
package enum ConversationWords {
    package static let noKey = "This account can only read public notes: Linnet has no key for it."
    package static let noReaction = "That is not a reaction."
    package static let noConversation = "There is no such conversation here."
    package static let noMessage = "That is not the name of a message."
    package static let locked = "Your key is locked."

    // The one who reads

    static let you = "You"
    static let notesToYourself = "Notes to yourself"

    /// Who wrote a message, as its author line names them.
    package static func author(isOwn: Bool, _ name: String) -> String { isOwn ? you : name }
    /// Whom an answer is to, behind "Replying to".
    package static func answering(isOwn: Bool, _ name: String) -> String { isOwn ? "yourself" : name }
    package static let earlierMessage = "an earlier message"

    // Inbox relays

    static let inboxSize = "Name one relay, or a few: at most ten."
    static func noRelay(_ word: String) -> String { "“\(word)” is not a relay address: it should begin with wss://." }

    // Writing

    static let nothingToSend = "There is nothing to send yet."
    static let nobodyChosen = "First choose who it is for."
    static func nobodyCalled(_ name: String) -> String {
        "Linnet knows nobody called “\(name)”. Paste their npub instead."
    }
    static func whoIsMeant(by name: String) -> String { "Who do you mean by “\(name)”?" }
    static func tooManyPeople(_ count: Int, most: Int) -> String {
        "You chose \(count) people; a message can go to at most \(most)."
    }
    static func tooLong(_ bytes: Int, most: Int) -> String {
        "This is too long: \(bytes) bytes of \(most). Send it in two."
    }
}

extension ConversationWords {
    // What a message says

    static let deleted = "Message deleted"
    static let mentionedNote = "a note"
    static let mentionedArticle = "an article"
    static func encrypted(_ sort: String) -> String { sort + " (encrypted)" }

    /// What a file is, by the first half of its MIME type.
    static func sort(of type: some StringProtocol) -> String {
        switch type {
        case "image": "Picture"
        case "video": "Film"
        case "audio": "Sound"
        default: "File"
        }
    }

    /// How long a file is: `240 kB`.
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<0: ""
        case ..<1000: "\(bytes) bytes"
        case ..<1_000_000: "\(bytes / 1000) kB"
        default: "\(bytes / 1_000_000).\(bytes / 100_000 % 10) MB"
        }
    }

    /// Everybody else of a large group, behind "Only you and".
    package static func others(_ count: Int) -> String { "the \(count) others" }

    // How long a message lasts, as a choice

    static let kept = "Keep"
    static let goneAfterHour = "Delete after 1 hour"
    static let goneAfterDay = "Delete after 1 day"
    static let goneAfterWeek = "Delete after 1 week"
    static let goneAfterMonth = "Delete after 30 days"
}

// MARK: How far a message has come

extension ConversationWords {
    /// Completes "Your message is …" from the counts of recipients.
    ///
    /// - Parameter others: the names of the recipients besides the sender.
    static func delivery(accepted: Int, asked: Int, others: [String]) -> String {
        let whose = others.count == 1 ? possessive(others[0]) : "their"
        switch (accepted, others.count) {
        case (0, 0): return "on its way to your own relays"
        case (_, 0): return "stored on your own relays"
        case (0, _): return "on its way to \(whose) relays"
        case (asked..., 1): return "stored on \(whose) relays"
        case (asked..., _): return storedForAll(asked)
        default: return stored(for: accepted, of: asked)
        }
    }

    /// Completes "Your message is …" from one recipient's relays.
    ///
    /// - Parameter name: the recipient's; nil for the sender's own copy.
    static func delivery(
        stored: Int, of asked: Int, to name: String?, _ basis: RecipientReceipt.Basis, isLost: Bool
    ) -> String {
        let whose = name.map(possessive) ?? "your own"
        let relays = basis == .relayList ? "relays" : "inbox relays"
        switch (asked, stored) {
        case (0, _): return "waiting to learn where \(name.map { $0 + " reads" } ?? "you read")"
        case (_, 0) where isLost: return "refused by \(whose) \(relays)"
        case (_, 0): return "on its way to \(whose) \(relays)"
        case (stored, _): return "stored on \(whose) \(relays)"
        default: return "stored on \(stored) of \(asked) of \(whose) \(relays)"
        }
    }

    static func storedForAll(_ count: Int) -> String { "stored for all \(count)" }
    static func stored(for reached: Int, of count: Int) -> String { "stored for \(reached) of \(count)" }

    /// How a recipient's relays were found, in a sentence.
    ///
    /// - Parameter name: the recipient's; nil for the sender's own copy.
    static func basis(_ basis: RecipientReceipt.Basis, _ name: String?) -> String {
        switch (basis, name) {
        case (.inbox, let name?): "\(possessive(name)) inbox relays, where private messages are read."
        case (.inbox, nil): "Your own inbox relays, so that your other devices have it too."
        case (.relayList, let name?): "\(name) names no inbox relays; these are where \(name) reads public notes."
        case (.relayList, nil): "You name no inbox relays; these are where you read public notes."
        case (.unknown, let name?): "Linnet does not know yet where \(name) reads."
        case (.unknown, nil): "Linnet does not know yet where you read."
        }
    }

    /// `Ana's`, `Boris'`.
    static func possessive(_ name: String) -> String { name + (name.hasSuffix("s") ? "'" : "'s") }

    /// `Ana`, `Ana and Ben`, `Ana, Ben and Cleo`, `Ana, Ben and 3 others`.
    static func inARow(_ names: [String]) -> String {
        switch names.count {
        case 0: ""
        case 1: names[0]
        case 2...3: names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
        default: names.prefix(2).joined(separator: ", ") + " and \(names.count - 2) others"
        }
    }
}
