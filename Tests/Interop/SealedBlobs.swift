import NostrClient
import NostrNIPs
import Synchronization

/// A media server in memory, for an account and the peers whose files a test hands over.
final class SealedBlobs: SealedBlobFetching, BlobUploading {
    static let folder = "https://blobs.example"

    /// Nobody has it.
    struct Missing: Error {}

    private let blobs = Mutex<[String: [UInt8]]>([:])

    /// Everything that is here.
    var all: [[UInt8]] { blobs.withLock { Array($0.values) } }

    /// Puts a blob where its hash says.
    func put(_ bytes: [UInt8]) { blobs.withLock { $0[Self.address(of: bytes)] = bytes } }

    func blob(at address: String, longest: Int) async throws -> [UInt8] {
        guard let bytes = blobs.withLock({ $0[address] }), bytes.count <= longest else { throw Missing() }
        return bytes
    }

    func upload(_ bytes: [UInt8], type: String) async throws -> [String] {
        put(bytes)
        return [Self.address(of: bytes)]
    }

    private static func address(of bytes: [UInt8]) -> String { folder + "/" + BlobHash(of: bytes).hex }
}
