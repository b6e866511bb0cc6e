public import MLS
internal import NostrCore

/// The group context of generation B.
///
/// Source: MIP-01; the order is MDK's.
extension GenerationB {
    /// What a group says of itself; a group without it, or that does not require it, is none of Marmot's.
    ///
    /// - Throws: `unsupported` without the extension, or if it is not required of members; `malformed`; `noAdminLeft`
    ///   without admins.
    public func groupData(in extensions: [Extension]) throws(MarmotError) -> GroupData {
        guard let found = extensions.first(where: { $0.type == .marmotGroupData }),
            let required = extensions.first(where: { $0.type == .requiredCapabilities })
        else { throw MarmotError(.unsupported, "The group says nothing of itself that Marmot knows.") }
        let capabilities = try throughMLS("What the group requires cannot be read.", .malformed) {
            () throws(MLSError) in try RequiredCapabilities(bytes: required.data)
        }
        guard capabilities.extensions.contains(.marmotGroupData) else {
            throw MarmotError(.unsupported, "The group does not require what Marmot needs of its members.")
        }
        let data = try throughMLS("What the group says of itself cannot be read.", .malformed) {
            () throws(MLSError) in try GroupData(bytes: found.data)
        }
        guard !data.admins.isEmpty else { throw MarmotError(.noAdminLeft, "The group has no admin.") }
        return data
    }

    /// The extensions of a new group; SelfRemove is required if all who are invited know it.
    ///
    /// MDK asks that somebody is invited too, so a group that is founded alone could never be left without an admin's help;
    /// here it can.
    ///
    /// - Throws: what ``GroupData/checkForWriting()`` throws.
    public func extensions(
        founding data: GroupData, with invited: [KeyPackage]
    ) throws(MarmotError) -> [Extension] {
        try data.checkForWriting()
        let knowsSelfRemove = invited.allSatisfy { $0.leafNode.capabilities.proposals.contains(.selfRemove) }
        let required = RequiredCapabilities(
            extensions: [.marmotGroupData], proposals: knowsSelfRemove ? [.selfRemove] : [], credentials: [])
        return [
            Extension(type: .marmotGroupData, data: data.encoded),
            Extension(type: .requiredCapabilities, data: required.encoded),
        ]
    }

    /// The complete list, every other extension kept as it is.
    ///
    /// - Throws: what ``GroupData/checkForWriting()`` throws.
    public func extensions(_ current: [Extension], with data: GroupData) throws(MarmotError) -> [Extension] {
        try data.checkForWriting()
        return current.map { $0.type == .marmotGroupData ? Extension(type: $0.type, data: data.encoded) : $0 }
    }
}
