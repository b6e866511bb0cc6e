internal import Circles
internal import NostrClient
internal import NostrNIPs

/// A sealed file as a screen shows it before it is opened: what its author says of it.
public struct FileItem: Hashable, Sendable {
    /// What it is, in a word: Picture, Film, Sound, File.
    public let sort: String
    /// Its MIME type; empty when it says none.
    public let type: String
    /// How long it is, as people say it: `240 kB`; empty when it does not say.
    public let size: String
    /// Width and height in words; empty when it does not say.
    public let dimensions: String
    /// What it is called; empty where its author does not say.
    public let name: String
    /// What can be seen or heard in it, as its author says; empty where they do not.
    public let description: String
    /// Whether it may be shown within the page, if its bytes are what its author says.
    public let isPicture: Bool
    /// Its width and height, for the room it takes; `nil` when it does not say.
    public let pixels: Pixels?
    /// What it looks like before it is loaded; `nil` where its author gives nothing that can be drawn.
    public let placeholder: MediaItem.Placeholder?
    /// Whether it could be opened at all: a key for it is kept here.
    public let canOpen: Bool

    /// How large a picture is.
    public struct Pixels: Hashable, Sendable {
        /// Dots from left to right.
        public let width: Int
        /// Dots from top to bottom.
        public let height: Int
    }

    init(_ file: EncryptedFile) {
        self.init(
            type: file.type, dimensions: file.dimensions, name: "", size: file.size.map(ConversationWords.size) ?? "",
            description: file.description ?? "", placeholder: MediaItem.Placeholder(thumb: nil, blur: file.blurhash))
    }

    init(_ file: CircleFile) {
        self.init(
            type: file.type, dimensions: file.dimensions, name: file.name, size: "",
            placeholder: MediaItem.Placeholder(thumb: file.thumbhash, blur: file.blurhash), canOpen: file.canOpen)
    }

    private init(
        type: String, dimensions: String?, name: String, size: String, description: String = "",
        placeholder: MediaItem.Placeholder?, canOpen: Bool = true
    ) {
        self.placeholder = placeholder
        let shown = oneLine(type, limit: 60)
        self.type = shown
        sort = ConversationWords.sort(of: shown.prefix { $0 != "/" })
        self.size = size
        self.name = oneLine(name, limit: 80)
        self.description = oneLine(description, limit: 1000)
        self.canOpen = canOpen
        let pixels = dimensions.flatMap { PixelSize($0) }.map { Pixels(width: $0.width, height: $0.height) }
        self.pixels = pixels
        self.dimensions = pixels.map { "\($0.width) × \($0.height)" } ?? ""
        isPicture = FileSort.allCases.contains { $0.isPicture && $0.type == shown.lowercased() }
    }
}
