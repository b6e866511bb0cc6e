internal import MediaFormats

/// What a file tells besides what is seen and heard in it, taken out before it is sealed.
package enum SentFileMetadata {
    /// The file without it; one of no format that tells such things as it is.
    ///
    /// Works in memory: what is to be sealed does not rest on a disk in plain.
    ///
    /// - Throws: ``SealedFileError/tellsTooMuch`` for a picture, film or sound of which it cannot be told what it holds:
    ///   one that is cut off, that hides its parts, or of a format that is not known here well enough.
    package static func removed(from file: [UInt8]) throws(SealedFileError) -> [UInt8] {
        guard let format = format(of: file) else {
            guard !isOpaquePicture(file) else { throw .tellsTooMuch }
            return try PictureMetadata.removed(from: file)
        }
        let plain: [UInt8]? =
            switch format {
            case .jpeg, .heic, .avif: try PictureMetadata.removed(from: file)
            // One that is cut off is refused; of a whole one only what is known to be needed stays.
            case .png: try MetadataRemoval.cleaned(PictureMetadata.removed(from: file), as: format)
            case .film, .matroska: ErasedParts(in: file, as: format)?.erased(from: file)
            case .webp, .gif, .wave, .mp3, .flac: MetadataRemoval.cleaned(file, as: format)
            }
        guard let plain else { throw .tellsTooMuch }
        return plain
    }

    /// Whether a file is a picture that nothing here takes apart and that may say where it was taken: one of a camera's
    /// own format or another TIFF, a JPEG XL or a JPEG 2000.
    private static func isOpaquePicture(_ file: [UInt8]) -> Bool {
        let heads = ["II*\0", "MM\0*", "II+\0", "MM\0+", "\0\0\0\u{C}JXL ", "\0\0\0\u{C}jP  "]
        return heads.contains { file.starts(with: $0.utf8) }
    }

    static func format(of file: [UInt8]) -> MediaFormat? {
        MediaFormat(beginning: Array(file.prefix(MediaFormat.beginning)))
    }
}
