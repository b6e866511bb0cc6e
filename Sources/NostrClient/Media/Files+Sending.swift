internal import AsyncPrimitives
internal import Foundation
internal import NostrCore
internal import NostrNIPs

/// Bringing one file to servers.
extension Files {
    /// Films up to this length are handed to servers that make media smaller.
    private static let shortFilm: Int64 = 32 << 20

    /// Asks one server after the other; the first that takes it is enough for the file to be there.
    func bringFirst(_ file: OwnFile) async throws {
        guard let folder, let hash = BlobHash(hex: file.hash) else { return }
        let upload = BlobClient.Upload(
            file: folder.outgoing(file.id), type: file.type, size: file.size, hash: hash)
        for server in file.places.filter({ $0.standing == .waiting }).compactMap(\.server) {
            do {
                let blob = try await bring(upload, named: file.id, to: server)
                try await change(file.id) { $0.isStored(blob, at: server) }
                try await tellFilms(of: file.id)
                return
            } catch let refusal as ServerRefusal {
                let now = context.time.now()
                try await change(file.id) { $0.isRefused(refusal, at: server, now: now, triesAgain: false) }
            }
        }
        try await change(file.id) { if $0.stored == nil { $0.standing = .failed } }
    }

    /// Has the other servers copy it from where it lies.
    func copy(_ file: OwnFile) async throws {
        guard let stored = file.stored, let hash = BlobHash(hex: stored.hash) else { return }
        let now = context.time.now()
        for place in file.places where place.standing == .waiting && place.next <= now.seconds {
            guard let server = place.server else { continue }
            do {
                try await copy(hash, from: stored.url, file, to: server)
                try await change(file.id) { $0.isThere(at: server) }
            } catch let refusal as ServerRefusal {
                try await change(file.id) { $0.isRefused(refusal, at: server, now: now, triesAgain: true) }
            }
        }
        // What was sent in private is remembered no longer than it takes.
        if let left = files[file.id], left.isSealed == true, !left.isOnItsWay { try await forget(file.id) }
    }

    /// Changes what is known of a file, durably; nothing happens to one that was taken back.
    func change(_ id: String, _ body: (inout OwnFile) -> Void) async throws {
        guard var file = files[id] else { return }
        body(&file)
        try await keep(file)
    }

    /// Brings a file to one server: to where media are made smaller, else as it is, with a token of its own.
    private func bring(
        _ upload: BlobClient.Upload, named id: String, to server: MediaServer
    ) async throws -> BlobDescriptor {
        let client = try await client()
        let progress: @Sendable (Int64) -> Void = { [sent] count in sent.note(count, of: id) }
        if Self.isMadeSmaller(upload) {
            do {
                try await client.preflight(upload, .media, at: server)
                return try await client.put(upload, .media, at: server, progress: progress)
            } catch let refusal as ServerRefusal where refusal.code == .notThere {
                // It makes nothing smaller; it may take the file as it is.
            }
        }
        try await client.preflight(upload, .upload, at: server)
        return try await client.put(upload, .upload, at: server, progress: progress)
    }

    private static func isMadeSmaller(_ upload: BlobClient.Upload) -> Bool {
        if upload.type == "image/svg+xml" { return false }
        return upload.type.hasPrefix("image/") || (upload.type.hasPrefix("video/") && upload.size <= shortFilm)
    }

    /// Has a server copy a blob; one that does not copy is given the bytes.
    private func copy(_ hash: BlobHash, from url: String, _ file: OwnFile, to server: MediaServer) async throws {
        let client = try await client()
        do {
            guard Self.mayBeSent(server, to: url, of: file) else { throw ServerRefusal(.notThere) }
            _ = try await client.mirror(hash, from: url, to: server)
        } catch let refusal as ServerRefusal where refusal.mayTakeBytes {
            guard let here = try await bytes(of: hash, file) else { throw refusal }
            let upload = BlobClient.Upload(
                file: here.file, type: file.stored?.type ?? file.type, size: here.size, hash: hash)
            _ = try await client.put(upload, .upload, at: server) { _ in }
        }
    }

    /// A blob's bytes on this machine: while they wait here to be sent, else as the account's servers give them.
    private func bytes(of hash: BlobHash, _ file: OwnFile) async throws -> (file: URL, size: Int64)? {
        if let lies = folder?.outgoing(file.id), file.hash == hash.hex,
            FileManager.default.fileExists(atPath: lies.path)
        {
            return (lies, file.size)
        }
        let found = try await finder.find(hash, of: context.publicKey, hints: file.holders)
        return found.map { ($0.file, $0.size) }
    }

    /// Whether a server may be sent to where a blob lies, by the word of the server that it was brought to.
    ///
    /// Nobody outside reaches what lies in this network, and who is within is sent only to servers that the account has
    /// the file on: one outside could name any machine here.
    private static func mayBeSent(_ server: MediaServer, to url: String, of file: OwnFile) -> Bool {
        // What is no address of a server, as a number with colons, is judged by nobody.
        guard let place = MediaServer(url) else { return false }
        return !isPrivateHost(place.domain) || (isPrivateHost(server.domain) && file.holders.contains(place))
    }
}
