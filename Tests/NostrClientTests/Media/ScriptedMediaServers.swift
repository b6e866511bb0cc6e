import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import Synchronization

/// Media servers that answer what a test wants, and remember what they were asked.
final class ScriptedMediaServers: BlobTransferring {
    typealias Script = @Sendable (BlobRequest, [UInt8]) throws -> BlobAnswer

    private let script: Script
    private let blobs: [String: [UInt8]]
    /// Servers that give nothing to who shows no token.
    private let closed: [String]
    private let asked = Mutex<[BlobRequest]>([])

    /// What was asked, in order, as `PUT https://a.example/upload`.
    var questions: [String] { asked.withLock { $0.map { "\($0.method.rawValue) \($0.address)" } } }
    /// What was asked, in order.
    var requests: [BlobRequest] { asked.withLock { $0 } }

    init(
        blobs: [String: [UInt8]] = [:], closed: [String] = [],
        _ script: @escaping Script = { _, _ in BlobAnswer(status: 404) }
    ) {
        (self.blobs, self.closed, self.script) = (blobs, closed, script)
    }

    func send(_ request: BlobRequest, progress: @escaping @Sendable (Int64) -> Void) async throws -> BlobAnswer {
        asked.withLock { $0.append(request) }
        var body: [UInt8] = []
        switch request.body {
        case .none: break
        case .bytes(let bytes): body = bytes
        case .file(let file, _): body = [UInt8](try Data(contentsOf: file))
        }
        progress(Int64(body.count))
        return try script(request, body)
    }

    func fetch(
        _ address: String, headers: [String: String], into file: URL, longest: Int64, deadline: Duration
    ) async throws -> FetchedBlob {
        asked.withLock { $0.append(BlobRequest(.get, address, headers: headers)) }
        if closed.contains(where: address.hasPrefix), headers["Authorization"] == nil {
            throw ServerRefusal(.unauthorized, status: 401)
        }
        guard let bytes = blobs[address] else { throw ServerRefusal(.notThere, status: 404) }
        try Data(bytes).write(to: file)
        return FetchedBlob(hash: BlobHash(of: bytes), size: Int64(bytes.count), type: "image/png")
    }

    /// The answer of a server that keeps what it is brought.
    static func kept(_ bytes: [UInt8], at host: String, type: String = "image/png") -> BlobAnswer {
        let hash = BlobHash(of: bytes)
        let descriptor = BlobDescriptor(
            url: "https://\(host)/\(hash.hex).png", hash: hash, size: bytes.count, type: type,
            uploaded: .init(seconds: 1000))
        return BlobAnswer(status: 201, body: descriptor.json)
    }
}
