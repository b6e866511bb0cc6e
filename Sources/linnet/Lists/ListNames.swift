import NostrCore
import NostrNIPs

/// The lists of NIP-51 by the names people use for them.
enum ListName {
    /// Each list's name and kind, in the order of the kinds.
    static let all: [(name: String, kind: Kind)] = [
        ("mutes", .muteList), ("pins", .pinnedNotes), ("bookmarks", .bookmarks), ("blocked-relays", .blockedRelays),
        ("search-relays", .searchRelays), ("relay-feeds", .relayFeeds), ("interests", .interests),
        ("emoji", .emojiList), ("inbox-relays", .directMessageRelays), ("draft-relays", .privateRelays),
        ("follow-sets", .followSets),
        ("relay-sets", .relaySets), ("bookmark-sets", .bookmarkSets), ("interest-sets", .interestSets),
        ("emoji-sets", .emojiSets),
    ]

    /// The kind behind a name or a number.
    ///
    /// - Throws: a ``CommandFailure`` that tells the names.
    static func kind(_ text: String) throws -> Kind {
        if let found = all.first(where: { $0.name == text.lowercased() }) { return found.kind }
        if let number = UInt16(text), PublicList.kinds.contains(Kind(number)) { return Kind(number) }
        throw CommandFailure(
            "'\(text)' is not a list: use \(all.map(\.name).joined(separator: ", ")), or the number of its kind.")
    }

    /// The name of a kind, else its number.
    static func name(of kind: Kind) -> String { all.first { $0.kind == kind }?.name ?? "\(kind.rawValue)" }

    /// Reads something a person wants on a list.
    ///
    /// People as npub, nprofile or hex; notes as note or nevent; addresses as naddr; `#topic`; relays by address;
    /// `:shortcode: https://…` for emoji; anything else is a word, which only lists of mutes take.
    static func item(_ text: String, for kind: Kind) throws -> ListItem {
        if Secrets.isSecret(text) { throw CommandFailure("That is a secret key; it belongs on no list.") }
        if text.hasPrefix("#"), text.count > 1 { return .hashtag(String(text.dropFirst()).lowercased()) }
        if text.hasPrefix("wss://") || text.hasPrefix("ws://") { return .relay(try Reading.relay(text)) }
        if let item = ListItem(tag: Tag(["emoji"] + text.split(separator: " ").map { unframed(String($0)) })) {
            return item
        }
        if let item = entity(text) { return item }
        if let pointer = ProfilePointer(pasted: text) { return .person(pointer, petname: nil) }
        guard kind == .muteList else {
            throw CommandFailure(
                "'\(text)' is nothing a list holds: give npub, note, nevent, naddr, #topic or the address of a relay.")
        }
        return .word(text.lowercased())
    }

    private static func entity(_ text: String) -> ListItem? {
        // What is no code is read otherwise.
        guard let entity = try? NostrEntity(text.hasPrefix("nostr:") ? String(text.dropFirst(6)) : text) else {
            return nil
        }
        switch entity {
        case .note(let id): return .event(EventPointer(id: id))
        case .nevent(let pointer): return .event(pointer)
        case .naddr(let pointer): return .address(pointer)
        case .npub, .nprofile, .nrelay: return nil
        }
    }

    private static func unframed(_ word: String) -> String {
        word.hasPrefix(":") && word.hasSuffix(":") && word.count > 2 ? String(word.dropFirst().dropLast()) : word
    }
}
