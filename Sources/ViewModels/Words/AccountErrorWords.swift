public import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Why an account could not do what it was asked, in words.
extension AccountError {
    /// One plain sentence a person can act on; no content, no secret.
    public var sentence: String {
        switch code {
        case .readOnly: "This account can only read: it has no key to sign with."
        case .unknownEvent: "This note is not known here yet; open it first."
        case .unknownSet: "There is no such set any more."
        case .unknownVersion: "This version is not kept here."
        case .notOwn: "Only its author can delete a note."
        case .empty: "There is nothing to publish yet."
        case .protected: "The author asks that this note is not passed on."
        case .pollEnded: PollWords.hasEnded
        case .wrongAnswer: PollWords.wrongAnswer
        case .wrongOptions: PollWords.wrongOptions
        case .unknownEmoji: "You have no emoji with this name; add a pack that has it first."
        case .noPublicRelay:
            "Others cannot reach the relays you use, so no list of them was published. Add the relays that others "
                + "should know to your list yourself."
        case .holdsSecretKey:
            "This contains a secret key. Anyone who reads it controls the account, so it was not published."
        case .newestUnknown:
            "Only \(count ?? 0) of \(total ?? 0) \(total == 1 ? "relay" : "relays") answered, so the newest version of your "
                + "\(listName) could not be read. Nothing was changed; try again when more relays can be reached.\(missingRelays)"
        case .unreadable where kind == ProfileMetadata.kind:
            "Your profile on the relays is not in a form that can be changed without losing parts of it."
        case .unreadable:
            "The private part of your \(listName) cannot be read with this key, so a change could destroy it. Nothing "
                + "was changed."
        case .notAList where kind == RelayList.kind:
            "Where you write and read is changed under Relays, or with linnet relays: each relay there has its use."
        case .notAList: "Kind \(kind?.rawValue ?? 0) is not a list that can be changed."
        case .wouldDrop:
            "This would take \(count ?? 0) entries out of your \(listName) at once, which is more than a change should. "
                + "Nothing was changed."
        }
    }

    /// Whether trying the same again can help.
    var canRetry: Bool { [.newestUnknown, .unknownEvent, .unknownSet, .unknownVersion].contains(code) }

    /// Who was asked in vain; what never answers is not waited for for ever, and people are told so.
    private var missingRelays: String {
        if missing.isEmpty { return "" }
        let names = missing.prefix(3).map(shortAddress).joined(separator: ", ")
        let more = missing.count > 3 ? " and \(missing.count - 3) more" : ""
        return " Missing: \(names)\(more). A relay that never answered stops counting after three days of silence, one "
            + "that did after fourteen."
    }

    private var listName: String {
        switch kind {
        case ProfileMetadata.kind: "profile"
        case FollowList.kind: "follow list"
        case RelayList.kind: "relay list"
        case UserStatus.kind: "status"
        case AppData.kind: "settings on the relays"
        case .muteList: "mute list"
        case .pinnedNotes: "pinned notes"
        case .bookmarks, .bookmarkSets: "bookmarks"
        case .blockedRelays: "list of blocked relays"
        case .searchRelays: "list of search relays"
        case .privateRelays: "list of private relays"
        case .directMessageRelays: "list of inbox relays"
        case .emojiList, .emojiSets: "emoji"
        case .interests, .interestSets: "topics"
        default: "list"
        }
    }
}
