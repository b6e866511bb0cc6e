internal import MLS
internal import NostrNIPs

/// How many people one commit can add so that its Welcome fits into a gift wrap.
///
/// All who are added by one commit get one Welcome, with the whole tree and a part for each of them; above
/// ``/NostrNIPs/GiftWrap/longestRumor`` there is no form of NIP-44 that every program reads. What is computed here is a
/// bound: no Welcome is longer. Source: MIP-02, NIP-44, NIP-59.
public struct WelcomeSize: Hashable, Sendable {
    /// What a Welcome holds whoever is added, in bytes.
    private let fixed: Int
    /// The addresses of the group's relays, in the JSON.
    private let relays: Int
    private let members: Int

    /// The sizes of Welcomes to a group as it is.
    public init(of group: MarmotGroup) {
        relays = group.roster.data.relays.reduce(0) { $0 + $1.utf8.count + 3 }
        members = group.mls.members.count
        fixed = group.mls.ratchetTree.count + group.mls.context.encoded.count + Self.signedParts
    }

    /// The most bytes that the JSON of a Welcome has.
    ///
    /// - Parameters:
    ///   - added: whom its commit adds.
    ///   - before: whom commits before that add.
    public func bound(adding added: [PublishedKeyPackage], after before: [PublishedKeyPackage] = []) -> Int {
        let leaves = (before + added).reduce(0) { $0 + $1.keyPackage.leafNode.encoded.count }
        return bound(leaves: leaves, added: added.count, before: before.count)
    }

    /// Parts of a list of people, each so large that one commit can add it, one after the other.
    ///
    /// - Throws: `tooLarge` if the group is so large that not even one more fits.
    public func batches(of people: [PublishedKeyPackage]) throws(MarmotError) -> [[PublishedKeyPackage]] {
        var batches: [[PublishedKeyPackage]] = []
        var batch: [PublishedKeyPackage] = []
        var (leaves, before) = (0, 0)
        for one in people {
            leaves += one.keyPackage.leafNode.encoded.count
            if bound(leaves: leaves, added: batch.count + 1, before: before) > GiftWrap.longestRumor {
                guard !batch.isEmpty else { break }
                batches.append(batch)
                before += batch.count
                batch = []
            }
            guard bound(leaves: leaves, added: batch.count + 1, before: before) <= GiftWrap.longestRumor else { break }
            batch.append(one)
        }
        batches.append(batch)
        guard batches.joined().count == people.count else {
            throw MarmotError(.tooLarge, "The group is so large that its Welcome fits into no gift wrap.")
        }
        return batches.filter { !$0.isEmpty }
    }

    private func bound(leaves: Int, added: Int, before: Int) -> Int {
        let places = members + before + added
        let depth = places.bitWidth - places.leadingZeroBitCount + 1
        // Who is new stands in the list of unmerged leaves of each node above them, and there are nodes above.
        let tree = leaves + (added + before) * (4 + 4 * depth) + depth * Self.node
        let welcome = fixed + tree + added * Self.secretsOfOne
        return Base64.length(ofBytes: welcome) + relays + Self.json
    }

    /// A node above leaves: a key, a hash, and lengths.
    private static let node = 80
    /// Reference, key and ciphertext of one person's secrets.
    private static let secretsOfOne = 160
    /// Confirmation tag, signature, lengths and versions, and what grows in a committer's leaf and a young context.
    private static let signedParts = 400
    /// Names, ids and brackets of the JSON, and the name of a program.
    private static let json = 600
}
