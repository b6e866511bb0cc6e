internal import NostrCore
public import NostrNIPs

/// A picture, film or sound as a screen shows it.
///
/// All addresses are checked to be of the web; whether they may be loaded is for settings to say.
public struct MediaItem: Hashable, Sendable {
    /// How it is shown.
    public enum Sort: Hashable, Sendable {
        case picture, film, sound
    }

    /// One place it can be loaded from.
    public struct Source: Hashable, Sendable {
        /// The address.
        public let address: String
        /// The type, as its author says.
        public let type: String?
        /// What file it is, as its author says (`x`).
        public let hash: BlobHash?

        /// Whether it is a list of pieces (HLS).
        var isList: Bool {
            let path = address.prefix { $0 != "?" && $0 != "#" }
            return type?.lowercased().contains("mpegurl") == true || path.lowercased().hasSuffix(".m3u8")
        }
    }

    /// What stands in its place until it is loaded.
    public enum Placeholder: Hashable, Sendable {
        /// Drawn from a BlurHash.
        case blur(String)
        /// Drawn from a ThumbHash.
        case thumb(String)
    }

    /// How it is shown.
    public let sort: Sort
    /// Where it lies; where that fails, the next.
    public let sources: [Source]
    /// What can be seen or heard, for those who cannot; `nil` where its author said nothing.
    public let description: String?
    /// How large it says it is; room is kept for it.
    public let size: PixelSize?
    /// What stands in its place meanwhile.
    public let placeholder: Placeholder?
    /// Pictures that stand for a film.
    public let posters: [String]
    /// How long it plays.
    public let duration: Duration?
    /// How loud a sound is over time, 0 to 100; empty where its author does not say.
    public let waveform: [Int]
    /// Who is where in it.
    public let marks: [Mark]

    /// Somebody in a picture.
    public struct Mark: Hashable, Sendable {
        /// Who.
        public let person: PersonItem
        /// What to call them beside their mark.
        public let name: String
        /// Dots from the left and from the top of ``MediaItem/size``.
        public let x: Int, y: Int
    }

    /// The address that was named first.
    public var address: String { sources.first?.address ?? "" }

    /// Whether it is a film that lies nowhere but in pieces (HLS), which not every browser plays.
    public var isInPieces: Bool { sort == .film && sources.allSatisfy(\.isList) }

    /// How many addresses of one file are tried.
    static let mostSources = 8

    /// Reads what is said of a file, or of one file in several forms; `nil` without an address of the web.
    ///
    /// - Parameters:
    ///   - sort: how it is shown; `nil` lets the type decide.
    ///   - description: said of the whole, where nothing is said of the file.
    ///   - people: those who may be pointed at, as far as they are known; nobody who is muted.
    init?(
        _ files: [MediaAttachment], as sort: Sort? = nil, description: String? = nil,
        people: [PublicKey: PersonItem] = [:]
    ) {
        guard let first = files.first else { return nil }
        let sources = files.flatMap { file in
            let hash = file.hash.flatMap { BlobHash(hex: $0) }
            return file.addresses.compactMap(webAddress).map { Source(address: $0, type: file.type, hash: hash) }
        }
        guard !sources.isEmpty, let shown = sort ?? Sort(first.medium) else { return nil }
        self.sort = shown
        self.sources = Array(sources.withoutRepetition(of: \.address).prefix(Self.mostSources))
        self.description = (files.compactMap(\.description).first ?? description).flatMap(Self.told)
        size = files.compactMap(\.dimensions).first
        marks = Self.marks(on: first, people)
        placeholder = files.compactMap(Placeholder.init).first
        posters = Array(files.flatMap { $0.previews + $0.thumbnails }.compactMap(webAddress).prefix(3))
        duration = files.compactMap(\.duration).first
        waveform = files.map(\.waveform).first { $0.count > 1 } ?? []
    }

    /// Where nothing is said of its size, or a place lies beside it, nobody can be pointed at.
    private static func marks(on file: MediaAttachment, _ people: [PublicKey: PersonItem]) -> [Mark] {
        guard let size = file.dimensions, !people.isEmpty else { return [] }
        return file.people.withoutRepetition(of: \.person).compactMap { place in
            guard (0...size.width).contains(place.x), (0...size.height).contains(place.y) else { return nil }
            return people[place.person].map { person in
                Mark(person: person, name: "@" + oneLine(person.name, limit: 24), x: place.x, y: place.y)
            }
        }
    }

    /// Some programs write the address as description, which tells nobody anything.
    private static func told(_ text: String) -> String? {
        let line = oneLine(text, limit: 1000)
        return line.isEmpty || webAddress(line) != nil ? nil : line
    }
}

extension MediaItem.Sort {
    init?(_ medium: ContentToken.MediaType?) {
        switch medium {
        case .image: self = .picture
        case .video: self = .film
        case .audio: self = .sound
        case nil: return nil
        }
    }
}

extension MediaItem.Placeholder {
    /// The first of the two that can be drawn.
    init?(_ file: MediaAttachment) { self.init(thumb: file.thumbhash, blur: file.blurhash) }

    /// The first of the two that can be drawn.
    init?(thumb: String?, blur: String?) {
        if let text = thumb, ThumbHash(text) != nil {
            self = .thumb(text)
        } else if let text = blur, BlurHash(text) != nil {
            self = .blur(text)
        } else {
            return nil
        }
    }

    /// The colours of a grid, row by row: what stands in a page itself, of what no browser may ask for or keep.
    ///
    /// Shape: `side` times `side` colours of red, green and blue; `nil` where it cannot be drawn.
    public func colours(_ side: Int) -> [(red: UInt8, green: UInt8, blue: UInt8)]? {
        guard let image, side > 0 else { return nil }
        return (0..<side * side).map { cell in
            let x = (2 * (cell % side) + 1) * image.width / (2 * side)
            let y = (2 * (cell / side) + 1) * image.height / (2 * side)
            let place = (y * image.width + x) * 4
            guard image.samples.indices.contains(place + 2) else { return (0, 0, 0) }
            return (image.samples[place], image.samples[place + 1], image.samples[place + 2])
        }
    }

    /// Draws it, small: a browser makes it as large as what it stands for.
    public var image: PixelImage? {
        switch self {
        case .blur(let text): BlurHash(text)?.drawn(width: 24, height: 24)
        case .thumb(let text): ThumbHash(text)?.drawn()
        }
    }
}

extension Array {
    /// The elements in order, of those that say the same the first.
    func withoutRepetition<Value: Hashable>(of value: (Element) -> Value) -> [Element] {
        var seen: Set<Value> = []
        return filter { seen.insert(value($0)).inserted }
    }
}
