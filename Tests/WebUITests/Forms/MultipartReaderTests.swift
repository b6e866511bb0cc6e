import NostrTesting
import Testing

@testable import WebUI

@Suite("forms that are read while they come") struct MultipartReaderTests {
    private static let body =
        "--x7\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\ntoken\r\n"
        + "--x7\r\nContent-Disposition: form-data; name=\"upload\"; filename=\"a%22b.png\"\r\n"
        + "Content-Type: image/png\r\n\r\n\u{1}\r\n--x6\r\n\r\r\n\r\n"
        + "--x7\r\nContent-Disposition: form-data; name=\"upload\"; filename=\"\"\r\n\r\n\r\n--x7--\r\n"

    private func read(_ pieces: [[UInt8]]) throws -> (parts: [MultipartReader.Part], contents: [String], isOver: Bool) {
        var reader = MultipartReader(boundary: "x7")
        var (parts, contents): ([MultipartReader.Part], [[UInt8]]) = ([], [])
        for bytes in pieces {
            for piece in try reader.read(bytes) {
                switch piece {
                case .part(let part):
                    parts.append(part)
                    contents.append([])
                case .bytes(let bytes): contents[contents.count - 1] += bytes
                case .end: break
                }
            }
        }
        return (parts, contents.map { String(decoding: $0, as: UTF8.self) }, reader.isOver)
    }

    @Test("wherever it is cut into pieces, it is the same form", arguments: [1, 2, 3, 7, 64, 10_000])
    func pieces(length: Int) throws {
        let body = [UInt8](Self.body.utf8)
        let pieces = stride(from: 0, to: body.count, by: length).map {
            Array(body[$0..<min($0 + length, body.count)])
        }
        let (parts, contents, isOver) = try read(pieces)
        #expect(parts.map(\.name) == ["csrf", "upload", "upload"])
        #expect(parts.map(\.fileName) == [nil, "a\"b.png", ""])
        #expect(parts.map(\.type) == ["", "image/png", ""])
        #expect(contents == ["token", "\u{1}\r\n--x6\r\n\r\r\n", ""] && isOver)
    }

    @Test("what is cut off is not over, and a head without end is refused")
    func damaged() throws {
        let cut = try read([Array(Self.body.utf8.dropLast(20))])
        #expect(!cut.isOver)
        #expect(throws: MultipartReader.Malformed.self) {
            try read([[UInt8]("--x7\r\n".utf8) + [UInt8](repeating: 65, count: 10_000)])
        }
    }

    @Test("noise never traps")
    func noise() {
        Noise.run([UInt8](Self.body.utf8), rounds: 300) { bytes in _ = try? read([bytes]) }
    }
}
