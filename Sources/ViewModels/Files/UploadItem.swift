public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A file on its way, as a screen shows it.
public struct UploadItem: Hashable, Sendable {
    /// What one server did with it.
    public struct Place: Hashable, Sendable {
        /// The server's name.
        public let name: String
        /// Whether it has the file.
        public let isThere: Bool
        /// What it said, or that it is asked; empty where it has the file.
        public let words: String
    }

    /// What it is called in addresses.
    public let id: String
    /// What the file is called.
    public let name: String
    /// What can be seen or heard in it.
    public let description: String
    /// Its size, in words.
    public let size: String
    /// How far it is, from 0 to 100; `nil` while it is not being sent.
    public let percent: Int?
    /// Whether a server has it, none took it, or neither is known yet.
    public let standing: OwnFile.Standing
    /// How it stands, in words; empty where a server has it.
    public let words: String
    /// The servers.
    public let places: [Place]
    /// Where everybody gets it; `nil` before a server has it.
    public let url: String?
    /// Its MIME type.
    public let type: String
    /// What a note says of it; `nil` before a server has it.
    public let attachment: Tag?
    /// Whether some server may be asked again.
    public let canRetry: Bool

    /// Shows a moment of one.
    public init(_ upload: FileUpload) {
        let file = upload.file
        id = file.id
        name = Self.name(file)
        description = oneLine(file.description, limit: 1000)
        size = FileWords.size(file.stored?.size ?? file.size)
        let sent = file.standing == .waiting ? upload.sent : nil
        percent = sent.map { file.size > 0 ? Int(min(100, max(0, $0 * 100 / file.size))) : 0 }
        standing = file.standing
        places = file.places.map { place in
            Place(
                name: place.server?.domain ?? place.address, isThere: place.standing == .there,
                words: place.standing == .there ? "" : place.refusal?.sentence ?? FileWords.waiting)
        }
        url = file.stored.flatMap { webAddress($0.url) }
        type = file.stored?.type ?? file.type
        attachment = file.attachment
        canRetry = file.standing == .failed || file.places.contains { $0.standing == .failed } || upload.awaitsSigner
        words = Self.words(upload, percent)
    }

    private static func words(_ upload: FileUpload, _ percent: Int?) -> String {
        switch upload.file.standing {
        case .stored: return ""
        case .waiting where upload.awaitsSigner: return FileWords.awaitsSigner
        case .waiting: return percent.map(FileWords.sent) ?? FileWords.waiting
        case .failed where upload.file.isUnsigned: return FileWords.isUnsigned
        case .failed:
            return upload.file.places.compactMap { place in
                place.refusal.map { "\(place.server?.domain ?? place.address): \($0.sentence)" }
            }.joined(separator: " ")
        }
    }

    /// What a file is called; one without a name by its hash.
    static func name(_ file: OwnFile) -> String {
        let name = oneLine(file.name, limit: 80)
        return name.isEmpty ? String(file.hash.prefix(12)) : name
    }
}
