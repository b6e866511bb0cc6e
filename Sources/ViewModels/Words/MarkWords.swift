/// What is said about marks on notes and people.
package enum MarkWords {
    package static let personMuted = "Muted. What they write is hidden everywhere."
    package static let personUnmuted = "No longer muted."
    package static let memberAdded = "Added to the set, privately."
    package static let memberRemoved = "Taken out of the set."
    package static func copiesRemoved(_ count: Int) -> String {
        switch count {
        case 0:
            """
            Nothing was deleted: nothing of theirs is stored here, or an account on this machine is theirs or follows them.
            """
        case 1: "Deleted one event of theirs from this machine. Relays may send it again."
        default: "Deleted \(count) events of theirs from this machine. Relays may send them again."
        }
    }

    static let noteMissing = "No relay has this note."
    static let onlyOwnNotes = "Only your own notes can be pinned to your profile."
    static let notYourself = "You cannot mute yourself."

    static func muted(_ name: String, _ isOn: Bool) -> String {
        isOn ? "You no longer see \(name)." : "You see \(name) again."
    }

    static func unfollowed(_ name: String, _ isOn: Bool) -> String {
        isOn ? "You no longer follow \(name)." : "You follow \(name) again."
    }

    static func conversationMuted(_ isOn: Bool) -> String {
        isOn ? "You no longer see this conversation." : "You see this conversation again."
    }

    static func bookmarked(_ isOn: Bool) -> String {
        isOn ? "Kept. Only you can see your bookmarks." : "No longer kept."
    }

    static func pinned(_ isOn: Bool) -> String { isOn ? "Pinned to your profile." : "No longer pinned." }
}
