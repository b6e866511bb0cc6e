internal import NostrCore
public import NostrNIPs

/// What a person wrote to be put on a list.
public enum WrittenEntry: Hashable, Sendable {
    /// One thing.
    case item(ListItem)
    /// A name; whose it is must be found.
    case name(String)
    /// Nothing a list can hold; one plain sentence says why.
    case wrong(String)

    /// Reads what was written.
    ///
    /// - Parameters:
    ///   - list: what it is for; what the list does not take is refused.
    ///   - sort: what its writer says it is; `nil` when it must speak for itself.
    public init(_ text: String, for list: ListSort, as sort: ListSort.EntrySort? = nil) {
        let text = text.trimmingSpace()
        guard !text.isEmpty else {
            self = .wrong(ListWords.nothingWritten)
            return
        }
        guard !holdsSecretKey(text) else {
            self = .wrong(ListWords.secretKey)
            return
        }
        guard text.utf8.count <= 1000, !text.contains(where: \.isNewline) else {
            self = .wrong(ListWords.entryTooLong)
            return
        }
        let read =
            sort == nil || sort == .person
            ? Self.code(text, list) ?? Self.plain(text, list, sort) : Self.plain(text, list, sort)
        switch read {
        case .item(let item) where !list.takes.contains(item.sort):
            self = .wrong(ListWords.takes(list.takes.map(\.many), not: item.sort.many))
        default: self = read
        }
    }

    /// What Nostr has a name for: keys, ids, addresses.
    private static func code(_ text: String, _ list: ListSort) -> WrittenEntry? {
        let bare = text.lowercased().hasPrefix("nostr:") ? String(text.dropFirst(6)) : text
        // What does not decode is read another way.
        switch try? NostrEntity(bare) {
        case .npub(let key): return .item(.person(ProfilePointer(key: key), petname: nil))
        case .nprofile(let pointer): return .item(.person(pointer, petname: nil))
        case .note(let id): return .item(.event(EventPointer(id: id)))
        case .nevent(let pointer): return .item(.event(pointer))
        case .naddr(let pointer): return .item(.address(pointer))
        default: break
        }
        guard bare.utf8.count == 64 else { return nil }
        // As above.
        if list.takes.contains(.person), let key = try? PublicKey(hex: bare.lowercased()) {
            return .item(.person(ProfilePointer(key: key), petname: nil))
        }
        return (try? EventID(hex: bare.lowercased())).map { .item(.event(EventPointer(id: $0))) }
    }

    private static func plain(_ text: String, _ list: ListSort, _ sort: ListSort.EntrySort?) -> WrittenEntry {
        let lower = text.lowercased()
        switch sort ?? Self.looks(lower, list) {
        case .word: return .item(.word(lower))
        case .hashtag:
            let topic = lower.hasPrefix("#") ? String(lower.dropFirst()) : lower
            let isOne = !topic.isEmpty && !topic.contains(where: \.isWhitespace)
            return isOne ? .item(.hashtag(topic)) : .wrong(ListWords.topicIsOneWord)
        case .relay:
            // What is no address is refused below.
            let address = lower.contains("://") ? text : "wss://" + text
            guard let relay = try? RelayURL(address) else { return .wrong(ListWords.noRelay) }
            return .item(.relay(relay))
        case .server: return webAddress(text).map { .item(.server($0)) } ?? .wrong(ListWords.noServer)
        case .url: return webAddress(text).map { .item(.url($0)) } ?? .wrong(ListWords.noLink)
        case .emoji: return emoji(text)
        case .person:
            let name = text.first == "@" ? String(text.dropFirst()) : text
            return name.isEmpty ? .wrong(ListWords.noName) : .name(name)
        case .note, .address, .group, nil:
            return .wrong(ListWords.unread(write: list.takes.map(\.hint)))
        }
    }

    /// What a text looks like, among what the list takes.
    private static func looks(_ text: String, _ list: ListSort) -> ListSort.EntrySort? {
        if text.hasPrefix("@") { return .person }
        if text.hasPrefix("wss://") || text.hasPrefix("ws://") { return .relay }
        if text.hasPrefix("https://") || text.hasPrefix("http://") {
            return list.takes.first { $0 == .server || $0 == .url } ?? .url
        }
        if text.hasPrefix("#") { return .hashtag }
        if text.hasPrefix(":") { return .emoji }
        return list.takes.first { $0 == .word } ?? list.takes.first { [.hashtag, .relay].contains($0) }
            ?? (list.takes.contains(.person) ? .person : nil)
    }

    private static func emoji(_ text: String) -> WrittenEntry {
        let halves = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
        guard let code = halves.first?.filter({ $0 != ":" }), let address = halves.dropFirst().first.map(String.init),
            let emoji = webAddress(address).flatMap({ CustomEmoji(shortcode: code, url: $0) })
        else { return .wrong(ListWords.noEmoji) }
        return .item(.emoji(emoji))
    }
}

extension ListItem {
    /// What it is.
    public var sort: ListSort.EntrySort {
        switch self {
        case .person: .person
        case .event: .note
        case .address: .address
        case .hashtag: .hashtag
        case .word: .word
        case .relay: .relay
        case .server: .server
        case .emoji: .emoji
        case .group: .group
        case .url: .url
        }
    }

    /// The entry as one word that a form can carry.
    public var formWord: String {
        tag.elements.map { element in
            element.reduce(into: "") { word, character in
                switch character {
                case "\\": word += "\\\\"
                case "\t": word += "\\t"
                case "\n": word += "\\n"
                case "\r": word += "\\r"
                case "\r\n": word += "\\r\\n"
                default: word.append(character)
                }
            }
        }.joined(separator: "\t")
    }

    /// Reads a word that a form carried; `nil` when it is no entry.
    public init?(formWord word: String) {
        let elements = word.split(separator: "\t", omittingEmptySubsequences: false).map { part -> String in
            var text = ""
            var isEscaped = false
            for character in part {
                if isEscaped {
                    text.append(["t": "\t", "n": "\n", "r": "\r"][character] ?? character)
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else {
                    text.append(character)
                }
            }
            return text
        }
        self.init(tag: Tag(elements))
    }
}
