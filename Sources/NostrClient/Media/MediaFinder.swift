internal import AsyncPrimitives
internal import Foundation
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// Finds blobs whose address leads nowhere any more, by their hash, on the servers of whoever showed them (BUD-03).
///
/// Nothing is given out that was not checked against its hash. What was found is kept, so many bytes at most, what was not
/// asked for longest goes first.
actor MediaFinder {
    /// How many bytes are kept.
    static let usualRoom: Int64 = 256 << 20
    /// The largest blob that is fetched.
    private static let longest: Int64 = 128 << 20
    /// How many servers are asked for one.
    private static let mostServers = 6
    private static let mostAtOnce = 4, mostWaiting = 32
    private static let deadline: Duration = .seconds(90)
    /// For all servers together.
    private static let patience: Duration = .seconds(120)
    /// How long nobody asks again for what nobody has.
    private static let absence: Duration = .seconds(600)
    private static let mostAbsent = 500
    /// How long a signer that did not sign is not asked again: a page of pictures would ask for each of them.
    private static let signerPause: Duration = .seconds(60)

    private let context: AccountContext
    private let gossip: Gossip
    /// Tells the account's own servers who asks; `nil` where nobody signs.
    private let signer: (any EventSigner)?
    private let room: Int64
    private var kept: KeptBlobs?
    /// Whose servers do not have what; what one person lost another may have.
    private var absent: [Absence: Timestamp] = [:]

    /// When the signer may be asked again, after it did not sign.
    private var signsAgain: Timestamp?

    private struct Absence: Hashable {
        var blob: BlobHash
        var author: PublicKey
    }

    private let gates = SerialGates<BlobHash>()
    private let places = AsyncSemaphore(
        permits: MediaFinder.mostAtOnce, longestQueue: MediaFinder.mostWaiting)

    init(
        _ context: AccountContext, gossip: Gossip, signer: (any EventSigner)?, room: Int64 = MediaFinder.usualRoom
    ) {
        self.context = context
        self.gossip = gossip
        self.signer = signer
        self.room = room
    }

    private var folder: URL? { context.media.map { MediaFolder(path: $0.folder).found } }

    /// A blob that somebody keeps on servers of theirs; `nil` where none of these has it.
    ///
    /// - Parameter hints: servers to be asked first.
    func find(_ hash: BlobHash, of author: PublicKey, hints: [MediaServer] = []) async throws -> FoundFile? {
        guard let folder, let reach = try await context.serverReach() else { return nil }
        loadKept(folder)
        if let file = keptFile(hash) { return file }
        if hints.isEmpty, isAbsent(hash, author) { return nil }
        // A player asks for many parts of one film at once; it is fetched once.
        return try await gates.run(hash) {
            try Task.checkCancellation()
            if let file = keptFile(hash) { return file }
            if hints.isEmpty, isAbsent(hash, author) { return nil }
            do {
                return try await places.withPermit {
                    try await fetch(hash, of: author, hints, into: folder, reach)
                }
            } catch is AsyncSemaphore.Refusal {
                return nil
            }
        }
    }

    private func isAbsent(_ hash: BlobHash, _ author: PublicKey) -> Bool {
        absent[Absence(blob: hash, author: author)].map { $0 + Self.absence > context.time.now() } ?? false
    }

    private func fetch(
        _ hash: BlobHash, of author: PublicKey, _ hints: [MediaServer], into folder: URL, _ reach: ServerReach
    ) async throws -> FoundFile? {
        let file = folder.appendingPathComponent(encodeHex(context.random.bytes(8)) + ".part")
        defer { try? FileManager.default.removeItem(at: file) }
        let end = context.time.now() + Self.patience
        let asked = (hints + (try await servers(of: author))).uniqued()
        var mayChange = false
        for server in asked.prefix(Self.mostServers) where context.time.now() < end {
            do {
                let blob = try await blob(hash, at: server, into: file, reach)
                guard blob.hash == hash else {
                    context.log.info("a media server gave another blob", metadata: ["server": "\(server)"])
                    try? FileManager.default.removeItem(at: file)
                    continue
                }
                return try place(file, blob)
            } catch is ServerRefusal {
                try? FileManager.default.removeItem(at: file)
            } catch is SigningFailure {
                // It may have it, and is asked again once somebody signs.
                mayChange = true
            }
        }
        guard !mayChange else { return nil }
        if absent.count >= Self.mostAbsent { absent = [:] }
        absent[Absence(blob: hash, author: author)] = context.time.now()
        return nil
    }

    /// Fetches from one server; one of the account's own that wants to know who asks is told.
    private func blob(
        _ hash: BlobHash, at server: MediaServer, into file: URL, _ reach: ServerReach
    ) async throws -> FetchedBlob {
        let (transfer, address) = (reach.transfer(for: server), server.address(of: hash, type: nil))
        do {
            return try await transfer.fetch(address, into: file, longest: Self.longest, deadline: Self.deadline)
        } catch let refusal as ServerRefusal where refusal.code == .unauthorized {
            guard let signer else { throw refusal }
            let token = try await token(for: hash, at: server, reach, signer)
            guard let token else { throw refusal }
            return try await transfer.fetch(
                address, headers: token, into: file, longest: Self.longest, deadline: Self.deadline)
        }
    }

    private func token(
        for hash: BlobHash, at server: MediaServer, _ reach: ServerReach, _ signer: any EventSigner
    ) async throws -> [String: String]? {
        if let signsAgain, signsAgain > context.time.now() { throw SigningFailure.timedOut }
        do {
            return try await context.readingToken(
                for: hash, at: server, reach, signedBy: signer, lasting: Self.deadline)
        } catch SigningFailure.locked {
            // Nobody was asked, and it may be unlocked at any moment.
            throw SigningFailure.locked
        } catch let failure as SigningFailure {
            signsAgain = context.time.now() + Self.signerPause
            throw failure
        }
    }

    /// The servers of a person, then the account's own; a list that is not here yet is asked for.
    private func servers(of author: PublicKey) async throws -> [MediaServer] {
        let theirs = try await context.mediaServers(of: author, asking: gossip) ?? []
        return (theirs + (try await context.ownMediaServers())).uniqued()
    }

    // MARK: - What is kept

    /// How much is kept, and how much may be.
    func usage() -> KeptMediaUsage {
        if let folder { loadKept(folder) }
        return KeptMediaUsage(bytes: kept?.bytes ?? 0, count: kept?.count ?? 0, limit: room)
    }

    /// Deletes all that is kept; what nobody had is asked for again.
    func clear() throws {
        guard let folder else { return }
        loadKept(folder)
        absent = [:]
        try kept?.clear()
    }

    private func loadKept(_ folder: URL) {
        guard kept == nil else { return }
        kept = KeptBlobs(folder)
        kept?.makeRoom(room)
    }

    private func keptFile(_ hash: BlobHash) -> FoundFile? { kept?.file(hash, now: context.time.now()) }

    private func place(_ file: URL, _ blob: FetchedBlob) throws -> FoundFile? {
        let found = try kept?.keep(file, blob, type: Self.plain(blob.type), now: context.time.now())
        kept?.makeRoom(room, but: blob.hash)
        return found
    }

    /// A type without its parameters; what is none is unknown.
    private static func plain(_ type: String) -> String {
        let sort = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        let parts = sort.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain =
            sort.utf8.count <= 60
            && sort.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || "/+-.".utf8.contains($0)
            }
        return isPlain && parts.count == 2 && !parts.contains("") ? sort : BlobDescriptor.unknownType
    }
}
