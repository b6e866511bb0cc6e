/// What the pages of lists say.
enum ListWords {
    static let noLists = "This account can only read: it has no lists of its own here."
    static let nameMissing = "Give the list a name."
    static let chooseKind = "Choose what kind of list it is."
    static let onlySets = "Only sets can be deleted; take the entries off instead."
    static let several = "Several people are called so. Choose one."
    static let saved = "Saved."

    static func nobody(called name: String) -> String { "Nobody called “\(name)” is known here. Paste their npub." }

    /// What happened to an entry, behind its name.
    static func about(_ entry: String?, _ sentence: String) -> String { (entry ?? "This") + " " + sentence }
    static let removed = "is off the list."
    static let added = "is on the list."
    static let madePrivate = "is private now. Relays may keep the version everybody could see."
    static let madePublic = "can be seen by everybody now."
}
