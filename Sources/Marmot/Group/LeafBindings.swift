internal import Crypto
internal import MLS
public import NostrCore

/// Tells one leaf from another for good, also after it renewed its key for signatures.
public struct LeafID: Hashable, Sendable {
    /// A digest, whole: who could make two leaves share a shorter one could pass off one as the other.
    public let rawValue: Bytes32

    /// A digest that was kept.
    public init(rawValue: Bytes32) { self.rawValue = rawValue }

    /// The digest in hex, as it is kept.
    public var hex: String { encodeHex(rawValue.array) }

    /// Reads what was kept; `nil` for what is none.
    public init?(hex: String) {
        guard let bytes = try? decodeHex(hex, byteCount: 32), let rawValue = try? Bytes32(bytes.span) else {
            return nil
        }
        self.init(rawValue: rawValue)
    }
}

/// Which leaves are known to be those of the people they name.
///
/// MLS proves that a message comes from a leaf, and that whoever added the leaf was in the group; that it is really the
/// person's whose key stands in it, only that person can say: by the event that published the leaf's key package, or by
/// the seal around a Welcome that the leaf signed. A leaf stays what it is while it renews its key for signatures, by a
/// commit or an update that its old key signed.
///
/// What is known does not depend on the epoch, and so outlasts a group that goes back. Source: MIP-00.
struct LeafBindings: Hashable, Sendable {
    /// A person and a key for signatures that a leaf has or had.
    struct Claim: Hashable, Sendable {
        let person: PublicKey
        let signatureKey: [UInt8]

        init(_ person: PublicKey, _ key: SignaturePublicKey) { (self.person, signatureKey) = (person, key.bytes) }

        init(_ person: PublicKey, bytes: [UInt8]) { (self.person, signatureKey) = (person, bytes) }
    }

    private var leaves: [Claim: LeafID] = [:]
    /// The claims, the oldest first.
    private var order: [Claim] = []
    private var proven: Set<LeafID> = []

    subscript(_ claim: Claim) -> LeafID? { leaves[claim] }

    func isProven(_ leaf: LeafID) -> Bool { proven.contains(leaf) }

    /// A leaf is in the group.
    mutating func meet(_ claim: Claim) {
        guard leaves[claim] == nil else { return }
        insert(claim, LeafID(claim))
    }

    /// A leaf has another key, and its old one signed that.
    mutating func pass(from old: Claim, to new: Claim) {
        guard old.person == new.person else { return meet(new) }
        meet(old)
        guard let leaf = leaves[old], leaf != leaves[new] else { return }
        if let known = leaves[new] {
            // It was met first by its new key: both are one leaf.
            if proven.contains(leaf) { proven.insert(known) }
        } else {
            insert(new, leaf)
        }
    }

    /// The person says that a key is theirs; gives whether that is news.
    @discardableResult
    mutating func prove(_ claim: Claim) -> Bool {
        meet(claim)
        return leaves[claim].map { proven.insert($0).inserted } ?? false
    }

    private mutating func insert(_ claim: Claim, _ leaf: LeafID) {
        leaves[claim] = leaf
        order.append(claim)
    }

    /// Forgets keys that no leaf has any more, where there are many.
    mutating func forget(besides current: Set<Claim>) {
        let most = 4 * current.count + 64
        var surplus = order.count - most
        guard surplus > 0 else { return }
        order.removeAll { claim in
            guard surplus > 0, !current.contains(claim) else { return false }
            surplus -= 1
            leaves[claim] = nil
            return true
        }
    }
}

extension LeafID {
    /// A leaf is called by the first key it was met with.
    fileprivate init(_ claim: LeafBindings.Claim) {
        let digest = Array(SHA256.hash(data: claim.person.bytes.array + claim.signatureKey))
        // A digest always has 32 bytes.
        self.init(rawValue: (try? Bytes32(digest.span)) ?? Bytes32())
    }
}

extension LeafBindings: MLSCodable {
    private static let version: UInt8 = 1

    init(from reader: inout Reader) throws(MLSError) {
        guard try reader.integer(UInt8.self) == Self.version else {
            throw MLSError.malformed("bindings of another version")
        }
        let all = try reader.vector { (one) throws(MLSError) in
            let claim = Claim(PublicKey(try one.bytes32()), bytes: try one.opaque())
            return (claim, LeafID(rawValue: try one.bytes32()))
        }
        for (claim, leaf) in all where leaves[claim] == nil { insert(claim, leaf) }
        proven = Set(try reader.vector { (one) throws(MLSError) in LeafID(rawValue: try one.bytes32()) })
    }

    func write(to writer: inout Writer) {
        writer.integer(Self.version)
        writer.vector(order) { writer, claim in
            writer.fixed(claim.person.bytes.array)
            writer.opaque(claim.signatureKey)
            writer.fixed((leaves[claim] ?? LeafID(claim)).rawValue.array)
        }
        writer.vector(proven.map(\.rawValue.array).sorted { $0.lexicographicallyPrecedes($1) }) { $0.fixed($1) }
    }
}
