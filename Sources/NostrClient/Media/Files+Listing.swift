internal import NostrCore
public import NostrNIPs

/// What servers keep for the account.
extension Files {
    public func listing(of servers: [MediaServer]) async throws -> FileListing {
        try await load()
        let client = try await client()
        let key = context.publicKey
        let answers = await withTaskGroup(of: (Int, Result<[BlobDescriptor], ServerRefusal>).self) { group in
            for (place, server) in servers.prefix(MediaServerList.most).enumerated() {
                group.addTask {
                    (place, await Self.result { try await client.list(of: key, at: server) })
                }
            }
            var answers: [Int: Result<[BlobDescriptor], ServerRefusal>] = [:]
            for await (place, answer) in group { answers[place] = answer }
            return answers
        }
        var (found, outcomes): ([BlobHash: ListedFile], [ServerOutcome]) = (known(), [])
        for (place, server) in servers.enumerated() {
            switch answers[place] {
            case .success(let blobs):
                outcomes.append(ServerOutcome(server))
                for blob in blobs { Self.add(blob, at: server, to: &found) }
            case .failure(let refusal): outcomes.append(ServerOutcome(server, refusal))
            case nil: continue
            }
        }
        let sorted = found.values.sorted { ($1.uploaded, $1.hash) < ($0.uploaded, $0.hash) }
        return FileListing(files: sorted, servers: outcomes)
    }

    /// What was brought from here, as it is remembered: not every server lists what it has.
    private func known() -> [BlobHash: ListedFile] {
        var found: [BlobHash: ListedFile] = [:]
        for file in files.values where file.isSealed != true {
            guard let stored = file.stored, let hash = BlobHash(hex: stored.hash) else { continue }
            found[hash] = ListedFile(
                hash: hash, url: stored.url, size: stored.size, type: stored.type, uploaded: file.addedAt,
                holders: file.holders, own: snapshot(file))
        }
        return found
    }

    private static func add(_ blob: BlobDescriptor, at server: MediaServer, to found: inout [BlobHash: ListedFile]) {
        var file =
            found[blob.hash]
            ?? ListedFile(
                hash: blob.hash, url: server.address(of: blob.hash, type: blob.type), size: Int64(blob.size),
                type: blob.type, uploaded: blob.uploaded, holders: [])
        if !file.holders.contains(server) { file.holders.append(server) }
        found[blob.hash] = file
    }

    public func mirror(_ blob: ListedFile, to servers: [MediaServer]) async throws {
        try await load()
        let known = files.values.first { $0.stored?.hash == blob.hash.hex }
        if let known {
            try await change(known.id) { $0.ask(servers) }
            return wake()
        }
        var new = OwnFile(
            id: encodeHex(context.random.bytes(16)), FileFacts(name: "", type: blob.type), size: blob.size,
            hash: blob.hash.hex, addedAt: blob.uploaded, to: blob.holders)
        for server in blob.holders {
            new.isStored(
                BlobDescriptor(
                    url: blob.url, hash: blob.hash, size: Int(blob.size), type: blob.type, uploaded: blob.uploaded),
                at: server)
        }
        new.ask(servers)
        try await insert(new)
    }

    public func delete(_ hash: BlobHash, at servers: [MediaServer]) async throws -> [ServerOutcome] {
        try await load()
        let client = try await client()
        var outcomes: [ServerOutcome] = []
        for server in servers {
            switch await Self.result({ try await client.delete(hash, at: server) }) {
            case .success:
                outcomes.append(ServerOutcome(server))
                try await forget(hash, at: server)
            case .failure(let refusal): outcomes.append(ServerOutcome(server, refusal))
            }
        }
        return outcomes
    }

    /// A server has a blob no longer; a file that is nowhere is forgotten.
    func forget(_ hash: BlobHash, at server: MediaServer) async throws {
        for file in files.values where file.stored?.hash == hash.hex {
            try await change(file.id) { $0.isGone(from: server) }
            if let left = files[file.id], left.holders.isEmpty { try await forget(file.id) }
        }
    }

    /// What a server said; what the signer said instead counts as a server that did not take the token.
    private static func result<Value: Sendable>(
        _ work: () async throws -> Value
    ) async -> Result<Value, ServerRefusal> {
        do { return .success(try await work()) } catch let refusal as ServerRefusal {
            return .failure(refusal)
        } catch {
            return .failure(ServerRefusal(.unauthorized))
        }
    }
}
