/// What the pages of lists say.
package enum ListWords {
    package static let deleted = "The list is deleted."
    package static let noEntry = "This does not name an entry of a list."
    static let aNote = "(a note)"
    static let anArticle = "(an article)"
    static let entryNotHere = "A note not known here"
    static func called(_ petname: String) -> String { "you call them \(petname)" }
    static func written(kind: UInt16, of author: String) -> String { "kind \(kind) of \(author)" }
    static func unnamed(_ list: String) -> String { "Unnamed \(list.lowercased())" }
    static let noLists = "This account can only read: it has no lists of its own here."
    static let nameMissing = "Give the list a name."
    static let chooseKind = "Choose what kind of list it is."
    static let onlySets = "Only sets can be deleted; take the entries off instead."
    static let several = "Several people have this name. Choose one."
    static let saved = "Saved."

    static func nobody(called name: String) -> String { "Nobody called “\(name)” is known here. Paste their npub." }

    /// What happened to an entry, behind its name.
    static func about(_ entry: String?, _ sentence: String) -> String { (entry ?? "This") + " " + sentence }
    static let removed = "is off the list."
    static let added = "is on the list."
    static let madePrivate = "is private now. Relays may keep the version everybody could see."
    static let madePublic = "can be seen by everybody now."

    // What was written to be added

    static let nothingWritten = "Write what to add."
    static let secretKey = "This is a secret key. It belongs on no list."
    static let entryTooLong = "This is too long for one entry."
    static let topicIsOneWord = "A topic is one word."
    static let noRelay = "This is not a relay address: those begin with wss://."
    static let noServer = "A server begins with https://."
    static let noLink = "A link begins with https://."
    static let noName = "Write a name after @."
    static let noEmoji = "Write an emoji as :name: and the https:// address of its picture."
    static func takes(_ sorts: [String], not other: String) -> String {
        "This list takes \(inARow(sorts, "and")), no \(other)."
    }
    static func unread(write hints: [String]) -> String {
        "Linnet cannot read this. Write \(inARow(hints, "or"))."
    }

    private static func inARow(_ words: [String], _ joint: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing Linnet can add" }
        return words.dropLast().joined(separator: ", ") + " \(joint) " + last
    }
}
