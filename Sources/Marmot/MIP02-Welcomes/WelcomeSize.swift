internal import MLS
internal import NostrNIPs

/// How many people one commit can add so that its Welcome fits into a gift wrap.
///
/// All who are added by one commit get one Welcome, with the whole tree and a part for each of them; above
/// ``GiftWrap/longestRumor`` there is no form of NIP-44 that every program reads. What is computed here is a bound: no
/// Welcome is longer. Source: MIP-02, NIP-44, NIP-59.
public struct WelcomeSize: Hashable, Sendable {
    /// An upper bound of the rumor's JSON, in bytes.
    public let bound: Int

    /// The bound of a Welcome.
    ///
    /// - Parameters:
    ///   - group: as it is before the commit.
    ///   - added: whom the commit adds.
    public init(of group: MarmotGroup, adding added: [PublishedKeyPackage]) {
        let relays = group.roster.data.relays.reduce(0) { $0 + $1.utf8.count + 3 }
        let places = group.mls.members.count + added.count
        // Each node of the committer's path: two vectors of a hash, one of leaves, and what says that it is there.
        let path = (places.bitWidth - places.leadingZeroBitCount + 1) * (80 + 4 * added.count)
        let leaves = added.reduce(0) { $0 + $1.keyPackage.leafNode.encoded.count + 4 }
        let tree = group.mls.ratchetTree.count + leaves + path + Self.ownLeaf
        let info = tree + group.mls.context.encoded.count + Self.signedParts
        let welcome = info + added.count * Self.secretsOfOne + Self.heads
        bound = Base64.length(ofBytes: welcome) + relays + Self.rumor
    }

    /// Whether every program can read it.
    public var fits: Bool { bound <= GiftWrap.longestRumor }

    /// Parts of a list of people, each so large that one commit can add it, one after the other.
    ///
    /// - Throws: `tooLarge` if the group is so large that not even one more fits.
    public static func batches(
        of people: [PublishedKeyPackage], for group: MarmotGroup
    ) throws(MarmotError) -> [[PublishedKeyPackage]] {
        var (batches, there) = ([[PublishedKeyPackage]](), 0)
        while there < people.count {
            // Those of the batches before are in the tree by then, and no longer need parts of their own.
            var batch: [PublishedKeyPackage] = []
            for one in people.dropFirst(there) {
                let size = WelcomeSize(of: group, adding: batch + [one], after: Array(people.prefix(there)))
                guard size.fits else { break }
                batch.append(one)
            }
            guard !batch.isEmpty else {
                throw MarmotError(.tooLarge, "The group is so large that its Welcome fits into no gift wrap.")
            }
            batches.append(batch)
            there += batch.count
        }
        return batches
    }

    private init(of group: MarmotGroup, adding added: [PublishedKeyPackage], after before: [PublishedKeyPackage]) {
        let first = WelcomeSize(of: group, adding: before + added)
        bound = first.bound - before.count * Base64.length(ofBytes: Self.secretsOfOne - 3)
    }

    /// Reference, key and ciphertext of one person's secrets.
    private static let secretsOfOne = 160
    /// The committer's leaf where it grows by the hash of its parent.
    private static let ownLeaf = 64
    /// Confirmation tag, signature, lengths, and the hashes of a context that had none.
    private static let signedParts = 300
    /// Versions and lengths around everything.
    private static let heads = 64
    /// Names, ids and brackets of the JSON.
    private static let rumor = 512
}
