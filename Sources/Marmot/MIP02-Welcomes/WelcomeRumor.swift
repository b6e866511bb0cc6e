public import MLS
public import NostrCore
public import NostrNIPs

/// A rumor that lets somebody into a group: kind 444, unsigned, to be gift-wrapped for one person.
///
/// Source: MIP-02.
public struct WelcomeRumor: Hashable, Sendable {
    /// Who invites, by the seal the rumor came in.
    public let inviter: PublicKey
    /// When they say they did.
    public let createdAt: Timestamp
    /// The event of our key package they used.
    public let keyPackageEvent: EventID
    /// Where the group is.
    public let relays: [RelayURL]
    /// What MLS joins by.
    public let welcome: Welcome

    /// The longest Welcome to read, in bytes.
    static let longest = 256 * 1024

    /// Reads a rumor out of a gift wrap, whose seal proves its author.
    ///
    /// - Throws: `wrongKind`, `missingTag`, `badTag`, `tooLarge`, `badEncoding` or `malformed`.
    public init(_ gift: UnwrappedGift) throws(MarmotError) { try self.init(gift.rumor) }

    init(_ rumor: Rumor) throws(MarmotError) {
        guard rumor.kind == .welcome else { throw MarmotError(.wrongKind, "The rumor is no Welcome.") }
        relays = try rumor.tags.requiredRelays()
        guard let event = try rumor.tags.required("e").eventID(at: 1) else {
            throw MarmotError(.badTag, "The tag “e” names no event.")
        }
        try rumor.tags.requireBase64()
        let message = try MLSMessage(zeroPadded: bytes(of: rumor.content, limit: Self.longest))
        guard let welcome = message.welcome else { throw MarmotError(.malformed, "The content is no Welcome of MLS.") }
        (inviter, createdAt) = (rumor.pubkey, rumor.createdAt)
        (keyPackageEvent, self.welcome) = (event, welcome)
    }

    /// The rumor for one of those a commit added; send it once the commit is on a relay.
    ///
    /// All who were added at once get the same Welcome.
    ///
    /// - Parameters:
    ///   - invited: whom it is for.
    ///   - client: our program, if others may know.
    /// - Throws: `badTag` without a relay, `tooLarge` for more than a gift wrap holds; see ``WelcomeSize``.
    public static func rumor(
        _ welcome: Welcome, for invited: PublishedKeyPackage, by inviter: PublicKey, relays: [RelayURL],
        client: String? = nil, now: Timestamp
    ) throws(MarmotError) -> Rumor {
        guard !relays.isEmpty else { throw MarmotError(.badTag, "A Welcome needs a relay.") }
        var tags: [Tag] = [Tag(["relays"] + relays.map(\.text)), ["e", invited.eventID.hex]]
        if let client { tags.append(["client", client]) }
        tags.append(["encoding", "base64"])
        let content = Base64.encode(MLSMessage(welcome).encoded.span)
        let rumor = Rumor(
            EventDraft(kind: .welcome, tags: tags, content: content, createdAt: now), author: inviter)
        guard rumor.json.utf8.count <= GiftWrap.longestRumor else {
            throw MarmotError(.tooLarge, "The Welcome is too long for a gift wrap: add fewer at once.")
        }
        return rumor
    }
}
