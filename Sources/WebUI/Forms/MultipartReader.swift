/// Takes a form of several parts apart while it comes, keeping no more of it than a head and a boundary.
///
/// Source: RFC 7578; RFC 2046, 5.1.1.
struct MultipartReader {
    /// The head of a part.
    struct Part: Equatable {
        let name: String
        /// What the file is called; `nil` for a part that is none.
        let fileName: String?
        let type: String
    }

    /// What was found.
    enum Piece: Equatable {
        case part(Part)
        case bytes([UInt8])
        case end
    }

    /// The form is no such form.
    struct Malformed: Error {}

    private enum Phase {
        case preamble, boundary, head, body, over
    }

    /// The longest head of a part.
    private static let longestHead = 8192
    private let mark: [UInt8]
    private var phase = Phase.preamble
    // The first boundary may stand at the very beginning.
    private var buffer = Array("\r\n".utf8)

    /// Whether the last boundary came.
    var isOver: Bool { phase == .over }

    init(boundary: String) {
        mark = Array("\r\n--\(boundary)".utf8)
    }

    /// Takes the next bytes.
    ///
    /// - Throws: ``Malformed``.
    mutating func read(_ bytes: some Sequence<UInt8>) throws(Malformed) -> [Piece] {
        buffer += bytes
        var pieces: [Piece] = []
        while try step(&pieces) {}
        return pieces
    }

    /// One step; whether there may be another.
    private mutating func step(_ pieces: inout [Piece]) throws(Malformed) -> Bool {
        switch phase {
        case .over:
            buffer = []
            return false
        case .preamble, .body:
            let isBody = phase == .body
            guard let found = buffer.firstRange(of: mark) else {
                // A boundary may have begun at the end.
                let certain = max(0, buffer.count - mark.count + 1)
                if isBody, certain > 0 { pieces.append(.bytes(Array(buffer.prefix(certain)))) }
                buffer.removeFirst(certain)
                return false
            }
            if isBody {
                if found > 0 { pieces.append(.bytes(Array(buffer.prefix(found)))) }
                pieces.append(.end)
            }
            buffer.removeFirst(found + mark.count)
            phase = .boundary
            return true
        case .boundary: return try passBoundary()
        case .head: return try readHead(&pieces)
        }
    }

    private mutating func passBoundary() throws(Malformed) -> Bool {
        guard buffer.count >= 2 else { return false }
        let next = Array(buffer.prefix(2))
        guard next == Array("\r\n".utf8) || next == Array("--".utf8) else { throw Malformed() }
        buffer.removeFirst(2)
        phase = next == Array("--".utf8) ? .over : .head
        return true
    }

    private mutating func readHead(_ pieces: inout [Piece]) throws(Malformed) -> Bool {
        guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard buffer.count <= Self.longestHead else { throw Malformed() }
            return false
        }
        guard end <= Self.longestHead else { throw Malformed() }
        let lines = String(decoding: buffer[..<end], as: UTF8.self).split(separator: "\r\n")
        buffer.removeFirst(end + 4)
        guard
            let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition: form-data") }),
            let name = Self.word("name", in: line)
        else { throw Malformed() }
        let type = lines.first { $0.lowercased().hasPrefix("content-type:") }?.dropFirst("content-type:".count)
        pieces.append(
            .part(
                Part(
                    name: name, fileName: Self.word("filename", in: line).map(Self.plainName),
                    type: type.map { String($0.drop { $0 == " " }) } ?? "")))
        phase = .body
        return true
    }

    /// The value of `name="value"`.
    private static func word(_ name: String, in line: Substring) -> String? {
        guard let start = line.firstRange(of: "; \(name)=\"") else { return nil }
        return String(line[start.upperBound...].prefix { $0 != "\"" })
    }

    /// Some browsers send a path; all write a quotation mark as `%22`.
    private static func plainName(_ name: String) -> String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        return last.replacing("%22", with: "\"")
    }
}
