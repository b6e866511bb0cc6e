/// Files and the picture of the group.
///
/// Source: MIP-01, MIP-04.
extension GroupSession {
    /// Encrypts a file for those who are in the group now.
    ///
    /// The message that names it must be sent in the epoch that is given back: the others open it with the keys of the
    /// message's epoch.
    ///
    /// - Throws: `notAllowed` if we are no member, what ``EpochKeys/seal(_:type:filename:using:)`` throws.
    public func seal(
        _ file: [UInt8], type: String, filename: String, using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> (reference: MediaReference, encrypted: [UInt8], epoch: UInt64) {
        guard isMember, let keys = group.keyring.current else {
            throw MarmotError(.notAllowed, "We are not in the group any more.")
        }
        let (reference, encrypted) = try keys.seal(file, type: type, filename: filename, using: &random)
        return (reference, encrypted, keys.epoch)
    }

    /// The key of a file that a message of an epoch names; nil once the keys of that epoch are forgotten.
    public func mediaKey(of reference: MediaReference, in epoch: UInt64) -> MediaKey? {
        group.keyring[epoch]?.key(of: reference)
    }
}

/// Another picture for a group, or none.
public enum GroupImageEdit: Hashable, Sendable {
    /// This one, which is uploaded.
    case set(GroupImage)
    /// None any more.
    case remove
}
