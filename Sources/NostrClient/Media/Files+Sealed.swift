internal import Foundation
internal import Logging
internal import NostrCore
internal import NostrNIPs
public import NostrSigner

/// Sealed files on the account's media servers: brought as they are, at once, and remembered nowhere here.
///
/// They are no files of the account's own pages: a list of what was sent in private would say more than the servers know.
extension Files: BlobUploading {
    /// How many servers get one, so that it outlives any of them.
    private static let mostHolders = 2

    public func upload(_ bytes: [UInt8], type: String) async throws -> [String] {
        try await put(bytes, type, by: try await client())
    }

    public func upload(_ bytes: [UInt8], type: String, signedBy signer: any EventSigner) async throws -> [String] {
        guard let reach = try await context.serverReach() else { throw SealedFileError.noServer }
        return try await put(bytes, type, by: BlobClient(reach: reach, signer: signer, time: context.time))
    }

    /// Brings bytes to the first servers that take them; of each its address.
    private func put(_ bytes: [UInt8], _ type: String, by client: BlobClient) async throws -> [String] {
        try await load()
        guard let folder else { throw SealedFileError.noServer }
        let servers = try await servers().inUse
        guard !servers.isEmpty else { throw SealedFileError.noServer }
        // What is sent rests on the disk sealed, as long as it is sent.
        let file = folder.outgoing(encodeHex(context.random.bytes(16)))
        defer { folder.remove(file) }
        try Data(bytes).write(to: file)
        let upload = BlobClient.Upload(
            file: file, type: type, size: Int64(bytes.count), hash: BlobHash(of: bytes))
        var addresses: [String] = []
        for server in servers where addresses.count < Self.mostHolders {
            do {
                addresses.append(try await client.put(upload, .upload, at: server) { _ in }.url)
            } catch let refusal as ServerRefusal {
                context.log.info(
                    "a media server did not take a sealed file",
                    metadata: ["server": "\(server)", "why": "\(refusal.code)"])
            }
        }
        guard !addresses.isEmpty else { throw SealedFileError.notUploaded }
        return addresses
    }
}
