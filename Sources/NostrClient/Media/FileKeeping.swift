public import Foundation
public import NostrCore
public import NostrNIPs

/// The account's files on media servers, as screens need them; implemented by ``Files``.
public protocol FileKeeping: Sendable {
    /// Where the account keeps its files.
    func servers() async throws -> OwnMediaServers
    /// Publishes where the account keeps its files, in order (BUD-03).
    func setServers(_ servers: [MediaServer]) async throws -> Event
    /// Remembers that the person typed the addresses of servers here, so that they may be of this machine or a private
    /// network; or does so no longer.
    func keepTyped(_ servers: [MediaServer], _ areTyped: Bool) async throws
    /// Keeps which servers are used while the account has no list; none, and nothing is uploaded anywhere then.
    func keepUsual(_ servers: [MediaServer]) async throws
    /// Room on disk for a file that comes in pieces.
    func intake() async throws -> FileIntake
    /// Prepares a file and has it brought to the first of some servers that takes it, then copied to the others.
    ///
    /// Durable before it returns. A file that is there already is not brought again.
    /// - Throws: ``MediaProblem`` for a file that cannot be prepared.
    func add(_ file: FileIntake, _ facts: FileFacts, to servers: [MediaServer]) async throws -> FileUpload
    /// Has a picture brought that shows a film before it plays, to the film's servers; what is no film gets none.
    ///
    /// - Throws: ``MediaProblem`` for a picture that cannot be prepared; the film stays as it is.
    func addStill(_ picture: FileIntake, of id: String) async throws
    /// Everything that was brought from here, the newest first.
    func uploads() async throws -> [FileUpload]
    /// How one stands; `nil` for one that is not known.
    func upload(_ id: String) async throws -> FileUpload?
    /// Waits until none of some is on its way to its first server any more, for some time.
    func wait(for ids: [String], atMost span: Duration) async throws -> [FileUpload]
    /// Takes one back that no server has yet; forgets one that failed.
    func cancel(_ id: String) async throws
    /// Asks the servers again that did not take it.
    func retry(_ id: String) async throws
    /// Says what can be seen or heard in one.
    func describe(_ id: String, as text: String) async throws
    /// Publishes one as an event of its own (NIP-94), by which others find it; its own words where none are given.
    ///
    /// - Throws: ``AccountError`` of the code `empty` where no server has it yet.
    func publish(_ id: String, saying text: String) async throws -> Event
    /// What servers keep for the account, and what each said.
    func listing(of servers: [MediaServer]) async throws -> FileListing
    /// Has servers copy a blob; the queue sees to it.
    func mirror(_ blob: ListedFile, to servers: [MediaServer]) async throws
    /// Deletes a blob at servers; what each said, `nil` for done.
    func delete(_ hash: BlobHash, at servers: [MediaServer]) async throws -> [ServerOutcome]
    /// Finds a blob that somebody keeps on servers of theirs, verified; `nil` where nobody has it.
    func find(_ hash: BlobHash, of author: PublicKey) async throws -> FoundFile?
    /// Finds a blob on the servers that its address names, then on those of the people it names, then on the account's.
    func find(_ blob: BlobAddress) async throws -> FoundFile?
    /// How much is kept of what was found so, and how much may be.
    func foundUsage() async throws -> KeptMediaUsage
    /// Deletes all that was found so.
    func clearFound() async throws
}

/// What is known of a file before it is prepared.
public struct FileFacts: Hashable, Sendable {
    /// What it is called.
    public var name: String
    /// Its MIME type, as it was said.
    public var type: String
    /// What can be seen or heard in it; may be empty.
    public var description: String

    /// What is known.
    public init(name: String, type: String, description: String = "") {
        self.name = name
        self.type = type
        self.description = description
    }
}

/// Where an account keeps its files.
public struct OwnMediaServers: Hashable, Sendable {
    /// Its servers, in order.
    public var servers: [MediaServer]
    /// Whether the account published this list; else there is none.
    public var isPublished: Bool
    /// The servers that are used while there is none on the list: what the person chose, else what this Linnet has.
    public var usual: [MediaServer]
    /// The servers to which files are brought now, sealed ones too.
    public var inUse: [MediaServer] { servers.isEmpty ? usual : servers }

    /// A list of this moment.
    public init(servers: [MediaServer], isPublished: Bool, usual: [MediaServer]) {
        self.servers = servers
        self.isPublished = isPublished
        self.usual = usual
    }
}

/// A file from here, and how far it is.
public struct FileUpload: Hashable, Sendable {
    /// The file.
    public let file: OwnFile
    /// How many bytes are on their way; `nil` while it is not being sent.
    public let sent: Int64?
    /// Whether it waits until its signer can be asked.
    public let awaitsSigner: Bool

    /// A moment of one.
    public init(_ file: OwnFile, sent: Int64? = nil, awaitsSigner: Bool = false) {
        self.file = file
        self.sent = sent
        self.awaitsSigner = awaitsSigner
    }
}

/// What servers keep for an account.
public struct FileListing: Hashable, Sendable {
    /// The files, the newest first.
    public var files: [ListedFile]
    /// What each server said.
    public var servers: [ServerOutcome]

    /// A listing.
    public init(files: [ListedFile], servers: [ServerOutcome]) {
        self.files = files
        self.servers = servers
    }
}

/// A file that servers keep for an account.
public struct ListedFile: Hashable, Sendable {
    /// Its hash.
    public var hash: BlobHash
    /// Where everybody gets it.
    public var url: String
    /// Its length, in bytes.
    public var size: Int64
    /// Its MIME type.
    public var type: String
    /// When it came there.
    public var uploaded: Timestamp
    /// The servers that have it.
    public var holders: [MediaServer]
    /// What is known here of it; `nil` for one that another program brought.
    public var own: FileUpload?

    /// A file.
    public init(
        hash: BlobHash, url: String, size: Int64, type: String, uploaded: Timestamp, holders: [MediaServer],
        own: FileUpload? = nil
    ) {
        self.hash = hash
        self.url = url
        self.size = size
        self.type = type
        self.uploaded = uploaded
        self.holders = holders
        self.own = own
    }
}

/// A blob that was found and verified; it lies on this machine.
public struct FoundFile: Hashable, Sendable {
    /// Where it lies.
    public let file: URL
    /// Its length, in bytes.
    public let size: Int64
    /// What the server called it.
    public let type: String

    /// A file that was found.
    public init(file: URL, size: Int64, type: String) {
        self.file = file
        self.size = size
        self.type = type
    }
}
