internal import NostrNIPs
public import NostrSigner

/// Puts bytes on a media server; the composition root, or a service of media servers, knows how.
///
/// What is given here is sealed already: a server sees no more of it than its length.
public protocol BlobUploading: Sendable {
    /// Uploads in the account's own name.
    ///
    /// - Parameter type: what the server is told it is.
    /// - Returns: where it lies now, the best address first; at least one.
    /// - Throws: when no server took it, in bounded time.
    func upload(_ bytes: [UInt8], type: String) async throws -> [String]

    /// Uploads in another name: a group's picture has a key of its own, so that any admin can delete it (MIP-01).
    func upload(_ bytes: [UInt8], type: String, signedBy signer: any EventSigner) async throws -> [String]
}

extension BlobUploading {
    /// Uploads in the account's own name, where a server cannot be told another.
    public func upload(_ bytes: [UInt8], type: String, signedBy signer: any EventSigner) async throws -> [String] {
        try await upload(bytes, type: type)
    }
}

/// Fetches bytes from addresses that others wrote; the composition root knows how.
public protocol SealedBlobFetching: Sendable {
    /// All that lies at an address, in bounded time, from nowhere near this machine.
    ///
    /// - Parameter longest: in bytes; what is longer is no answer.
    /// - Throws: when there is none to be had: ``ServerRefusal`` of the code `unauthorized` where the host wants to know
    ///   who asks.
    func blob(at address: String, longest: Int) async throws -> [UInt8]

    /// The same, with a token for the host of the address, which no other is shown.
    ///
    /// - Parameter headers: the fields that carry it.
    func blob(at address: String, headers: [String: String], longest: Int) async throws -> [UInt8]
}

extension SealedBlobFetching {
    /// Asks without a token, where hosts are told nothing.
    public func blob(at address: String, headers: [String: String], longest: Int) async throws -> [UInt8] {
        try await blob(at: address, longest: longest)
    }
}

/// A file that a person means to send.
public struct OutgoingFile: Hashable, Sendable {
    /// What is in it.
    public var bytes: [UInt8]
    /// What it is called on the person's device; told only to a circle.
    public var name: String
    /// What can be seen or heard in it; told only in private messages, since a circle's files have no place for it.
    public var description: String

    /// A word of the form it came with, which tells one pressing of Send from another; `nil` where nobody presses twice.
    public var once: String?

    /// The most bytes that are sent.
    public static let largest = 32 << 20

    /// A file of any size; an empty or too large one is refused when it is sent.
    public init(bytes: [UInt8], name: String, description: String = "") {
        (self.bytes, self.name, self.description) = (bytes, name, description)
    }

    /// Tells this pressing of Send from all others: the same form with the same file, words and people.
    package func pressing(with text: String, in chat: String) -> String? {
        once.map { BlobHash(of: Array("\($0) \(BlobHash(of: bytes).hex) \(chat) \(text)".utf8)).hex }
    }

    /// Checks what can be said before anything is uploaded.
    ///
    /// - Throws: ``SealedFileError``.
    package func check() throws(SealedFileError) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= Self.largest else { throw .tooLarge(limit: Self.largest) }
    }
}

/// A file that was fetched, checked and decrypted; it is in memory only.
public struct OpenedFile: Hashable, Sendable {
    /// What is in it.
    public let bytes: [UInt8]
    /// What its bytes say it is.
    public let sort: FileSort
    /// What to call it when it is saved.
    public let name: String

    /// Looks what the bytes are.
    ///
    /// - Parameter name: what its author calls it; empty where they do not.
    package init(_ bytes: [UInt8], name: String = "") {
        let sort = FileSort(of: bytes)
        self.bytes = bytes
        self.sort = sort
        self.name = sort.fileName(name)
    }

    /// The most bytes that are fetched and opened.
    public static let largest = 64 << 20
}

/// Why a sealed file could not be sent or opened.
public enum SealedFileError: Error, Hashable, Sendable {
    /// There is nothing in it.
    case empty
    /// It has more bytes than are sent or opened.
    case tooLarge(limit: Int)
    /// No media server is known that would take it.
    case noServer
    /// No media server took it.
    case notUploaded
    /// No media server took it, and this is what each said.
    case refused([ServerOutcome])
    /// The person's signer did not sign for it.
    case notSigned
    /// The person's signer has not signed for it, and may later: it is away, or locked.
    case signerAway
    /// What names it could not be sent.
    case notSent
    /// Somebody came into the circle after the person sent it.
    case membersChanged
    /// The message with it goes out at this moment, so it cannot be taken back.
    case onItsWay
    /// As many files wait for a media server as may.
    case tooManyWait(limit: Int)
    /// Nobody has it at the addresses that are named.
    case gone
    /// What lies there is another file than its author sent.
    case another
    /// The key that came with it does not open it.
    case doesNotOpen
    /// The message names no file.
    case noFile
    /// No key is kept for a file of so long ago.
    case noKey
    /// Files are neither sent nor opened here.
    case unavailable
    /// Its name or sort is one that other programs would not take.
    case notTaken
    /// What a picture, film or sound tells of where and when it was made cannot be taken out of it.
    case tellsTooMuch
}
