public import NostrCore
public import NostrNIPs

/// People as the account sees them; implemented by ``People``.
public protocol PeopleReading: Sendable {
    /// A person, for their page; asks relays for what is new. Of one who is muted only the key.
    func person(_ key: PublicKey) async throws -> Person
    /// The same; one who is muted as they are where the reader asked for exactly them.
    func person(_ key: PublicKey, evenMuted: Bool) async throws -> Person
    /// A person as every page names them, from what is here: without what only their own page shows, and without asking
    /// relays for what is new of somebody who is known.
    func known(_ key: PublicKey) async throws -> Person
    /// People whose name, NIP-05 or key starts with or contains the text, followed people first; for completion.
    func matching(_ text: String, limit: Int) async throws -> [Person]
    /// People whose lists of follows are here and name somebody; relays are not asked.
    func followers(of key: PublicKey) async throws -> Followers
    /// Asks the domain once more whether the name a person claims is theirs.
    func checkName(of key: PublicKey) async throws
    /// The person a name at a domain leads to (NIP-05).
    ///
    /// - Throws: ``NameFailure``.
    func named(_ identifier: InternetIdentifier) async throws -> Person
}

extension PeopleReading {
    /// Nobody is muted.
    public func person(_ key: PublicKey, evenMuted: Bool) async throws -> Person { try await person(key) }
    /// Nobody whose list is here.
    public func followers(of key: PublicKey) async throws -> Followers { Followers() }
    /// All that is known.
    public func known(_ key: PublicKey) async throws -> Person { try await person(key) }
}

extension People: PeopleReading {}

/// Changing the account's profile; implemented by ``Profile``.
public protocol ProfileEditing: Sendable {
    /// Changes fields of the profile (kind 0), keeping fields Linnet does not know.
    func update(_ fields: [String: String]) async throws -> Event
}

extension Profile: ProfileEditing {}

/// Changing whom the account follows; implemented by ``Follows``.
public protocol Following: Sendable {
    /// Follows or unfollows (NIP-02): reads the newest list, changes it, writes it back whole.
    func set(_ key: PublicKey, _ following: Bool) async throws -> Event
}

extension Follows: Following {}
