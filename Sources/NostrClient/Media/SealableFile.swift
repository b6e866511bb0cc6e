internal import MediaFormats
internal import NostrCore
package import NostrNIPs

/// A file of the person's that is ready to be sealed: without what it tells besides what is seen and heard in it, and,
/// where it is a picture, upright and no larger than pictures become.
package struct SealableFile: Hashable, Sendable {
    /// What is in it.
    package let bytes: [UInt8]
    /// How large it is on a screen; `nil` where that is not known.
    package var dimensions: PixelSize?
    /// The picture from far away as a BlurHash; `nil` where nothing was computed.
    package var blurhash: String?
    /// The same as a ThumbHash.
    package var thumbhash: String?

    /// A file as far as it can be made ready without opening it as a picture.
    ///
    /// - Throws: ``SealedFileError/tellsTooMuch``.
    fileprivate init(unopened file: [UInt8]) throws(SealedFileError) {
        bytes = try SentFileMetadata.removed(from: file)
        dimensions = Self.dimensions(of: bytes)
    }

    private static func dimensions(of file: [UInt8]) -> PixelSize? {
        if let picture = PixelSize(ofPicture: file) { return picture }
        guard let format = SentFileMetadata.format(of: file), format == .film || format == .matroska,
            let film = ErasedParts(in: file, as: format), let width = film.width, let height = film.height
        else { return nil }
        return PixelSize(width: width, height: height)
    }
}

extension AccountContext {
    /// Makes a file ready to be sealed.
    ///
    /// What is to be sealed is on no disk in clear, neither here nor with what opens a picture (decision 0032). A picture
    /// that cannot be opened here is taken apart, and stays as large as it is.
    ///
    /// - Throws: ``SealedFileError``.
    package func sealable(_ file: [UInt8]) async throws -> SealableFile {
        guard let media, let format = SentFileMetadata.format(of: file), format.isPicture else {
            return try SealableFile(unopened: file)
        }
        do { return try await prepared(file, as: format, by: media.preparing) } catch is MediaProblem {
            // Nothing here takes these apart.
            guard format != .heic, format != .avif else { throw SealedFileError.tellsTooMuch }
            return try SealableFile(unopened: file)
        }
    }

    /// Prepares a picture as those are that are published.
    private func prepared(
        _ file: [UInt8], as format: MediaFormat, by preparing: any MediaPreparing
    ) async throws -> SealableFile {
        let copy = try await preparing.prepare(file, as: format.types.first ?? "")
        // What was made is looked at as if somebody else had made it.
        let made = SentFileMetadata.format(of: copy.bytes)
        guard let made, made.isPicture, made != .heic, made != .avif else { throw SealedFileError.tellsTooMuch }
        guard copy.bytes.count <= OutgoingFile.largest else {
            throw SealedFileError.tooLarge(limit: OutgoingFile.largest)
        }
        var ready = try SealableFile(unopened: copy.bytes)
        if let width = copy.width, let height = copy.height {
            ready.dimensions = PixelSize(width: width, height: height)
        }
        (ready.blurhash, ready.thumbhash) = (copy.blurhash, copy.thumbhash)
        return ready
    }
}
