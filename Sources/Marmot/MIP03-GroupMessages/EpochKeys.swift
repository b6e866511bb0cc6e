internal import Crypto
public import MLS
public import NostrCore

/// What an epoch of a group lends to Nostr: the keys of its events and of its media, and the id on its events.
///
/// Source: MIP-03, MIP-04; the labels are MDK's.
public struct EpochKeys: Sendable {
    /// The epoch of MLS they are drawn from.
    public let epoch: UInt64
    /// The id on the events of this epoch.
    public let nostrGroupID: Bytes32
    let groupEvent: SymmetricKey
    let media: SymmetricKey

    /// The keys of the epoch a group is in.
    ///
    /// - Parameter data: what the group says of itself in this epoch.
    public init(of group: Group, _ data: GroupData) throws(MarmotError) {
        (epoch, nostrGroupID) = (group.epoch, data.nostrGroupID)
        (groupEvent, media) = try throughMLS("The group gives no key.") { () throws(MLSError) in
            func key(_ context: String) throws(MLSError) -> SymmetricKey {
                SymmetricKey(data: try group.export(label: "marmot", context: Array(context.utf8), count: 32))
            }
            return (try key("group-event"), try key("encrypted-media"))
        }
    }
}

/// The keys of the epoch a group is in, and of some before it.
///
/// An event does not say of which epoch it is; each key is tried. It holds secrets: whoever stores it encrypts it.
/// Source: MIP-03.
public struct EpochKeyring: Sendable {
    /// How many past epochs are kept at most.
    public static let lookback = 5

    /// The newest first.
    public private(set) var epochs: [EpochKeys]

    /// The keys of one epoch.
    public init(_ keys: EpochKeys) { epochs = [keys] }

    /// Keeps the keys of a new epoch, in place of what was known of it and of all after it, and drops the oldest.
    public mutating func enter(_ keys: EpochKeys) {
        epochs.removeAll { $0.epoch >= keys.epoch }
        epochs = [keys] + epochs.filter { keys.epoch - $0.epoch <= UInt64(Self.lookback) }
    }

    /// The keys to send with.
    public var current: EpochKeys? { epochs.first }

    /// The ids by which relays know the group: what to ask them for.
    public var nostrGroupIDs: Set<Bytes32> { Set(epochs.map(\.nostrGroupID)) }

    /// The keys of one epoch, for instance for the media of a late message.
    public subscript(_ epoch: UInt64) -> EpochKeys? { epochs.first { $0.epoch == epoch } }
}

extension EpochKeys: MLSCodable {
    /// Reads what ``write(to:)`` wrote.
    public init(from reader: inout Reader) throws(MLSError) {
        epoch = try reader.integer()
        let id = try reader.fixed(32)
        do { nostrGroupID = try Bytes32(id.span) } catch { throw MLSError.malformed("an id of another length") }
        groupEvent = SymmetricKey(data: try reader.fixed(32))
        media = SymmetricKey(data: try reader.fixed(32))
    }

    /// Appends the keys.
    public func write(to writer: inout Writer) {
        writer.integer(epoch)
        writer.fixed(nostrGroupID.array)
        for key in [groupEvent, media] { unsafe key.withUnsafeBytes { unsafe writer.fixed(Array($0)) } }
    }
}

extension EpochKeyring: MLSCodable {
    /// Reads what ``write(to:)`` wrote.
    ///
    /// - Throws: `malformed` unless the epochs fall, and are at most six.
    public init(from reader: inout Reader) throws(MLSError) {
        epochs = try reader.vector()
        guard let newest = epochs.first, epochs.count <= Self.lookback + 1,
            zip(epochs, epochs.dropFirst()).allSatisfy({ $0.epoch > $1.epoch }),
            epochs.allSatisfy({ newest.epoch - $0.epoch <= UInt64(Self.lookback) })
        else { throw MLSError.malformed("the epochs of a keyring") }
    }

    /// Appends the keys.
    public func write(to writer: inout Writer) { writer.vector(epochs) { $1.write(to: &$0) } }
}
