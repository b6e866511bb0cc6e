public import NostrClient
public import NostrCore

/// A person as a screen shows them.
public struct PersonItem: Hashable, Sendable, Identifiable {
    /// The key.
    public let key: PublicKey
    /// What to call them: display name, name, or the start of the key; one line without control characters.
    public private(set) var name: String
    /// Their NIP-05 address as they claim it, or the start of the key; empty where that is the name already.
    public let handle: String
    /// What they say about themselves.
    public let about: String
    /// What they say about themselves, ready to be drawn.
    public var aboutParts: [ContentPart] { contentParts(written: about, mentions: [:]) }
    /// Their picture, when it is an `http` or `https` address.
    public let picture: String?
    /// Their banner, when it is an `http` or `https` address.
    public let banner: String?
    /// Their site, when it is an `http` or `https` address.
    public let website: String?
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
        let address = oneLine(person.fields["nip05"] ?? "", limit: 80)
        let isNameless = name == short
        handle =
            address.isEmpty
            ? (isNameless ? "" : short) : (address.hasPrefix("_@") ? String(address.dropFirst(2)) : address)
        about = person.fields["about"] ?? ""
        picture = person.fields["picture"].flatMap(webAddress)
        banner = person.fields["banner"].flatMap(webAddress)
        website = person.fields["website"].flatMap(webAddress)
        isFollowed = person.isFollowed
        followingCount = person.followingCount
        writeRelays = person.writeRelays.map(\.text)
        readRelays = person.readRelays.map(\.text)
    }
}

extension PersonItem {
    /// A person as an account sees them.
    public static func load(_ key: PublicKey, from people: any PeopleReading) async throws(Trouble) -> PersonItem {
        PersonItem(try await troubled { try await people.person(key) })
    }

    /// The account's own person.
    public static func own(of account: any Account) async -> PersonItem {
        // A page without one's own picture is better than no page.
        PersonItem((try? await account.people.person(account.publicKey)) ?? Person(key: account.publicKey))
    }
}
