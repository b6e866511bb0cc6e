/// Takes out of a file what tells where, when, by what and by whom it was made, without touching what is shown.
///
/// Only parts that are known to be needed stay; what is behind the end of a file's own form is cut off, so a file that
/// is two things at once becomes one. Reads each byte once and never more than there is.
public enum MetadataRemoval {
    /// The file without metadata.
    ///
    /// - Returns: `nil` when it is not of this format, or is so damaged that what must go cannot be told from what must
    ///   stay; also for ``MediaFormat/film`` and ``MediaFormat/matroska``, which ``ErasedParts`` is for, and for formats
    ///   that are never kept.
    public static func cleaned(_ bytes: [UInt8], as format: MediaFormat) -> [UInt8]? {
        switch format {
        case .jpeg: JPEG.cleaned(bytes)
        case .png: PNG.cleaned(bytes)
        case .gif: GIF.cleaned(bytes)
        case .webp: RIFF.cleaned(bytes, as: .webp)
        case .wave: RIFF.cleaned(bytes, as: .wave)
        case .mp3: MP3.cleaned(bytes)
        case .flac: FLAC.cleaned(bytes)
        case .heic, .avif, .film, .matroska: nil
        }
    }

    /// Whether a picture moves.
    public static func isAnimated(_ bytes: [UInt8], as format: MediaFormat) -> Bool {
        switch format {
        case .png: PNG.isAnimated(bytes)
        case .webp: RIFF.isAnimated(bytes)
        default: false
        }
    }
}
