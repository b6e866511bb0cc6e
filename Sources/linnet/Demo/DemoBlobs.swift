import NostrClient
import NostrWorld

/// Sealed files of a simulated Nostr: those its people sent, and those on its media servers.
///
/// No socket leaves this machine for them.
struct DemoBlobs: SealedBlobFetching {
    let files: WorldSealedBlobs
    let media: DemoMedia

    /// Nobody has it.
    struct Missing: Error {}

    func blob(at address: String, longest: Int) async throws -> [UInt8] {
        try await blob(at: address, headers: [:], longest: longest)
    }

    func blob(at address: String, headers: [String: String], longest: Int) async throws -> [UInt8] {
        if let file = files.file(at: address) {
            guard file.count <= longest else { throw Missing() }
            return file
        }
        let request = BlobRequest(.get, address, headers: headers, longestAnswer: longest + 1)
        let answer = try await media.send(request) { _ in }
        if let refusal = ServerRefusal(answer) { throw refusal }
        guard answer.status == 200, answer.body.count <= longest else { throw Missing() }
        return answer.body
    }
}
