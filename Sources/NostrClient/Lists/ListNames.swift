internal import NostrCore
internal import NostrNIPs

/// The identifier of a set by its title: lowercase letters and digits of ASCII, one hyphen for all else between them.
///
/// A title without any such letter gives `set-` and the moment.
func setIdentifier(_ title: String, now: Timestamp) -> String {
    var word: [UInt8] = []
    for byte in title.lowercased().utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
        default: if word.last != UInt8(ascii: "-"), !word.isEmpty { word.append(UInt8(ascii: "-")) }
        }
    }
    while word.last == UInt8(ascii: "-") { word.removeLast() }
    return word.isEmpty ? "set-\(now.seconds)" : String(decoding: word.prefix(64), as: UTF8.self)
}

extension Kind {
    /// What a person calls the list.
    var listName: String {
        switch self {
        case 0: "profile"
        case 3: "follow list"
        case RelayList.kind: "relay list"
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

extension AccountError {
    static func unreadable(_ name: String) -> AccountError {
        AccountError(
            .unreadable,
            "The private part of your \(name) cannot be read with this key, so a change could destroy it. Nothing was "
                + "changed.")
    }

    static func noList(_ kind: Kind) -> AccountError {
        AccountError(.unreadable, "Kind \(kind.rawValue) is no list that can be changed.")
    }
}
