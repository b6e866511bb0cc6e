internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NostrNIPs

/// Gets blobs from other servers.
///
/// Whoever does it guards this machine and its network: addresses come from strangers.
public protocol BlobFetching: Sendable {
    /// Fetches what is at an address, and hands it on as it comes.
    ///
    /// - Parameters:
    ///   - longest: in bytes.
    ///   - deadline: for all of it.
    ///   - chunk: is awaited before more is read.
    /// - Returns: the `Content-Type` that the other server named.
    /// - Throws: ``BlobFetchFailure``, or what `chunk` throws.
    func fetch(
        _ address: String, longest: Int, deadline: Duration, chunk: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws -> String?
}

/// Why a blob did not come from another server.
public enum BlobFetchFailure: Error, Hashable, Sendable {
    /// The address is none that this server asks: not `https`, this machine, or a private network.
    case notAllowed
    /// It is longer than is borne.
    case tooLong
    /// The other server did not give it, for a reason in words that names nothing private.
    case notGiven(String)
}

extension BlobServer {
    /// The longest body that names an address, in bytes.
    private static let longestWish = 8192

    /// Copies a blob from another server.
    ///
    /// Source: BUD-04.
    func mirror(_ request: Request) async throws -> Response {
        guard let fetching else { throw BlossomRefusal(.notFound, "This server copies nothing from others.") }
        let token = try await bringer(request, blob: nil)
        let address = try await Self.address(in: request)
        // Who may keep nothing more has nothing fetched.
        try await mayCome(token.author, token.blobs.count == 1 ? token.blobs.first : nil, size: 1, type: nil)
        return try await uploads.withPlace(of: token.author) {
            let file = try await store.receive()
            let said: String?
            do {
                said = try await fetching.fetch(address, longest: settings.blobSize, deadline: settings.mirrorTime) {
                    try await self.append([ByteBuffer(bytes: $0)], $0.count, into: file)
                }
            } catch let failure as BlobFetchFailure {
                throw Self.refusal(failure, limit: settings.blobSize)
            }
            let hash = try await store.finish(file)
            guard token.blobs.contains(hash) else {
                throw BlossomRefusal(.conflict, "What is at that address is not the blob that the authorization names.")
            }
            return try await keep(file, hash, type: MediaType.read(said), owner: token.author, request)
        }
    }

    private static func address(in request: Request) async throws -> String {
        let body: ByteBuffer
        do {
            body = try await request.body.collect(upTo: longestWish)
        } catch is NIOTooManyBytesError {
            throw BlossomRefusal(.badRequest, "That is too long to name an address.")
        }
        // Why it is no JSON matters to nobody.
        guard let value = try? JSONValue(Array(body.readableBytesView)), let address = value["url"]?.string else {
            throw BlossomRefusal(.badRequest, "The body must be a JSON object with the address in \"url\".")
        }
        return address
    }

    private static func refusal(_ failure: BlobFetchFailure, limit: Int) -> BlossomRefusal {
        switch failure {
        case .notAllowed:
            BlossomRefusal(.badRequest, "Blobs are copied from public addresses that begin with https:// only.")
        case .tooLong: .tooLarge(limit)
        case .notGiven(let why): BlossomRefusal(.badGateway, "The other server did not give it: \(why).")
        }
    }
}
