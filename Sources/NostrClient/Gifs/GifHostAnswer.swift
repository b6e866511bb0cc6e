internal import NostrNIPs

/// What a host of GIFs answered: JSON of strangers, of which only what makes sense is taken.
struct GifHostAnswer: Hashable, Sendable {
    /// The longest answer that is read, in bytes.
    static let longest = 1 << 20
    private static let most = 100
    /// The forms of one GIF that may be put into a note, the best first.
    private static let forms = ["original", "fixed_height", "downsized"]
    /// The forms that are small enough for a page with many.
    private static let smallForms = [
        "fixed_width_small", "fixed_height_small", "fixed_height_downsampled", "preview_gif",
    ]
    static let wantedVariants = forms + smallForms

    /// The GIFs, in the host's order.
    let gifs: [Gif]

    /// Reads an answer.
    ///
    /// - Throws: ``GifHostProblem`` for what is no list of GIFs, and for an empty one by which the host says that it is
    ///   out of order.
    init(_ bytes: [UInt8]) throws(GifHostProblem) {
        // Why it is no JSON is the host's affair.
        guard bytes.count <= Self.longest, let value = try? JSONValue(bytes), case .array(let entries)? = value["data"]
        else { throw .unreadable }
        if entries.isEmpty, let id = value["meta"]?["response_id"]?.string, id.isEmpty { throw .unreadable }
        var seen: Set<String> = []
        gifs = entries.prefix(Self.most).compactMap(Self.gif).filter { seen.insert($0.file.url).inserted }
    }

    private static func gif(_ entry: JSONValue) -> Gif? {
        guard let images = entry["images"], var file = form(of: images) else { return nil }
        file.thumbnails = smallForms.compactMap { images[$0]?["url"]?.string }.filter(isAddress)
        let title =
            [entry["alt_text"], entry["title"]].compactMap { $0?.string }
            .first { $0.contains { !$0.isWhitespace } } ?? ""
        file.description = title.isEmpty ? nil : String(title.prefix(200))
        return Gif(file, title: String(title.prefix(200)), source: .host)
    }

    /// The best form that is not too large; one that does not say how large it is only where no other is there.
    private static func form(of images: JSONValue) -> MediaAttachment? {
        var unsized: MediaAttachment?
        for name in forms {
            guard let image = images[name], let url = image["url"]?.string, isAddress(url) else { continue }
            var file = MediaAttachment(url: url)
            file.type = FileMetadata.gifType
            if let width = number(image["width"]), let height = number(image["height"]) {
                file.dimensions = PixelSize(width: Int(clamping: width), height: Int(clamping: height))
            }
            guard let size = number(image["size"]), size > 0 else {
                // The smaller forms come later.
                unsized = file
                continue
            }
            guard size <= Gifs.largest else { continue }
            file.byteCount = size
            return file
        }
        return unsized
    }

    /// A number, which the host writes as text.
    private static func number(_ value: JSONValue?) -> Int64? {
        value?.integer ?? value?.string.flatMap { $0.utf8.count <= 18 ? Int64($0) : nil }
    }

    private static func isAddress(_ text: String) -> Bool {
        let lower = text.prefix(8).lowercased()
        return text.utf8.count <= 2048 && (lower.hasPrefix("https://") || lower.hasPrefix("http://"))
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"'<>\\^`{|}".utf8.contains($0) }
    }
}

/// Why a host of GIFs gave none.
public enum GifHostProblem: Error, Hashable, Sendable {
    /// This cannot be a key.
    case noKey
    /// The key was kept for another host.
    case otherHost
    /// It does not know the key (401, 403).
    case refusedKey
    /// It was asked too often (429).
    case tooMany
    /// It does not answer, or not in time.
    case unreachable
    /// Its answer is no list of GIFs.
    case unreadable
}
