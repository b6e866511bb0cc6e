internal import AsyncPrimitives
internal import Foundation
internal import Logging
internal import NostrCore
internal import NostrNIPs
public import NostrSigner

/// Sealed files on the account's media servers: brought as they are, at once.
///
/// They are no files of the account's own pages: a list of what was sent in private would say more than the servers
/// know. One is remembered only while a server that was away is still to get its copy.
extension Files: BlobUploading {
    /// How many servers get one, so that it outlives any of them.
    private static let mostHolders = 2

    public func upload(_ bytes: [UInt8], type: String) async throws -> [String] {
        try await put(bytes, type, by: try await client(), copiesLater: true)
    }

    public func upload(_ bytes: [UInt8], type: String, signedBy signer: any EventSigner) async throws -> [String] {
        guard let reach = try await context.serverReach() else { throw SealedFileError.noServer }
        // The queue signs in the account's own name, which is not to be known there.
        return try await put(
            bytes, type, by: BlobClient(reach: reach, signer: signer, time: context.time), copiesLater: false)
    }

    /// Brings bytes to the first servers that take them; of each its address.
    ///
    /// - Throws: ``SealedFileError/refused(_:)`` where none did.
    private func put(
        _ bytes: [UInt8], _ type: String, by client: BlobClient, copiesLater: Bool
    ) async throws -> [String] {
        try await load()
        guard let folder else { throw SealedFileError.noServer }
        let servers = try await servers().inUse
        guard !servers.isEmpty else { throw SealedFileError.noServer }
        // What is sent rests on the disk sealed, as long as it is sent.
        let name = encodeHex(context.random.bytes(16))
        let file = folder.outgoing(name)
        defer { if files[name] == nil { folder.remove(file) } }
        try MediaFolder.write(bytes, to: file)
        let upload = BlobClient.Upload(
            file: file, type: type, size: Int64(bytes.count), hash: BlobHash(of: bytes))
        var (held, refused): ([(MediaServer, BlobDescriptor)], [ServerOutcome]) = ([], [])
        for server in servers where held.count < Self.mostHolders {
            do {
                held.append((server, try await client.put(upload, .upload, at: server) { _ in }))
            } catch let refusal as ServerRefusal {
                refused.append(ServerOutcome(server, refusal))
                context.log.info(
                    "a media server did not take a sealed file",
                    metadata: ["server": "\(server)", "why": "\(refusal.code)"])
            }
        }
        guard let first = held.first else { throw SealedFileError.refused(refused) }
        if copiesLater, held.count < Self.mostHolders {
            await bringLater(upload, named: name, from: first, to: refused)
        }
        return held.map(\.1.url)
    }

    /// Has the queue bring a copy to the first server that may take it later: who opens the file looks for it there.
    private func bringLater(
        _ upload: BlobClient.Upload, named name: String, from first: (server: MediaServer, blob: BlobDescriptor),
        to refused: [ServerOutcome]
    ) async {
        let later = refused.first { $0.refusal?.mayPass == true }
        guard let later, let refusal = later.refusal else { return }
        let now = context.time.now()
        var file = OwnFile(
            id: name, FileFacts(name: "", type: upload.type), size: upload.size, hash: upload.hash.hex, addedAt: now,
            to: [first.server, later.server])
        file.isSealed = true
        file.isStored(first.blob, at: first.server)
        file.isRefused(refusal, at: later.server, now: now, triesAgain: true)
        do { try await insert(file) } catch {
            // It is on one server, which is enough for it to be sent.
            context.report("a copy of a sealed file could not be queued", error)
        }
    }
}
