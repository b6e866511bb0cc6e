public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A person as a screen shows them.
public struct PersonItem: Hashable, Sendable, Identifiable {
    /// The key.
    public let key: PublicKey
    /// What to call them: display name, name, or the start of the key; one line without control characters.
    public private(set) var name: String
    /// Their Nostr address (NIP-05) once it was checked, or the start of the key; empty where that is the name already.
    public let handle: String
    /// The Nostr address they claim, and how it stands; `nil` where they claim none.
    public let address: AddressItem?
    /// What they say about themselves.
    public let about: String
    /// What they say about themselves, ready to be drawn.
    public var aboutParts: [ContentPart] {
        contentParts(written: Note.shown(of: about, most: Note.longestCard).text, mentions: [:], emoji: emoji)
    }
    /// What to call them, ready to be drawn with the emoji they use, where those are known.
    public var nameParts: [ContentPart] { emojiParts(of: name, emoji) }
    /// The emoji their name and description use.
    private let emoji: [CustomEmoji]
    /// Their picture, when it is an `http` or `https` address.
    public let picture: String?
    /// Their banner, when it is an `http` or `https` address.
    public let banner: String?
    /// Their site, when it is an `http` or `https` address.
    public let website: String?
    /// Where they are paid over Lightning, as they say.
    public let payAddress: PayAddressItem?
    /// Whether the account follows them.
    public let isFollowed: Bool
    /// How many people they follow, where known.
    public let followingCount: Int?
    /// Where they publish.
    public let writeRelays: [String]
    /// Where they read what others send them.
    public let readRelays: [String]

    public var id: PublicKey { key }

    /// The same person under another name, as in a circle; nil for none.
    func called(_ name: String?) -> PersonItem {
        guard let name, !name.isEmpty else { return self }
        var person = self
        person.name = oneLine(name, limit: 50)
        return person
    }

    /// Reads what a screen needs from a person.
    public init(_ person: Person) {
        key = person.key
        let short = shortened(person.key)
        name = shownName(of: person)
        address = person.address.map(AddressItem.init)
        let checked = address.flatMap { $0.isChecked ? $0.text : nil }
        handle = checked ?? (name == short ? "" : short)
        about = person.fields["about"] ?? ""
        emoji = person.emoji
        picture = person.fields["picture"].flatMap(webAddress)
        banner = person.fields["banner"].flatMap(webAddress)
        website = person.fields["website"].flatMap(webAddress)
        payAddress = PayAddressItem(person)
        isFollowed = person.isFollowed
        followingCount = person.followingCount
        writeRelays = person.writeRelays.map(\.text)
        readRelays = person.readRelays.map(\.text)
    }
}

/// The Nostr address (NIP-05) a person claims, as a screen shows it.
public struct AddressItem: Hashable, Sendable {
    /// The name and the domain, or the domain alone.
    public let text: String
    /// How it stands, in a few words.
    public let words: String
    /// Whether the domain says the same.
    public let isChecked: Bool
    /// Whether the domain says otherwise.
    public let isDenied: Bool

    /// Reads a claim.
    public init(_ address: NostrAddress) {
        text = oneLine(address.identifier.description, limit: 80)
        words = ProfileWords.address(address.standing, at: oneLine(address.identifier.domain, limit: 60))
        isChecked = address.standing == .verified
        isDenied = address.standing == .mismatch
    }
}

extension PersonItem {
    /// A person as an account sees them; of one who is muted only the key, unless their reader asked for them.
    public static func load(
        _ key: PublicKey, evenMuted: Bool = false, from people: any PeopleReading
    ) async throws(Trouble) -> PersonItem {
        PersonItem(try await troubled { try await people.person(key, evenMuted: evenMuted) })
    }

    /// The account's own person.
    public static func own(of account: any Account) async -> PersonItem {
        // A page without one's own picture is better than no page.
        PersonItem((try? await account.people.known(account.publicKey)) ?? Person(key: account.publicKey))
    }
}
