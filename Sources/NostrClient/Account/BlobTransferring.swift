public import Foundation
public import NostrNIPs

/// One request to a media server.
public struct BlobRequest: Sendable {
    /// What is done.
    public enum Method: String, Sendable {
        case get = "GET", head = "HEAD", put = "PUT", delete = "DELETE"
    }

    /// What goes along.
    public enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A file, read while it is sent.
        case file(URL, size: Int64)
    }

    /// What is done.
    public var method: Method
    /// Where.
    public var address: String
    /// The fields of its head.
    public var headers: [String: String]
    /// What goes along.
    public var body: Body
    /// How many bytes of the answer are read.
    public var longestAnswer: Int
    /// How long all of it may take.
    public var deadline: Duration

    /// A request.
    public init(
        _ method: Method, _ address: String, headers: [String: String] = [:], body: Body = .none,
        longestAnswer: Int = 64 << 10, deadline: Duration = .seconds(20)
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
        self.longestAnswer = longestAnswer
        self.deadline = deadline
    }
}

/// What a media server answered.
public struct BlobAnswer: Sendable {
    /// The HTTP status.
    public var status: Int
    /// The fields of its head, names in lowercase, of each the first.
    public var headers: [String: String]
    /// What came, as far as it was to be read.
    public var body: [UInt8]

    /// An answer.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A blob that was fetched into a file.
public struct FetchedBlob: Hashable, Sendable {
    /// The hash of the bytes that came.
    public var hash: BlobHash
    /// How many there are.
    public var size: Int64
    /// What the server says they are.
    public var type: String

    /// What came.
    public init(hash: BlobHash, size: Int64, type: String) {
        self.hash = hash
        self.size = size
        self.type = type
    }
}

/// Speaks HTTP with media servers, without harm to this machine and its network; bodies are streamed from and to disk.
///
/// A request that is answered is no failure, whatever the answer says. Each ends at its deadline.
public protocol BlobTransferring: Sendable {
    /// Sends a request; no way elsewhere is gone.
    ///
    /// - Parameter progress: told how many bytes of the body are on their way.
    /// - Throws: ``ServerRefusal`` of a code without a status, or what says that the task was cancelled.
    func send(_ request: BlobRequest, progress: @escaping @Sendable (Int64) -> Void) async throws -> BlobAnswer

    /// Fetches what lies at an address into a file, which is made; without one that failed it stays away.
    ///
    /// A way elsewhere is gone, judged anew at each step: servers may keep blobs with others (BUD-01).
    /// - Parameter headers: told to the host of the address alone, and to none that it leads to.
    /// - Throws: ``ServerRefusal``, or what says that the task was cancelled.
    func fetch(
        _ address: String, headers: [String: String], into file: URL, longest: Int64, deadline: Duration
    ) async throws -> FetchedBlob
}

extension BlobTransferring {
    /// Fetches what everybody may have.
    public func fetch(
        _ address: String, into file: URL, longest: Int64, deadline: Duration
    ) async throws -> FetchedBlob {
        try await fetch(address, headers: [:], into: file, longest: longest, deadline: deadline)
    }
}

/// What goes also to servers of this machine and of private networks; asked only for what `ServerReach` lets through.
public typealias NearBlobTransferring = BlobTransferring & SealedBlobFetching
