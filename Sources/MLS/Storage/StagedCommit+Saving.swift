extension StagedCommit {
    /// A commit that is not merged yet, as bytes; they hold secrets.
    ///
    /// For who keeps groups as values; ``StoredGroup`` keeps its commits itself.
    package var saved: [UInt8] {
        var writer = Writer()
        writer.integer(SavedGroup.version)
        write(to: &writer)
        return writer.bytes
    }

    /// Reads a commit that was staged on a group as it still is.
    ///
    /// - Throws: `unsupported`, `malformed`, or what is wrong with the epoch it leads to.
    package init(saved bytes: [UInt8], of group: Group) throws(MLSError) {
        var reader = Reader(bytes, options: group.options.codec)
        try reader.savedVersion()
        self = try StagedCommit(from: &reader, of: group)
        try reader.requireEnd()
    }
}
