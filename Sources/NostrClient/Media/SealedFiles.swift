internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
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
    private static let deadline: Duration = .seconds(60)
    /// How many bytes of opened files stay in memory.
    private static let mostKept = OpenedFile.largest

    private struct State {
        /// The one opened last is the last.
        var kept: [(name: String, file: OpenedFile)] = []
        var isWiped = false
    }

    private let context: AccountContext
    /// Tells the account's own servers who asks.
    private let signer: any EventSigner
    private let state = Mutex(State())
    private let places = AsyncSemaphore(permits: SealedFiles.width, longestQueue: SealedFiles.mostWaiting)

    package init(_ context: AccountContext, signedBy signer: any EventSigner) {
        self.context = context
        self.signer = signer
    }

    /// The file of a name, fetched from the first address where it lies that opens.
    ///
    /// - Parameters:
    ///   - name: what it is kept under: another for every file.
    ///   - addresses: where it may lie, in order.
    ///   - open: decrypts what was fetched and checks it.
    /// - Throws: ``SealedFileError``.
    package func file(
        _ name: String, at addresses: [String], open: @escaping @Sendable ([UInt8]) throws -> OpenedFile
    ) async throws -> OpenedFile {
        if let kept = kept(name) { return kept }
        guard let blobs = context.blobs else { throw SealedFileError.unavailable }
        let reach = try await context.serverReach()
        let file: OpenedFile
        do {
            file = try await places.withPermit {
                try await withDeadline(Self.deadline, on: context.time.clock, throwing: SealedFileError.gone) {
                    try await self.first(of: addresses, blobs, reach, open: open)
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
    /// - Throws: ``SealedFileError``.
    package func upload(by send: (any BlobUploading) async throws -> [String]) async throws -> [String] {
        guard let uploads else { throw SealedFileError.noServer }
        do {
            let addresses = try await send(uploads).filter { !$0.isEmpty }
            guard !addresses.isEmpty else { throw SealedFileError.notUploaded }
            return addresses
        } catch {
            if error is CancellationError || error is SealedFileError { throw error }
            account.report("a sealed file could not be uploaded", error)
            throw SealedFileError.notUploaded
        }
    }
}
