internal import AsyncPrimitives
internal import Foundation
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// What one media server is asked, with a token for that server alone.
///
/// Source: BUD-01, 02, 04, 05, 06, 11, 12.
struct BlobClient: Sendable {
    /// How long a token holds, beside the time that what it is for may take.
    private static let lifetime: Duration = .seconds(300)
    /// Clocks differ: a token is dated so much in the past.
    private static let past: Duration = .seconds(5)
    private static let shortTime: Duration = .seconds(20)
    /// How long a server may take to copy from another.
    private static let mirrorTime: Duration = .seconds(120)
    /// A line so slow, in bytes a second, still brings a file.
    private static let slowest: Int64 = 64 << 10
    private static let longestList = 4 << 20
    /// How long a server is asked on for its list, beside what the last answer takes.
    private static let listTime: Duration = .seconds(40)

    let reach: ServerReach
    let signer: any EventSigner
    let time: Time<Timestamp>

    /// A file to be brought.
    struct Upload: Sendable {
        let file: URL
        let type: String
        let size: Int64
        let hash: BlobHash

        /// How long it may take.
        fileprivate var time: Duration { .seconds(120 + size / BlobClient.slowest) }
    }

    /// Where a file is brought.
    enum Endpoint: String, Sendable {
        case upload, media

        var action: BlobAuthorization.Action { self == .media ? .media : .upload }
    }

    /// Asks whether a file would be taken; servers that do not say so are tried.
    ///
    /// - Throws: ``ServerRefusal`` where it would not.
    func preflight(_ upload: Upload, _ endpoint: Endpoint, at server: MediaServer) async throws {
        var headers = try await authorized(endpoint.action, upload.hash, at: server, "Ask about a file")
        headers["X-SHA-256"] = upload.hash.hex
        headers["X-Content-Type"] = upload.type
        headers["X-Content-Length"] = "\(upload.size)"
        let request = BlobRequest(
            .head, "\(server.address)/\(endpoint.rawValue)", headers: headers, deadline: Self.shortTime)
        let answer = try await reach.transfer(for: server).send(request) { _ in }
        guard let refusal = ServerRefusal(answer) else { return }
        switch refusal.code {
        case .unauthorized, .paymentRequired, .forbidden, .conflict, .tooLarge, .wrongType, .tooMany: throw refusal
        // The question is optional; whoever does not know it may take the file all the same.
        default: return
        }
    }

