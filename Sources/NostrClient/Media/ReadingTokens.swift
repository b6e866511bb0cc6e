internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// Servers that give a blob only to whom they know (BUD-11, `get`).
extension AccountContext {
    /// What tells a server who asks for a blob; `nil` for a server that is not the account's own.
    ///
    /// The servers that the account lists, and those that the person typed here, know the account already. Any other
    /// would learn who looks at what, so it is told nothing, and does not give the blob.
    /// - Parameter span: how long the blob may take to come.
    /// - Throws: ``/NostrSigner/SigningFailure``.
    func readingToken(
        for blob: BlobHash, at server: MediaServer, _ reach: ServerReach, signedBy signer: any EventSigner,
        lasting span: Duration
    ) async throws -> [String: String]? {
        let own = try await listedMediaServers(of: publicKey) ?? configuration.mediaServers
        guard own.contains(server) || reach.typed.contains(server) else { return nil }
        return try await BlobClient(reach: reach, signer: signer, time: time).readingToken(
            for: blob, at: server, lasting: span)
    }
}
