public import NostrClient
public import NostrCore

/// The page of who follows somebody, as far as that is known here.
public struct FollowersPage: Hashable, Sendable {
    /// Whom they follow.
    public let person: PersonItem
    /// Those whose lists are here, the ones the account follows first.
    public let people: [PersonItem]
    /// How many they are, and what that counts.
    public let lead: String
    /// What it cannot say.
    public let hint = ProfileWords.followersAreNotAsked
    /// What the page is called.
    public var title: String { ProfileWords.whoFollows(person.name) }

    /// Reads what the page says.
    public static func load(of key: PublicKey, for account: any Account) async throws(Trouble) -> FollowersPage {
        let (person, followers) = try await troubled {
            (try await account.people.known(key), try await account.people.followers(of: key))
        }
        let people = followers.people.map(PersonItem.init)
        return FollowersPage(
            person: PersonItem(person), people: people,
            lead: ProfileWords.followers(
                people.count, ofOwn: key == account.publicKey, hasMore: followers.hasMore,
                followed: people.count { $0.isFollowed }))
    }
}
