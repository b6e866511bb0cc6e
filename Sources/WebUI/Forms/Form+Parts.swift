internal import NostrNIPs

/// Forms that carry a file.
extension Form {
    /// The boundary that a content type names; nil for other types.
    ///
    /// Source: RFC 7578; RFC 2046, 5.1.1: 1 to 70 characters.
    static func boundary(_ contentType: String) -> String? {
        let parts = contentType.split(separator: ";").map { $0.drop { $0 == " " } }
        guard parts.first?.lowercased() == "multipart/form-data" else { return nil }
        guard let named = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("boundary=") }) else { return nil }
        let boundary = named.dropFirst("boundary=".count).filter { $0 != "\"" }
        return (1...70).contains(boundary.utf8.count) ? boundary : nil
    }

    /// Decodes `multipart/form-data`; a file counts as a field of its Base64, as scripts send it.
    ///
    /// What is cut off is left out.
    init(parts body: [UInt8], boundary: String) {
        self.init()
        let mark = Array("\r\n--\(boundary)".utf8)
        // The first boundary may stand at the very beginning.
        let body = Array("\r\n".utf8) + body
        var starts: [Int] = []
        var place = 0
        while let found = body.firstRange(of: mark, from: place) {
            starts.append(found)
            place = found + mark.count
        }
        for (start, end) in zip(starts, starts.dropFirst()) {
            add(part: Array(body[start + mark.count..<end]))
        }
    }

    private mutating func add(part: [UInt8]) {
        guard let end = part.firstRange(of: Array("\r\n\r\n".utf8), from: 0) else { return }
        let head = String(decoding: part[..<end], as: UTF8.self)
        guard
            let line = head.split(separator: "\r\n").first(where: {
                $0.lowercased().hasPrefix("content-disposition: form-data")
            }), let name = Self.word("name", in: line)
        else { return }
        let content = Array(part[(end + 4)...])
        let isFile = Self.word("filename", in: line) != nil
        add(name, isFile ? Base64.encode(content.span) : String(decoding: content, as: UTF8.self))
    }

    /// The value of `name="value"`.
    private static func word(_ name: String, in line: Substring) -> String? {
        guard let start = line.firstRange(of: "; \(name)=\"") else { return nil }
        return String(line[start.upperBound...].prefix { $0 != "\"" })
    }
}

extension [UInt8] {
    /// Where some bytes begin, at a place or after it.
    fileprivate func firstRange(of bytes: [UInt8], from place: Int) -> Int? {
        guard let first = bytes.first, count >= bytes.count else { return nil }
        var here = place
        while here <= count - bytes.count {
            if self[here] == first, self[here..<here + bytes.count].elementsEqual(bytes) { return here }
            here += 1
        }
        return nil
    }
}
