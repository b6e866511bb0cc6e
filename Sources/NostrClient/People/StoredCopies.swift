public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Drops what this machine stores of people whom the account mutes; implemented by ``StoredCopies``.
public protocol CopyRemoving: Sendable {
    /// Drops everything that is stored of somebody who is muted; relays may send it again.
    ///
    /// - Returns: how many events; 0 for somebody who is not muted, who has an account on this machine, or whom an account
    ///   on this machine follows.
    func removeCopies(of person: PublicKey) async throws -> Int
}

/// What this machine stores of people whom the account mutes.
public struct StoredCopies: CopyRemoving {
    private let context: AccountContext
    private let mutes: MutesInForce
    private let people: People

    init(_ context: AccountContext, mutes: MutesInForce, people: People) {
        self.context = context
        self.mutes = mutes
        self.people = people
    }

    public func removeCopies(of person: PublicKey) async throws -> Int {
        guard person != context.publicKey, await mutes.upToDate().people.contains(person),
            let removal = context.store as? any EventRemoval
        else { return 0 }
        // The store is shared: whoever has an account here keeps what they wrote, and sees what those wrote whom they
        // follow, who are not asked of relays a second time.
        let accounts = (try await context.versions?.versionedAuthors() ?? []).union([context.publicKey])
        guard !accounts.contains(person) else { return 0 }
        let follows = Filter(authors: accounts, kinds: [FollowList.kind], tags: ["p": [person.hex]], limit: 1)
        guard try await context.store.query([follows]).isEmpty else { return 0 }
        let count = try await removal.forget([Filter(authors: [person])])
        // Nor is their profile in memory any more.
        people.forget(person)
        return count
    }
}