    /// Brings a file.
    ///
    /// - Throws: ``ServerRefusal``; `wrongHash` where the server says it keeps something else.
    func put(
        _ upload: Upload, _ endpoint: Endpoint, at server: MediaServer,
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> BlobDescriptor {
        let words = upload.type.hasPrefix("image/") ? "Upload picture" : "Upload file"
        var headers = try await authorized(endpoint.action, upload.hash, at: server, words, lasting: upload.time)
        headers["Content-Type"] = upload.type
        headers["X-SHA-256"] = upload.hash.hex
        let request = BlobRequest(
            .put, "\(server.address)/\(endpoint.rawValue)", headers: headers,
            body: .file(upload.file, size: upload.size), deadline: upload.time)
        let answer = try await reach.transfer(for: server).send(request, progress: progress)
        let descriptor = try Self.descriptor(answer, at: server)
        switch endpoint {
        case .upload: guard descriptor.hash == upload.hash else { throw ServerRefusal(.wrongHash) }
        // What is made smaller there has another name; its address must bear that one.
        case .media:
            guard BlobHash(inAddress: descriptor.url) == descriptor.hash else { throw ServerRefusal(.wrongHash) }
        }
        return descriptor
    }

    /// Has a server copy a blob from another.
    func mirror(_ blob: BlobHash, from url: String, to server: MediaServer) async throws -> BlobDescriptor {
        var headers = try await authorized(.upload, blob, at: server, "Copy file to another server")
        headers["Content-Type"] = "application/json"
        let body = JSONValue.object([JSONMember("url", .string(url))]).json
        let request = BlobRequest(
            .put, "\(server.address)/mirror", headers: headers, body: .bytes(body), deadline: Self.mirrorTime)
        let descriptor = try Self.descriptor(try await reach.transfer(for: server).send(request) { _ in }, at: server)
        guard descriptor.hash == blob else { throw ServerRefusal(.wrongHash) }
        return descriptor
    }

    /// Deletes a blob; one that is not there counts as deleted.
    func delete(_ blob: BlobHash, at server: MediaServer) async throws {
        let headers = try await authorized(.delete, blob, at: server, "Delete file")
        let request = BlobRequest(
            .delete, "\(server.address)/\(blob.hex)", headers: headers, deadline: Self.shortTime)
        guard let refusal = ServerRefusal(try await reach.transfer(for: server).send(request) { _ in }) else { return }
        if refusal.status == 404 || refusal.status == 410 { return }
        // Some call the request wrong instead.
        if refusal.code == .malformed, try await lacks(blob, at: server) { return }
        throw refusal
    }

    /// Whether a server says that it does not have a blob.
    func lacks(_ blob: BlobHash, at server: MediaServer) async throws -> Bool {
        let request = BlobRequest(.head, "\(server.address)/\(blob.hex)", deadline: Self.shortTime)
        let answer = try await reach.transfer(for: server).send(request) { _ in }
        return answer.status == 404 || answer.status == 410
    }

    /// What somebody brought to a server, the newest first; at most ``mostListed``.
    ///
    /// Servers give fewer at a time than they are asked for, and are asked on from the last (BUD-12);
    /// one that is slow is asked on for a while only, and what it said by then is the answer.
    func list(of key: PublicKey, at server: MediaServer) async throws -> [BlobDescriptor] {
        let headers = try await authorized(.list, nil, at: server, "List files")
        let end = time.uptime() + Self.listTime
        var (found, seen): ([BlobDescriptor], Set<BlobHash>) = ([], [])
        while true {
            var address = "\(server.address)/list/\(key.hex)?limit=\(Self.mostListed - found.count)"
            if let last = found.last { address += "&cursor=\(last.hash.hex)" }
            let stretch: [BlobDescriptor]
            do { stretch = try await listed(address, headers, at: server) } catch let refusal as ServerRefusal {
                // One that does not go on has said what it says.
                guard !found.isEmpty else { throw refusal }
                return found
            }
            // One that knows no such question says the same again.
            let new = stretch.filter { seen.insert($0.hash).inserted }
            found += new.prefix(Self.mostListed - found.count)
            guard new.count >= Self.fewestOfMany, found.count < Self.mostListed, time.uptime() < end else {
                return found
            }
        }
    }

    private func listed(
        _ address: String, _ headers: [String: String], at server: MediaServer
    ) async throws -> [BlobDescriptor] {
        let request = BlobRequest(
            .get, address, headers: headers, longestAnswer: Self.longestList, deadline: Self.shortTime)
        let answer = try await reach.transfer(for: server).send(request) { _ in }
        if let refusal = ServerRefusal(answer) { throw refusal }
        // What is no JSON is no list.
        guard let list = try? JSONValue(answer.body) else { throw ServerRefusal(.wrongAnswer, status: answer.status) }
        return list.elements.prefix(Self.mostListed).compactMap { BlobDescriptor($0) }
    }

    /// The fields that tell a server who asks for a blob.
    func readingToken(
        for blob: BlobHash, at server: MediaServer, lasting time: Duration
    ) async throws -> [String: String] {
        try await authorized(.get, blob, at: server, "Get file", lasting: time)
    }

    /// How many files of a server are listed.
    static let mostListed = 1000
    /// A server that gives fewer than these is taken to have no more.
    static let fewestOfMany = 50

    private func authorized(
        _ action: BlobAuthorization.Action, _ blob: BlobHash?, at server: MediaServer, _ words: String,
        lasting time: Duration = .zero
    ) async throws -> [String: String] {
        let now = self.time.now()
        let draft = BlobAuthorization.draft(
            action, blobs: blob.map { [$0] } ?? [], servers: [server.domain], words: words,
            createdAt: now - Self.past, expiration: now + Self.lifetime + time)
        return ["Authorization": BlobAuthorization.header(try await signer.sign(draft))]
    }

    /// What a server says it keeps; an address that is none of its blobs is put right.
    private static func descriptor(_ answer: BlobAnswer, at server: MediaServer) throws -> BlobDescriptor {
        if let refusal = ServerRefusal(answer) { throw refusal }
        guard var descriptor = BlobDescriptor(json: answer.body) else {
            throw ServerRefusal(.wrongAnswer, status: answer.status)
        }
        let isWeb = descriptor.url.hasPrefix("https://") || descriptor.url.hasPrefix("http://")
        let isPlain = descriptor.url.utf8.count <= 2048 && descriptor.url.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
        if !isWeb || !isPlain { descriptor.url = server.address(of: descriptor.hash, type: descriptor.type) }
        return descriptor
    }
}
