import CVips
import MediaFormats
import NostrNIPs

/// The most bytes of a file that is read into memory.
private let mostInMemory: Int64 = 64 << 20

/// The most bytes of a film.
private let mostOfFilm: Int64 = 4 << 30

/// Dots of the longest side of what codes of a picture are computed from.
private let farAway = 100

/// Writes a picture that is fit to be published; the library was started for its format.
func prepare(picture file: InputFile, as format: MediaFormat, to output: OutputFile) throws(Failure) -> Result {
    let (bytes, head) = try opened(file, as: format)
    let (width, height) = (Int(head.width), Int(head.height))
    let isAnimated = moves(bytes, head, format)
    let plan = PicturePlan(
        format, bytes: bytes.count, width: width, height: height, orientation: Int(head.orientation),
        isAnimated: isAnimated)
    guard case .rewritten(let longest) = plan else {
        let picture = try Picture.read(bytes, head, longest: farAway)
        guard let cleaned = MetadataRemoval.cleaned(bytes, as: format) else { throw .broken }
        try output.write(cleaned, at: 0)
        return try result(format, width, height, picture)
    }
    let picture = try Picture.read(bytes, head, longest: longest)
    let target = PicturePlan.target(
        of: format, bytes: bytes.count, width: width, height: height, isTransparent: try picture.isTransparent())
    // The second wall: what the library wrote is cleaned as if somebody else had written it.
    guard let written = MetadataRemoval.cleaned(try picture.written(as: target), as: target) else { throw .broken }
    let isUnchanged = head.orientation <= 1 && max(width, height) <= longest
    if isUnchanged, let cleaned = MetadataRemoval.cleaned(bytes, as: format), cleaned.count <= written.count {
        try output.write(cleaned, at: 0)
        return try result(format, width, height, try picture.smaller(farAway))
    }
    try output.write(written, at: 0)
    return try result(target, picture.width, picture.height, try picture.smaller(farAway))
}

/// Writes a picture where no library is there to read it: one that needs nothing but to lose its metadata.
///
/// What would have to be turned, made smaller or written in another format is left to whoever can do that: a browser
/// draws it anew and brings that.
func prepareUndecoded(
    picture file: InputFile, as format: MediaFormat, to output: OutputFile
) throws(Failure) -> Result {
    guard file.byteCount <= mostInMemory else { throw .tooLarge }
    let bytes = file.bytes(at: 0, count: Int(file.byteCount))
    guard let head = PictureHead(bytes, as: format) else { throw .noLibrary }
    guard head.width <= PixelSize.largest, head.height <= PixelSize.largest,
        head.width * head.height <= PicturePlan.mostDots
    else { throw .tooManyDots }
    let isAnimated = MetadataRemoval.isAnimated(bytes, as: format)
    guard head.isReady(format, bytes: bytes.count, isAnimated: isAnimated) else { throw .noLibrary }
    guard let cleaned = MetadataRemoval.cleaned(bytes, as: format) else { throw .broken }
    try output.write(cleaned, at: 0)
    return Result(type: format.types.first ?? "", width: head.width, height: head.height)
}

/// Writes a picture of somebody else's that is only to be shown here, with no side longer than so many dots.
///
/// What is small is cheap to look at, whoever made it; one that moves stays as it is but for its metadata.
func shrink(
    picture file: InputFile, as format: MediaFormat, longest: Int, to output: OutputFile
) throws(Failure) -> Result {
    let (bytes, head) = try opened(file, as: format)
    if moves(bytes, head, format) || format == .gif {
        guard let cleaned = MetadataRemoval.cleaned(bytes, as: format) else { throw .broken }
        try output.write(cleaned, at: 0)
        return Result(type: format.types.first ?? "", width: Int(head.width), height: Int(head.height))
    }
    let picture = try Picture.read(bytes, head, longest: longest)
    let target: MediaFormat = try picture.isTransparent() ? (format == .webp ? .webp : .png) : .jpeg
    try output.write(try picture.written(as: target), at: 0)
    return Result(type: target.types.first ?? "", width: picture.width, height: picture.height)
}

/// The bytes of a picture, and what its head says, once it is known not to be too large.
private func opened(
    _ file: InputFile, as format: MediaFormat
) throws(Failure) -> (bytes: [UInt8], head: LinnetPictureHead) {
    guard file.byteCount <= mostInMemory else { throw .tooLarge }
    let bytes = file.bytes(at: 0, count: Int(file.byteCount))
    let head = try Picture.head(of: bytes)
    for (width, height) in [(Int(head.width), Int(head.height)), format.canvas(of: bytes) ?? (0, 0)] {
        guard width <= PixelSize.largest, height <= PixelSize.largest, width * height <= PicturePlan.mostDots else {
            throw .tooManyDots
        }
    }
    return (bytes, head)
}

private func moves(_ bytes: [UInt8], _ head: LinnetPictureHead, _ format: MediaFormat) -> Bool {
    MetadataRemoval.isAnimated(bytes, as: format) || head.pages > 1 && format == .webp
}

/// What is said of a picture, by a small copy of it.
private func result(
    _ format: MediaFormat, _ width: Int, _ height: Int, _ small: borrowing Picture
) throws(Failure) -> Result {
    let dots = try small.dots()
    return Result(
        type: format.types.first ?? "", width: width, height: height, blurhash: BlurHash(dots).text,
        thumbhash: ThumbHash.bytes(of: dots).map { ThumbHash.text(of: $0) })
}

/// Writes a film or a sound without its metadata.
func prepare(
    other file: InputFile, as format: MediaFormat, said: String, to output: OutputFile
) throws(Failure) -> Result {
    var result = Result(type: format.type(said: said))
    guard format == .film || format == .matroska else {
        guard file.byteCount <= mostInMemory else { throw .tooLarge }
        let bytes = file.bytes(at: 0, count: Int(file.byteCount))
        guard let cleaned = MetadataRemoval.cleaned(bytes, as: format) else { throw .broken }
        try output.write(cleaned, at: 0)
        return result
    }
    guard file.byteCount <= mostOfFilm else { throw .tooLarge }
    guard let parts = ErasedParts(in: file, as: format) else { throw .broken }
    try output.copy(file, upTo: parts.end)
    for range in parts.blanks { try output.blank(range.clamped(to: 0..<parts.end)) }
    for patch in parts.patches where patch.place + Int64(patch.bytes.count) <= parts.end {
        try output.write(patch.bytes, at: patch.place)
    }
    result.width = parts.width
    result.height = parts.height
    result.milliseconds = parts.milliseconds
    return result
}
