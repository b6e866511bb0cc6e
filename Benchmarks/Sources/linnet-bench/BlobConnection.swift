import Crypto
import Foundation
import NostrCore
import NostrNIPs

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A blob that is like many others but for its beginning, so that a thousand of them take the memory of one.
struct BenchBlob: Sendable {
    /// The bytes, part by part.
    let parts: [[UInt8]]

    /// - Parameter times: how often `rest` stands behind the number.
    init(number: UInt64, rest: [UInt8], times: Int) {
        parts = [withUnsafeBytes(of: number.bigEndian) { Array($0) }] + Array(repeating: rest, count: times)
    }

    var count: Int { parts.reduce(0) { $0 + $1.count } }

    var hash: [UInt8] {
        var hasher = SHA256()
        for part in parts { hasher.update(data: part) }
        return Array(hasher.finalize())
    }

    var name: BlobHash {
        get throws {
            guard let hash = BlobHash(digest: self.hash) else { throw HTTPServer.NoAnswer() }
            return hash
        }
    }
}

/// Somebody who brings blobs.
struct BlobPerson: Sendable {
    private let secret: [UInt8]

    init() {
        var random = SystemRandomNumberGenerator()
        let key = SecretKey.generate(using: &random)
        secret = key.withBytes { span in span.indices.map { span[$0] } }
    }

    /// What permits to bring a blob for ten minutes.
    func token(for blob: BenchBlob, at server: HTTPServer) throws -> String {
        let now = Timestamp(seconds: Int64(Date.now.timeIntervalSince1970))
        let draft = BlobAuthorization.draft(
            .upload, blobs: [try blob.name], servers: ["127.0.0.1"], words: "Upload", createdAt: now,
            expiration: now + .seconds(600))
        var random = SystemRandomNumberGenerator()
        let key = try SecretKey(hex: encodeHex(secret))
        return BlobAuthorization.header(Event(signing: draft, with: key, using: &random))
    }
}

/// A connection to a server of files that is kept for one request after the other, over a plain socket: nothing of a
/// client's library is measured with the server.
final class BlobConnection {
    private let descriptor: Int32
    private let port: UInt16
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)

    init(_ server: HTTPServer) throws {
        descriptor = try server.connected()
        port = server.port
        var yes: Int32 = 1
        // What is written goes out at once.
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    deinit { close(descriptor) }

    /// Brings a blob that is not there yet.
    func bring(_ blob: BenchBlob, token: String) throws {
        let head =
            "PUT /upload HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nAuthorization: \(token)\r\n"
            + "Content-Length: \(blob.count)\r\n\r\n"
        try writeAll(Array(head.utf8), to: descriptor)
        for part in blob.parts { try writeAll(part, to: descriptor) }
        guard try answer(status: 201, body: { _ in }) > 0 else { throw HTTPServer.NoAnswer() }
    }

    /// The bytes at a path.
    func get(_ path: String) throws -> [UInt8] {
        try ask(path)
        var body: [UInt8] = []
        _ = try answer(status: 200) { body += $0 }
        return body
    }

    /// Reads the bytes at a path and forgets them; how many there were.
    func pass(_ path: String) throws -> Int {
        try ask(path)
        return try answer(status: 200) { _ in }
    }

    private func ask(_ path: String) throws {
        try writeAll(Array("GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8), to: descriptor)
    }

    /// Reads one answer to its end; how long its body was.
    ///
    /// The head is looked at where it was read, byte by byte and once, so that a server pays in the client's time neither
    /// for a longer head nor for one that comes together with the body.
    private func answer(status: Int, body: (ArraySlice<UInt8>) -> Void) throws -> Int {
        var filled = 0
        var end: Int?
        while end == nil {
            guard filled < buffer.count else { throw HTTPServer.NoAnswer() }
            let count = buffer.withUnsafeMutableBytes { room in
                room.baseAddress.map { read(descriptor, $0 + filled, room.count - filled) } ?? -1
            }
            guard count > 0 else { throw HTTPServer.NoAnswer() }
            end = Self.endOfHead(buffer, from: max(0, filled - 3), to: filled + count)
            filled += count
        }
        guard let end else { throw HTTPServer.NoAnswer() }
        let head = String(decoding: buffer[..<end], as: UTF8.self)
        guard head.hasPrefix("HTTP/1.1 \(status)"), let length = Self.length(in: buffer[..<end]) else {
            throw HTTPServer.NoAnswer()
        }
        body(buffer[end..<filled])
        var missing = length - (filled - end)
        while missing > 0 {
            let count = read(descriptor, &buffer, min(buffer.count, missing))
            guard count > 0 else { throw HTTPServer.NoAnswer() }
            body(buffer[..<count])
            missing -= count
        }
        guard missing == 0 else { throw HTTPServer.NoAnswer() }
        return length
    }

    /// Where the body begins: behind the first empty line.
    private static func endOfHead(_ bytes: [UInt8], from start: Int, to end: Int) -> Int? {
        guard start + 4 <= end else { return nil }
        return (start...end - 4).first {
            bytes[$0] == 13 && bytes[$0 + 1] == 10 && bytes[$0 + 2] == 13 && bytes[$0 + 3] == 10
        }.map { $0 + 4 }
    }

    private static let lengthName = Array("content-length:".utf8)

    /// What the head says of the body's length.
    private static func length(in head: ArraySlice<UInt8>) -> Int? {
        var line = head.startIndex
        while line < head.endIndex {
            let next = head[line...].firstIndex(of: 10).map { $0 + 1 } ?? head.endIndex
            let text = head[line..<next]
            // The letters of a name may be of either case.
            if text.count > lengthName.count, zip(text, lengthName).allSatisfy({ $0 | 0x20 == $1 }) {
                let digits = text.dropFirst(lengthName.count).filter { (48...57).contains($0) }
                return Int(String(decoding: digits, as: UTF8.self))
            }
            line = next
        }
        return nil
    }
}

/// Writes all of some bytes to a file or a socket.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws {
    var offset = 0
    while offset < bytes.count {
        let count = bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.map { write(descriptor, $0 + offset, buffer.count - offset) } ?? -1
        }
        guard count > 0 else { throw HTTPServer.NoAnswer() }
        offset += count
    }
}
