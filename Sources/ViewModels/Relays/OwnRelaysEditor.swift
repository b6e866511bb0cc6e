public import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Where the account writes and reads, to be changed.
public struct OwnRelaysEditor: Equatable, Sendable {
    /// What a relay is for.
    public enum Use: String, Sendable, CaseIterable {
        case both, write, read, none

        /// In a few words.
        public var words: String {
            switch self {
            case .both: RelaysWords.bothUses
            case .write: RelaysWords.writeUse
            case .read: RelaysWords.readUse
            case .none: RelaysWords.noUse
            }
        }

        var usage: RelayList.Usage {
            switch self {
            case .both: .both
            case .write: .write
            case .read: .read
            case .none: []
            }
        }
    }

    /// One relay.
    public struct Row: Equatable, Sendable {
        /// Its address.
        public let address: String
        /// Its address without the scheme.
        public let name: String
        /// What it is for.
        public let use: Use
        /// What keeps it off a first list; `nil` for most.
        public let note: String?
    }

    /// NIP-65 advises two to four relays a side.
    private static let advised = 4

    /// The relays, in the order of the list.
    public let rows: [Row]
    /// Whether the account told others; else these are the relays it uses without a list.
    public let isPublished: Bool
    /// What is to be thought of: too many relays, or none on a side.
    public let advice: [String]

    /// Shows a list.
    public init(_ list: OwnRelayList) {
        rows = list.entries.map { entry in
            let use: Use = entry.usage == .read ? .read : entry.usage == .write ? .write : .both
            return Row(
                address: entry.relay.text, name: shortAddress(entry.relay), use: use,
                note: list.unreachable.contains(entry.relay) ? RelaysWords.staysOff : nil)
        }
        isPublished = list.isPublished
        let (write, read) = (rows.count { $0.use != .read }, rows.count { $0.use != .write })
        advice = [
            write > Self.advised ? RelaysWords.manyToWrite(write) : nil,
            read > Self.advised ? RelaysWords.manyToRead(read) : nil,
            list.isPublished && write == 0 ? RelaysWords.noneToWrite : nil,
            list.isPublished && read == 0 ? RelaysWords.noneToRead : nil,
        ].compactMap(\.self)
    }

    /// The list of an account.
    ///
    /// - Throws: ``Trouble``.
    public static func load(from account: any Account) async throws(Trouble) -> OwnRelaysEditor {
        try await troubled { OwnRelaysEditor(try await account.ownRelays.current()) }
    }

    /// Sets what a relay is for, or takes it off the list.
    ///
    /// - Returns: what happened, in a sentence.
    /// - Throws: ``Trouble``; nothing has changed then.
    public static func set(_ text: String, _ use: Use, of account: any Account) async throws(Trouble) -> String {
        try await troubled {
            guard account.canSign else { throw Trouble(RelaysWords.onlyReads) }
            let words = text.split(whereSeparator: \.isWhitespace)
            guard let word = words.first, words.count == 1, let relay = Self.relay(String(word)) else {
                throw Trouble(RelaysWords.notAnAddress)
            }
            _ = try await account.ownRelays.set([relay: use.usage])
            let usage = use.usage
            return RelaysWords.isNow(
                shortAddress(relay), toWrite: usage.contains(.write), toRead: usage.contains(.read))
        }
    }

    /// Reads an address; people leave the scheme out, but a word without a dot is no host then.
    static func relay(_ word: String) -> RelayURL? {
        // What is no address is said to be none.
        if word.contains("://") { return try? RelayURL(word) }
        return word.contains(".") ? try? RelayURL("wss://" + word) : nil
    }

    /// Publishes those of the relays the account uses anyway that others can reach.
    ///
    /// - Returns: what happened, in a sentence.
    /// - Throws: ``Trouble``.
    public static func publish(of account: any Account) async throws(Trouble) -> String {
        try await troubled {
            guard account.canSign else { throw Trouble(RelaysWords.onlyReads) }
            return try await account.ownRelays.begin() == nil ? RelaysWords.listFound : RelaysWords.listPublished
        }
    }
}
