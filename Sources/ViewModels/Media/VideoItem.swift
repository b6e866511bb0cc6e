internal import NostrNIPs

/// A film with what its author says of it, as a screen shows it.
public struct VideoItem: Hashable, Sendable {
    /// The film; `nil` where nothing can be played.
    ///
    /// Its sources are its forms, the best that most devices play first.
    public let film: MediaItem?
    /// Sounds of their own, by language.
    public let sounds: [Sound]
    /// Whether its author calls it short.
    public let isShort: Bool
    /// What it is about, where the text says nothing.
    public let description: String?
    /// How long it plays, as `1:05`.
    public let length: String?
    /// The parts it has.
    public let chapters: [Chapter]
    /// Where its captions lie.
    public let captions: [Caption]
    /// Where it was shown first.
    public let origin: Link?
    /// Pages it refers to.
    public let references: [Link]

    /// A link to somewhere else.
    public struct Link: Hashable, Sendable {
        /// What it is called.
        public let name: String
        /// Where it leads; `nil` for a name alone.
        public let address: String?
    }

    /// A sound that goes along.
    public struct Sound: Hashable, Sendable {
        /// The sound.
        public let item: MediaItem
        /// Its language, and whether that is the film's own; `nil` where its author does not say.
        public let words: String?
    }

    /// A part of a film.
    public struct Chapter: Hashable, Sendable {
        /// When it begins, as `1:05`.
        public let start: String
        /// What it is called.
        public let title: String
    }

    /// A text that goes along with a film.
    public struct Caption: Hashable, Sendable {
        /// Where it lies.
        public let address: String
        /// The language, where its author says it, else the sort.
        public let name: String
    }

    init(_ post: VideoPost) {
        description = post.description.map { oneLine($0, limit: 1000) }
        film = MediaItem(Self.ordered(post.variants), as: .film, description: post.description ?? post.title)
        sounds = post.sounds.prefix(8).compactMap { file in
            let words = file.language.map {
                NoteWords.sound(oneLine($0, limit: 12), isOriginal: file.isOriginalLanguage)
            }
            return MediaItem([file], as: .sound, description: words).map { Sound(item: $0, words: words) }
        }
        origin = post.origin.map { origin in
            let (name, address) = (oneLine(origin.platform, limit: 40), origin.address.flatMap(webAddress))
            return Link(name: NoteWords.origin(name, host: address.map(webHost)), address: address)
        }
        references = post.references.compactMap(webAddress).prefix(8).map { Link(name: webHost(of: $0), address: $0) }
        isShort = post.isShort
        length = post.duration.map(spokenLength)
        chapters = post.segments.prefix(50).map {
            Chapter(start: spokenLength($0.start), title: oneLine($0.title, limit: 120))
        }
        captions = post.textTracks.compactMap { track in
            guard let address = webAddress(track.source) else { return nil }
            return Caption(address: address, name: oneLine(track.language ?? track.sort ?? "captions", limit: 20))
        }
    }

    /// Files before lists of pieces, which not every browser plays; of files the largest up to 1920 dots first.
    private static func ordered(_ variants: [MediaAttachment]) -> [MediaAttachment] {
        func rank(_ file: MediaAttachment) -> Int {
            let width = file.dimensions.map { max($0.width, $0.height) } ?? 1
            let size = width > 1920 ? 200_000 + width : 100_000 - width
            let isList = file.type?.contains("mpegurl") == true || file.url.hasSuffix(".m3u8")
            return (isList ? 1_000_000 : 0) + size
        }
        return variants.enumerated().sorted { one, other in
            let (first, second) = (rank(one.element), rank(other.element))
            return first != second ? first < second : one.offset < other.offset
        }.map(\.element)
    }
}

/// How long something plays, as people say it: `0:07`, `1:05`, `1:02:03`.
func spokenLength(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return hours > 0 ? "\(hours):\(two(minutes)):\(two(rest))" : "\(minutes):\(two(rest))"
}
