internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrStore

/// What screens ask.
extension Files: FileKeeping {
    public func servers() async throws -> OwnMediaServers {
        let stored = try await context.storedVersion(at: context.ownAddress(MediaServerList.kind))
        let list = stored.flatMap { MediaServerList($0) }
        return OwnMediaServers(
            servers: list?.servers ?? [], isPublished: list != nil,
            usual: try await context.usualServers() ?? context.configuration.mediaServers)
    }

    public func setServers(_ servers: [MediaServer]) async throws -> Event {
        try await replaceable.change {
            let newest = try await replaceable.newest(MediaServerList.kind)
            var list = newest.flatMap { MediaServerList($0) } ?? MediaServerList()
            let wanted = Set(servers)
            try replaceable.refuseLargeLoss(
                list.servers.count { !wanted.contains($0) }, of: MediaServerList.kind)
            list.set(servers)
            return try await publishing.send(list.draft(now: context.time.now()))
        }
    }

    public func keepTyped(_ servers: [MediaServer], _ areTyped: Bool) async throws {
        try await context.keepTyped(servers, areTyped)
    }

    public func keepUsual(_ servers: [MediaServer]) async throws { try await context.keepUsual(servers) }

    public func intake() async throws -> FileIntake {
        try await load()
        guard let folder else { throw AccountError.readOnly }
        return try folder.intake(newName())
    }

    private func newName() -> String { encodeHex(context.random.bytes(16)) }

    public func add(_ file: FileIntake, _ facts: FileFacts, to servers: [MediaServer]) async throws -> FileUpload {
        try await load()
        guard let folder, let media = context.media, publishing.signer != nil else { throw AccountError.readOnly }
        try file.finish()
        let prepared = try await media.preparing.prepare(
            file.file, as: facts.type, in: folder.preparing)
        try await askAgain(prepared, servers)
        if let known = known(prepared, servers) {
            folder.remove(prepared.file)
            return try await again(known, facts, servers)
        }
        var facts = facts
        facts.type = prepared.type
        let id = newName()
        var new = OwnFile(
            id: id, facts, size: prepared.size, hash: prepared.sha256, addedAt: context.time.now(), to: servers)
        (new.width, new.height) = (prepared.width, prepared.height)
        new.milliseconds = prepared.duration.map { Int64($0 / Duration.milliseconds(1)) }
        (new.blurhash, new.thumbhash) = (prepared.blurhash, prepared.thumbhash)
        do {
            try folder.keep(prepared.file, as: id)
            try await insert(new)
        } catch {
            folder.remove(prepared.file)
            folder.remove(folder.outgoing(id))
            throw error
        }
        return snapshot(new)
    }

    /// Forgets that servers have a file which say now that they do not: they may have lost it, or deleted it.
    private func askAgain(_ prepared: PreparedMedia, _ servers: [MediaServer]) async throws {
        guard let known = known(prepared, servers), let hash = known.stored.flatMap({ BlobHash(hex: $0.hash) }) else {
            return
        }
        let client = try await client()
        let asked = known.holders.filter(servers.contains)
        // All at once: somebody waits for this, and one that is away takes its time.
        let gone = await withTaskGroup(of: MediaServer?.self) { group in
            for server in asked {
                group.addTask {
                    // A server that does not answer may have it still.
                    let isGone = try? await client.lacks(hash, at: server)
                    return isGone == true ? server : nil
                }
            }
            return await group.reduce(into: [MediaServer]()) { gone, server in
                if let server { gone.append(server) }
            }
        }
        for server in gone { try await forget(hash, at: server) }
    }

    /// The same file where one of the servers has it already.
    private func known(_ prepared: PreparedMedia, _ servers: [MediaServer]) -> OwnFile? {
        files.values.first { file in
            file.hash == prepared.sha256 && file.stored != nil && !servers.allSatisfy { !file.holders.contains($0) }
        }
    }

    private func again(_ file: OwnFile, _ facts: FileFacts, _ servers: [MediaServer]) async throws -> FileUpload {
        try await change(file.id) { file in
            if !facts.description.isEmpty { file.description = facts.description }
            file.ask(servers)
        }
        wake()
        return snapshot(files[file.id] ?? file)
    }

    public func uploads() async throws -> [FileUpload] {
        try await load()
        return files.values.filter { $0.isSealed != true }.sorted { ($1.added, $1.id) < ($0.added, $0.id) }.map(
            snapshot)
    }

    public func upload(_ id: String) async throws -> FileUpload? {
        try await load()
        return files[id].map(snapshot)
    }

    public func wait(for ids: [String], atMost span: Duration) async throws -> [FileUpload] {
        try await load()
        let news = ended.listen()
        _ = await withDeadline(span, on: context.time.clock) {
            var goesOn = await self.isUnderWay(ids)
            guard goesOn else { return }
            for await _ in news {
                goesOn = await self.isUnderWay(ids)
                if !goesOn { return }
            }
        }
        return ids.compactMap { files[$0] }.map(snapshot)
    }

    private func isUnderWay(_ ids: [String]) -> Bool {
        // A film is told with its still.
        (ids + ids.compactMap { files[$0]?.still }).contains { id in
            files[id]?.standing == .waiting && !unsigned.contains(id)
        }
    }

    public func cancel(_ id: String) async throws {
        try await load()
        guard let file = files[id], file.stored == nil else { return }
        try await forget(id)
        if let still = file.still { try await cancel(still) }
    }

    public func retry(_ id: String) async throws {
        try await load()
        try await change(id) { $0.ask($0.places.filter { $0.standing == .failed }.compactMap(\.server)) }
        unsigned.remove(id)
        wake()
    }

    public func describe(_ id: String, as text: String) async throws {
        try await load()
        try await change(id) { $0.description = String(text.prefix(1000)) }
    }

    public func publish(_ id: String, saying text: String) async throws -> Event {
        try await load()
        guard let file = files[id], let described = file.attachment.flatMap({ MediaAttachment($0) }) else {
            throw AccountError.empty
        }
        let words = text.isEmpty ? file.description : String(text.prefix(1000))
        let topics = ContentToken.split(words).compactMap { token -> String? in
            if case .hashtag(let topic) = token.meaning { topic } else { nil }
        }
        return try await publishing.send(
            FileMetadata.draft(described, text: words, topics: topics.uniqued(), createdAt: context.time.now()))
    }

    public func find(_ hash: BlobHash, of author: PublicKey) async throws -> FoundFile? {
        try await load()
        return try await finder.find(hash, of: author)
    }

    public func find(_ blob: BlobAddress) async throws -> FoundFile? {
        try await load()
        for author in blob.authors.isEmpty ? [context.publicKey] : blob.authors {
            guard let found = try await finder.find(blob.hash, of: author, hints: blob.servers) else { continue }
            return blob.size.map { $0 == found.size } ?? true ? found : nil
        }
        return nil
    }

    public func foundUsage() async throws -> KeptMediaUsage {
        try await load()
        return await finder.usage()
    }

    public func clearFound() async throws {
        try await load()
        try await finder.clear()
    }
}
