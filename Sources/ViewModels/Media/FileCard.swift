internal import NostrNIPs

/// A file that somebody published as an event of its own (NIP-94), as a screen shows it.
public struct FileCard: Hashable, Sendable {
    /// The picture, film or sound; `nil` for a file of another sort.
    public let media: MediaItem?
    /// Where the file lies; `nil` where that is no address of the web.
    public let address: String?
    /// What it is, in a word: Picture, Film, Sound, File.
    public let sort: String
    /// Its type and its length, as its author says them; empty where it says nothing.
    public let facts: String
    /// What its author says in a few words, where the text says nothing; `nil` for nothing.
    public let summary: String?

    init(_ shared: FileMetadata) {
        let said = shared.summary ?? shared.file.description
        let description = shared.file.description ?? shared.summary
        media = MediaItem([shared.file], description: description)
        address = webAddress(shared.file.url)
        let type = oneLine(shared.file.type ?? "", limit: 60)
        sort =
            switch media?.sort {
            case .picture: "Picture"
            case .film: "Film"
            case .sound: "Sound"
            case nil: "File"
            }
        facts = [type, shared.file.byteCount.map(FileWords.size) ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
        let isWordless = shared.text.allSatisfy(\.isWhitespace)
        let line = isWordless ? oneLine(said ?? "", limit: 1000) : ""
        summary = line.isEmpty ? nil : line
    }
}
