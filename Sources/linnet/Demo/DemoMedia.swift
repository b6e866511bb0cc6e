import Foundation
import NostrClient
import NostrNIPs
import NostrWorld

/// The media servers of a simulated Nostr; no socket leaves this machine for them.
struct DemoMedia: BlobTransferring {
    private static let longest: Int64 = 64 << 20

    let servers: WorldMediaServers
    /// The pictures of its people, which lie beside those servers.
    let pictures: WorldPictures

    func send(
        _ request: BlobRequest, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> BlobAnswer {
        let body = try bytes(of: request.body)
        // Half of it is on its way where the connection breaks off.
        progress(Int64(body.count / 2))
        guard
            let answer = servers.answer(
                WorldMediaServers.Incoming(
                    method: request.method.rawValue, address: request.address, headers: request.headers, body: body))
        else { throw ServerRefusal(body.isEmpty ? .unreachable : .brokenOff) }
        progress(Int64(body.count))
        return BlobAnswer(
            status: answer.status, headers: answer.headers, body: Array(answer.body.prefix(request.longestAnswer)))
    }

    func fetch(
        _ address: String, headers: [String: String], into file: URL, longest: Int64, deadline: Duration
    ) async throws -> FetchedBlob {
        if let picture = pictures.file(at: address) {
            guard picture.bytes.count <= longest else { throw ServerRefusal(.tooLarge) }
            return try Self.written(picture.bytes, type: picture.type, into: file)
        }
        guard
            let answer = servers.answer(
                WorldMediaServers.Incoming(method: "GET", address: address, headers: headers, body: []))
        else { throw ServerRefusal(.unreachable) }
        if let refusal = ServerRefusal(BlobAnswer(status: answer.status, headers: answer.headers)) { throw refusal }
        guard answer.body.count <= longest else { throw ServerRefusal(.tooLarge) }
        return try Self.written(answer.body, type: answer.headers["content-type"] ?? "", into: file)
    }

    private static func written(_ bytes: [UInt8], type: String, into file: URL) throws -> FetchedBlob {
        let blob = try BlobFile(file)
        do {
            try blob.write(bytes)
            return try blob.finish(type: type)
        } catch {
            blob.discard()
            throw error
        }
    }

    private func bytes(of body: BlobRequest.Body) throws -> [UInt8] {
        switch body {
        case .none: return []
        case .bytes(let bytes): return bytes
        case .file(let file, let size):
            guard size <= Self.longest else { throw ServerRefusal(.tooLarge, status: 413) }
            return [UInt8](try Data(contentsOf: file))
        }
    }
}
