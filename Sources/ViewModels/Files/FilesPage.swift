public import NostrClient
public import NostrCore
internal import NostrNIPs

/// The files of an account: on their way, and kept on servers.
public struct FilesPage: Equatable, Sendable {
    /// A file that servers keep.
    public struct Row: Equatable, Sendable {
        /// Its hash.
        public let hash: String
        /// What it is called.
        public let name: String
        /// What can be seen or heard in it; `nil` for a file that another program brought.
        public let description: String?
        /// What it is called in addresses of uploads; `nil` for a file that another program brought.
        public let upload: String?
        /// Where everybody gets it.
        public let url: String
        /// Its size, in words.
        public let size: String
        /// Its MIME type.
        public let type: String
        /// When it came there.
        public let uploaded: Timestamp
        /// The servers that have it.
        public let holders: [String]
        /// What became of copies, in words.
        public let copies: [UploadItem.Place]
        /// Whether there are servers of the account's that do not have it.
        public let canMirror: Bool

        /// Whether a browser shows it as a picture.
        public var isPicture: Bool { type.hasPrefix("image/") }
    }

    /// A server, and what is wrong with it.
    public struct Server: Equatable, Sendable {
        /// Its name.
        public let name: String
        /// What it said instead of a list; `nil` where it listed what it has.
        public let problem: String?
    }

    /// Files that no server has yet.
    public let uploads: [UploadItem]
    /// Files that servers keep, the newest first.
    public let rows: [Row]
    /// The account's servers.
    public let servers: [Server]

    /// The most files that a page shows.
    public static let most = 200

    /// Asks the account's servers.
    public static func load(of account: any Account) async throws(Trouble) -> FilesPage {
        guard let files = account.files else { throw Trouble(FileWords.none, canRetry: false) }
        let choice = try await MediaServerChoice.load(of: account)
        return try await troubled {
            let listing = try await files.listing(of: choice.servers)
            return FilesPage(try await files.uploads(), listing, choice)
        }
    }

    init(_ uploads: [FileUpload], _ listing: FileListing, _ choice: MediaServerChoice) {
        self.uploads = uploads.filter { $0.file.standing != .stored }.map(UploadItem.init)
        rows = listing.files.prefix(Self.most).compactMap { Row($0, choice.servers) }
        servers = listing.servers.map { Server(name: $0.server.domain, problem: $0.refusal?.sentence) }
    }
}

extension FilesPage.Row {
    fileprivate init?(_ file: ListedFile, _ servers: [MediaServer]) {
        guard let url = webAddress(file.url) else { return nil }
        let item = file.own.map(UploadItem.init)
        hash = file.hash.hex
        name = item?.name ?? String(file.hash.hex.prefix(12))
        description = item?.description
        upload = item?.id
        self.url = url
        size = FileWords.size(file.size)
        type = oneLine(file.type, limit: 60)
        uploaded = file.uploaded
        holders = file.holders.map(\.domain)
        copies = item?.places.filter { !$0.isThere } ?? []
        canMirror = servers.contains { !file.holders.contains($0) }
    }
}

/// What is done with a file that servers keep.
public struct FileAction: Sendable {
    private let files: any FileKeeping
    private let file: ListedFile
    private let servers: [MediaServer]

    /// Finds a file among those of an account.
    ///
    /// - Throws: a ``Trouble`` for one that is not there.
    public static func load(
        _ hash: String, of account: any Account
    ) async throws(Trouble) -> FileAction {
        guard let files = account.files else { throw Trouble(FileWords.none, canRetry: false) }
        let choice = try await MediaServerChoice.load(of: account)
        let listing = try await troubled { try await files.listing(of: choice.servers) }
        guard let file = listing.files.first(where: { $0.hash.hex == hash }) else {
            throw Trouble(FileWords.unknown, canRetry: false, isMissing: true)
        }
        return FileAction(files: files, file: file, servers: choice.servers)
    }

    /// Deletes it wherever it is known to be; what came of it, in words.
    public func delete() async throws(Trouble) -> String {
        let outcomes = try await troubled { try await files.delete(file.hash, at: file.holders) }
        return FileWords.deleted(outcomes)
    }

    /// Has the other servers of the account copy it.
    public func mirror() async throws(Trouble) {
        try await troubled {
            try await files.mirror(file, to: servers.filter { !file.holders.contains($0) })
        }
    }
}
