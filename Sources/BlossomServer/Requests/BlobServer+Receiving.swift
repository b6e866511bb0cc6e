internal import AsyncPrimitives
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NostrCore
internal import NostrNIPs

extension BlobServer {
    /// How much is handed over at once, in bytes: as much as is hashed and written at once, so that meanwhile as much comes.
    private static let lot = GatheredBytes.capacity
    /// How many parts of a body, as they come from the socket, are handed over at once.
    private static let mostParts = 8

    /// Receives a blob.
    ///
    /// Source: BUD-02, BUD-08.
    /// - Parameter channel: the connection that it comes over, which is then read in large parts.
    func receive(_ request: Request, over channel: (any Channel)?) async throws -> Response {
        let claimed = try Self.hash(request.headers[.blobHash])
        let token = try await bringer(request, blob: claimed)
        let length = request.headers[.contentLength].flatMap { Int($0) }
        let type = MediaType.read(request.headers[.contentType])
        try await mayCome(token.author, claimed, size: length ?? 0, type: type)
        return try await uploads.withPlace(of: token.author) {
            let file = try await store.receive()
            try await LargeReads.during(over: channel) { try await write(request.body, into: file) }
            if let length, file.size != length {
                throw BlossomRefusal(.badRequest, "Fewer or more bytes came than were said.")
            }
            let hash = try await store.finish(file)
            if let claimed, claimed != hash {
                throw BlossomRefusal(.conflict, "The bytes that came have another SHA-256 than X-SHA-256 says.")
            }
            // Without that header it is known only now which blob this is.
            guard token.blobs.contains(hash) else { throw BlossomRefusal(.otherBlob) }
            return try await keep(file, hash, type: type, owner: token.author, request)
        }
    }

    /// Writes a body to a file: while some parts are hashed and written, the next ones come.
    private func write(_ body: RequestBody, into file: IncomingBlob) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var parts: [ByteBuffer] = []
            var (count, total) = (0, 0)
            for try await part in body {
                parts.append(part)
                count += part.readableBytes
                total += part.readableBytes
                guard total <= settings.blobSize else { throw BlossomRefusal.tooLarge(settings.blobSize) }
                // Each part may hold much more memory than it has bytes, so only a few are gathered.
                guard count >= Self.lot || parts.count == Self.mostParts else { continue }
                // Those before are written first: that keeps the order, and two lots in memory at most, besides what the
                // file has gathered of them.
                _ = try await group.next()
                group.addTask { [store, parts] in try await store.append(parts, to: file) }
                (parts, count) = ([], 0)
            }
            _ = try await group.next()
            if count > 0 { try await store.append(parts, to: file) }
        }
    }

    /// Says whether a blob would be taken, before it is sent.
    ///
    /// Source: BUD-06.
    func judge(_ request: Request) async throws -> Response {
        guard let hash = try Self.hash(request.headers[.blobHash]) else {
            throw BlossomRefusal(.badRequest, "X-SHA-256 is missing.")
        }
        guard let text = request.headers[.blobLength] else {
            throw BlossomRefusal(.lengthRequired, "X-Content-Length is missing.")
        }
        guard let length = Int(text), length >= 0 else {
            throw BlossomRefusal(.badRequest, "X-Content-Length is no number of bytes.")
        }
        let token = try await bringer(request, blob: hash)
        try await mayCome(token.author, hash, size: length, type: MediaType.read(request.headers[.blobType]))
        return BlossomAnswers.empty(.ok)
    }

    /// Takes parts of a blob, as many bytes as it may have.
    func append(_ parts: [ByteBuffer], _ count: Int, into file: IncomingBlob) async throws {
        guard file.size + count <= settings.blobSize else { throw BlossomRefusal.tooLarge(settings.blobSize) }
        guard count > 0 else { return }
        try await store.append(parts, to: file)
    }

    /// Keeps a blob that came whole, and describes it.
    func keep(
        _ file: IncomingBlob, _ hash: BlobHash, type: String?, owner: PublicKey, _ request: Request
    ) async throws -> Response {
        let isTold = type != nil && type != BlobDescriptor.unknownType
        // Who comes first says for everybody what a blob is; of a picture its bytes know better.
        let told = MediaType.told(by: file.beginning)
        let picture = told.flatMap { $0.hasPrefix("image/") ? $0 : nil }
        let type = picture ?? (isTold ? type : told) ?? BlobDescriptor.unknownType
        guard MediaType.isAmong(settings.types, type) else { throw BlossomRefusal.wrongType(type) }
        let kept = try await store.keep(
            file, as: hash, type: type, owner: owner, quota: settings.quota, now: time.now())
        guard let kept else { throw BlossomRefusal.overQuota(settings.quota) }
        let described = descriptor(kept.blob, for: request, withTags: true)
        return BlossomAnswers.json(described.value, status: kept.isNew ? .created : .ok)
    }

    /// Refuses what is known to be too large, of a wrong type, or more than somebody may have.
    func mayCome(_ person: PublicKey, _ hash: BlobHash?, size: Int, type: String?) async throws {
        guard size <= settings.blobSize else { throw BlossomRefusal.tooLarge(settings.blobSize) }
        if let type, type != BlobDescriptor.unknownType, !MediaType.isAmong(settings.types, type) {
            throw BlossomRefusal.wrongType(type)
        }
        guard try await store.hasRoom(person, for: hash, size: size, quota: settings.quota) else {
            throw BlossomRefusal.overQuota(settings.quota)
        }
    }

    private static func hash(_ header: String?) throws(BlossomRefusal) -> BlobHash? {
        guard let header else { return nil }
        guard let hash = BlobHash(hex: header) else {
            throw BlossomRefusal(.badRequest, "X-SHA-256 is no SHA-256: 64 lowercase hex characters are.")
        }
        return hash
    }
}
