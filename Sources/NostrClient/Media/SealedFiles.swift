internal import AsyncPrimitives
package import NostrCore
package import NostrNIPs
package import NostrSigner
internal import Synchronization

/// Fetches sealed files for the services that have their keys, and keeps what was opened in memory for a while.
///
/// Hosts that others named learn by it that somebody here looks. A class over one lock: pages ask for many pictures at
/// once.
package final class SealedFiles: Sendable {
    /// How many hosts are asked at the same time, and how many more requests may wait.
    private static let width = 4, mostWaiting = 32
    /// For all addresses of one file together.
    private static let deadline: Duration = .seconds(120)
    /// How many further servers are asked for a file that is not at its addresses, and how many of a stranger's.
    private static let mostServers = 8, mostOfOne = 3
    /// How many bytes of opened files stay in memory.
    private static let mostKept = OpenedFile.largest

    /// What lies at the addresses of a file, by which it is found elsewhere too.
    package struct Blob: Hashable, Sendable {
        /// The hash of what was uploaded: of the sealed file.
        package var hash: BlobHash
        /// Who uploaded it.
        package var author: PublicKey

        package init(hash: BlobHash, author: PublicKey) {
            (self.hash, self.author) = (hash, author)
        }
    }

    private struct State {
        /// The one opened last is the last.
        var kept: [(name: String, file: OpenedFile)] = []
        var isWiped = false
    }

    private let context: AccountContext
    /// Tells the account's own servers who asks.
    private let signer: any EventSigner
    /// Asks where people keep files; `nil` to know only what is here.
    private let gossip: Gossip?
    private let state = Mutex(State())
    private let places = AsyncSemaphore(permits: SealedFiles.width, longestQueue: SealedFiles.mostWaiting)

    package init(_ context: AccountContext, signedBy signer: any EventSigner, gossip: Gossip? = nil) {
        self.context = context
        self.signer = signer
        self.gossip = gossip
    }

    /// The file of a name, fetched from the first address where it lies that opens.
    ///
    /// - Parameters:
    ///   - name: what it is kept under: another for every file.
    ///   - addresses: where it may lie, in order.
    ///   - blob: what is looked for where nothing at the addresses opens: by its hash, on the servers of its author and
    ///     on the account's own; `nil` to look nowhere else.
    ///   - open: decrypts what was fetched and checks it.
    /// - Throws: ``SealedFileError``.
    package func file(
        _ name: String, at addresses: [String], else blob: Blob? = nil,
        open: @escaping @Sendable ([UInt8]) throws -> OpenedFile
    ) async throws -> OpenedFile {
        if let kept = kept(name) { return kept }
        guard let blobs = context.blobs else { throw SealedFileError.unavailable }
        let reach = try await context.serverReach()
        let file: OpenedFile
        do {
            file = try await places.withPermit {
                try await withDeadline(Self.deadline, on: context.time.clock, throwing: SealedFileError.gone) {
                    try await self.find(addresses, blob, blobs, reach, open: open)
                }
            }
        } catch is AsyncSemaphore.Refusal {
            throw SealedFileError.gone
        }
        keep(file, as: name)
        return file
    }

    /// Forgets everything that was opened.
    package func wipe() {
        state.withLock { state in
            state.kept = []
            state.isWiped = true
        }
    }

    /// Asks the addresses, then whoever else may have the same blob.
    private func find(
        _ addresses: [String], _ blob: Blob?, _ blobs: any SealedBlobFetching, _ reach: ServerReach?,
        open: @Sendable ([UInt8]) throws -> OpenedFile
    ) async throws -> OpenedFile {
        do {
            return try await first(of: addresses, blobs, reach, open: open)
        } catch let trouble as SealedFileError {
            guard let blob else { throw trouble }
            for address in try await places(of: blob) where !addresses.contains(address) {
                let bytes: [UInt8]
                do { bytes = try await fetch(address, blobs, reach) } catch {
                    if error is CancellationError { throw error }
                    continue
                }
                // What a server gives instead is no news: nobody said that it has the file.
                guard BlobHash(of: bytes) == blob.hash else { continue }
                return try open(bytes)
            }
            throw trouble
        }
    }

    /// Where a blob may lie besides: on the servers that its author lists, then on the account's own.
    private func places(of blob: Blob) async throws -> [String] {
        let own = try await context.ownMediaServers()
        var servers = own
        if blob.author != context.publicKey {
            let theirs = try await context.mediaServers(of: blob.author, asking: gossip) ?? []
            servers = Array(theirs.prefix(Self.mostOfOne)) + own
        }
        return servers.uniqued().prefix(Self.mostServers).map { $0.address(of: blob.hash, type: nil) }
    }

    /// Asks one address after the other; a wrong file is worse news than none.
    private func first(
        of addresses: [String], _ blobs: any SealedBlobFetching, _ reach: ServerReach?,
        open: @Sendable ([UInt8]) throws -> OpenedFile
    ) async throws -> OpenedFile {
        var trouble = SealedFileError.gone
        for address in addresses.uniqued() {
            let bytes: [UInt8]
            do { bytes = try await fetch(address, blobs, reach) } catch {
                if error is CancellationError { throw error }
                continue
            }
            do { return try open(bytes) } catch let error as SealedFileError { trouble = error }
        }
        throw trouble
    }

    /// Fetches from one address; a server of the account's own that wants to know who asks is told.
    private func fetch(
        _ address: String, _ blobs: any SealedBlobFetching, _ reach: ServerReach?
    ) async throws -> [UInt8] {
        let host = reach?.sealed(at: address) ?? blobs
        do {
            return try await host.blob(at: address, longest: OpenedFile.largest)
        } catch let refusal as ServerRefusal where refusal.code == .unauthorized {
            guard let reach, let server = MediaServer(address), let hash = BlobHash(inAddress: address),
                let token = try await context.readingToken(
                    for: hash, at: server, reach, signedBy: signer, lasting: Self.deadline)
            else { throw refusal }
            return try await host.blob(at: address, headers: token, longest: OpenedFile.largest)
        }
    }

    private func kept(_ name: String) -> OpenedFile? {
        state.withLock { state in
            guard let place = state.kept.firstIndex(where: { $0.name == name }) else { return nil }
            let entry = state.kept.remove(at: place)
            state.kept.append(entry)
            return entry.file
        }
    }

    private func keep(_ file: OpenedFile, as name: String) {
        state.withLock { state in
            guard !state.isWiped else { return }
            state.kept.removeAll { $0.name == name }
            state.kept.append((name, file))
            var bytes = state.kept.reduce(0) { $0 + $1.file.bytes.count }
            while bytes > Self.mostKept, state.kept.count > 1 { bytes -= state.kept.removeFirst().file.bytes.count }
        }
    }
}

