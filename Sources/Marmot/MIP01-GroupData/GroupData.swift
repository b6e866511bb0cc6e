public import NostrCore

/// What a group says of itself: its name, its admins, its relays; every member has the same.
///
/// Source: MIP-01, extension 0xF2EE of the group context.
public struct GroupData: Hashable, Sendable {
    /// The version it was read in; which one is written follows from what is in it.
    public internal(set) var version: UInt16 = 2
    /// What relays know the group by; another than that of MLS, and it may change.
    public var nostrGroupID: Bytes32
    /// At most ``longestName`` bytes when written.
    public var name: String
    /// At most ``longestDescription`` bytes when written.
    public var description: String
    /// Who may change the group.
    public var admins: Set<PublicKey>
    /// Where its events are published, as text, which is kept as it came.
    public var relays: [String]
    /// SHA-256 of the encrypted picture.
    public internal(set) var imageHash: Bytes32?
    /// What the key of the picture comes from.
    public internal(set) var imageKey: Bytes32?
    /// The nonce of the picture; 12 bytes.
    public internal(set) var imageNonce: [UInt8]?
    /// What the key comes from that uploads and deletes the picture.
    public internal(set) var imageUploadKey: Bytes32?
    /// After how long messages disappear; whole seconds, at least one; nil for never.
    public var disappearance: Duration?
    /// What a later version has behind everything known here.
    var tail: [UInt8] = []

    /// The longest name that MDK stores, in bytes of UTF-8.
    public static let longestName = 255
    /// The longest description that MDK stores, in bytes of UTF-8.
    public static let longestDescription = 2_000
    /// The most relays; MIP-01 recommends no more.
    public static let mostRelays = 20
    /// The most admins, so that MDK can store them.
    public static let mostAdmins = 500

    /// A group that has no picture and whose messages stay.
    public init(
        nostrGroupID: Bytes32, name: String, description: String = "", admins: Set<PublicKey>, relays: [RelayURL]
    ) {
        (self.nostrGroupID, self.name, self.description) = (nostrGroupID, name, description)
        (self.admins, self.relays) = (admins, relays.map(\.text))
    }

    /// The relays that can be used, in order, each once.
    public var relayURLs: [RelayURL] {
        var seen: Set<RelayURL> = []
        // What is no address cannot be connected to; the text of it stays in `relays`.
        return relays.compactMap { try? RelayURL($0) }.filter { seen.insert($0).inserted }
    }

    /// Checks what we would have others store.
    ///
    /// - Throws: `tooLarge`, `noAdminLeft` without admins, `badTag` without relays.
    public func checkForWriting() throws(MarmotError) {
        guard name.utf8.count <= Self.longestName else { throw MarmotError(.tooLarge, "The name is too long.") }
        guard description.utf8.count <= Self.longestDescription else {
            throw MarmotError(.tooLarge, "The description is too long.")
        }
        guard admins.count <= Self.mostAdmins else { throw MarmotError(.tooLarge, "There are too many admins.") }
        guard relays.count <= Self.mostRelays else { throw MarmotError(.tooLarge, "There are too many relays.") }
        guard !admins.isEmpty else { throw MarmotError(.noAdminLeft, "A group needs an admin.") }
        guard !relayURLs.isEmpty else { throw MarmotError(.badTag, "A group needs a relay.") }
    }
}
