internal import MLS

/// A group as bytes, and back; they hold every secret of it.
extension MarmotGroup {
    /// The whole group in one piece.
    var saved: [UInt8] {
        var writer = Writer()
        writer.opaque(mls.saved.encoded)
        keyring.write(to: &writer)
        return writer.bytes
    }

    init(saved bytes: [UInt8], profile: any MarmotProfile, policy: any GroupPolicy) throws(MarmotError) {
        let (group, keyring) = try throughMLS("A saved group cannot be read.", .malformed) { () throws(MLSError) in
            // What we wrote ourselves is as long as it is.
            var options = CodecOptions()
            options.maximumVectorLength = max(options.maximumVectorLength, bytes.count)
            var reader = Reader(bytes, options: options)
            return (try SavedGroup(bytes: reader.opaque(), options: options), try reader.rest())
        }
        try self.init(group, keyring: keyring, profile: profile, policy: policy)
    }

    init(
        _ saved: SavedGroup, keyring bytes: [UInt8], profile: any MarmotProfile, policy: any GroupPolicy
    ) throws(MarmotError) {
        let (group, keyring) = try throughMLS("A saved group cannot be read.", .malformed) { () throws(MLSError) in
            (try Group(saved, policy: policy, options: profile.groupOptions), try EpochKeyring(bytes: bytes))
        }
        guard keyring.current?.epoch == group.epoch else {
            throw MarmotError(.malformed, "The keys of a saved group are those of another epoch.")
        }
        try self.init(group, keyring: keyring, profile: profile)
    }
}
