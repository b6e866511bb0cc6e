internal import NostrCore
public import NostrNIPs

/// A GIF that may be put into a note: where it lies, and what is said of it.
public struct Gif: Hashable, Sendable, Identifiable {
    /// Who knew of it.
    public enum Source: String, Hashable, Sendable {
        /// Relays: somebody published it as an event (NIP-94).
        case relays
        /// A host of GIFs.
        case host
    }

    /// Where it lies, and what is said of it.
    public var file: MediaAttachment
    /// What it shows, in a few words of its author; may be empty.
    public var title: String
    /// Who knew of it.
    public var source: Source

    /// A GIF.
    public init(_ file: MediaAttachment, title: String, source: Source) {
        self.file = file
        self.title = title
        self.source = source
    }

    /// What it is called on this machine: the hash of its address.
    public var id: String { BlobHash(of: Array(file.url.utf8)).hex }

    /// Where a small picture of it may lie, the best first.
    var previews: [String] { Array((file.thumbnails + file.previews + file.addresses).prefix(4)).uniqued() }
}

extension Gif {
    /// What a file says of itself; `nil` for one that is no GIF, and for one behind a warning, which nobody would read.
    init?(_ event: Event) {
        guard let shared = FileMetadata(event), shared.isGIF,
            !event.tags.contains(where: { $0.name == "content-warning" })
        else { return nil }
        let words = [shared.file.description, shared.summary, shared.text].compactMap { $0 }
        let title = words.first { $0.contains { !$0.isWhitespace } } ?? ""
        self.init(shared.file, title: String(title.prefix(200)), source: .relays)
    }
}

/// A small picture of a GIF on this machine; it is gone with this.
public struct GifPreview: Sendable {
    /// Where it lies.
    public let intake: FileIntake
    /// What its own first bytes say it is.
    public let sort: FileSort
}

/// Why a GIF could not be had.
public enum GifProblem: Error, Hashable, Sendable {
    /// It is not there, too large, or did not come in time.
    case notThere
    /// What lies there is no GIF.
    case notGif
    /// What lies there is not the file that its author described.
    case otherFile
}

/// GIFs that others published, as screens need them; implemented by ``Gifs``.
public protocol GifFinding: Sendable {
    /// GIFs that fit some words, the newest first; without words the newest.
    ///
    /// Relays are asked the first time, and waited for as long as a search may take.
    func search(_ text: String, limit: Int) async throws -> [Gif]
    /// A small picture of one that was found lately; `nil` for another, and where none is to be had.
    func preview(_ id: String) async throws -> GifPreview?
    /// Downloads one to be put into a note.
    ///
    /// - Throws: ``GifProblem``, or what says that the disk has no room.
    func download(_ gif: Gif) async throws -> FileIntake
}