extension EncryptedFile {
    /// Decrypts what was fetched.
    func opened(_ encrypted: [UInt8]) throws(SealedFileError) -> OpenedFile {
        do { return OpenedFile(try decrypt(encrypted)) } catch {
            switch error {
            case .wrongHash, .wrongOriginalHash: throw .another
            case .doesNotOpen: throw .doesNotOpen
            }
        }
    }
}

extension UnlockedContext {
    /// Uploads what was sealed.
    ///
    /// - Returns: where it lies, at least one address.
    /// - Throws: ``SealedFileError``; a `SigningFailure` where the signer is away, or locked, and may sign later.
    package func upload(by send: (any BlobUploading) async throws -> [String]) async throws -> [String] {
        guard let uploads else { throw SealedFileError.noServer }
        do {
            let addresses = try await send(uploads).filter { !$0.isEmpty }
            guard !addresses.isEmpty else { throw SealedFileError.notUploaded }
            return addresses
        } catch {
            if error is CancellationError || error is SealedFileError { throw error }
            // No server was asked: what is said of it is what the signer has to do with it.
            if let failure = error as? SigningFailure {
                if failure.mayPass { throw failure }
                throw SealedFileError.notSigned
            }
            account.report("a sealed file could not be uploaded", error)
            throw SealedFileError.notUploaded
        }
    }
}

extension SigningFailure {
    /// Whether the same may be signed later without anything being changed.
    fileprivate var mayPass: Bool {
        switch self {
        case .locked, .timedOut, .unreachable, .noPage: true
        case .readOnly, .refused, .cannotEncrypt, .wrongAnswer, .said: false
        }
    }
}
