internal import NostrClient
package import NostrCore
internal import NostrNIPs
package import NostrSigner
internal import Synchronization

/// A media server in memory: what is uploaded lies under its hash, and a test may put anything anywhere.
package final class ScriptedBlobs: SealedBlobFetching, BlobUploading {
    /// Nobody has it.
    package struct Missing: Error {}

    private struct State {
        var blobs: [String: [UInt8]] = [:]
        var asked: [String] = []
        var types: [String] = []
        var signers: [PublicKey] = []
        var isFull = false
        var copies: [String] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// What was asked for, in order.
    package var asked: [String] { state.withLock { $0.asked } }
    /// What uploads were said to be.
    package var types: [String] { state.withLock { $0.types } }
    /// Who signed uploads that the account did not.
    package var signers: [PublicKey] { state.withLock { $0.signers } }
    /// What lies anywhere.
    package var all: [String: [UInt8]] { state.withLock { $0.blobs } }

    /// Puts something at an address; nothing takes it away.
    package func put(_ bytes: [UInt8]?, at address: String) { state.withLock { $0.blobs[address] = bytes } }
    /// Whether nothing more is taken.
    package func setFull(_ isFull: Bool) { state.withLock { $0.isFull = isFull } }

    /// Where else what is uploaded lies, as `https://host`.
    package func setCopies(at hosts: [String]) { state.withLock { $0.copies = hosts } }

    package func blob(at address: String, longest: Int) async throws -> [UInt8] {
        let bytes = state.withLock { state in
            state.asked.append(address)
            return state.blobs[address]
        }
        guard let bytes, bytes.count <= longest else { throw Missing() }
        return bytes
    }

    package func upload(_ bytes: [UInt8], type: String) async throws -> [String] {
        let name = BlobHash(of: bytes).hex
        return try state.withLock { state in
            if state.isFull { throw Missing() }
            state.types.append(type)
            let addresses = (["https://blobs.example"] + state.copies).map { "\($0)/\(name)" }
            for address in addresses { state.blobs[address] = bytes }
            return addresses
        }
    }

    package func upload(_ bytes: [UInt8], type: String, signedBy signer: any EventSigner) async throws -> [String] {
        state.withLock { $0.signers.append(signer.publicKey) }
        return try await upload(bytes, type: type)
    }
}
