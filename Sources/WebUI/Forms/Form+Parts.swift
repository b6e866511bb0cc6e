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

    /// Adds a field as a browser wrote it; its line breaks become `\n`.
    mutating func add(_ name: String, text bytes: [UInt8]) {
        add(name, String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n"))
    }

    /// The parts of a form as they are read, files too, in memory: for forms that are bounded to what fits there.
    struct Gathering {
        /// What is whole so far; a part that is cut off never gets into it.
        private(set) var form = Form()
        private var part: MultipartReader.Part?
        private var content: [UInt8] = []

        /// Adds the next piece; a file counts as a field of its Base64, too, as scripts send it.
        mutating func add(_ piece: MultipartReader.Piece) {
            switch piece {
            case .part(let next): (part, content) = (next, [])
            case .bytes(let bytes): content += bytes
            case .end:
                guard let part else { return }
                add(part)
                (self.part, content) = (nil, [])
            }
        }

        private mutating func add(_ part: MultipartReader.Part) {
            guard let fileName = part.fileName else { return form.add(part.name, text: content) }
            // Nothing was chosen: a browser sends an empty file without a name.
            if !content.isEmpty || !fileName.isEmpty {
                form.add(part.name, FormFile(name: fileName, bytes: content))
            }
            // Large ones are taken as they are; of a small one scripts may have sent the Base64 in its place.
            if content.count <= Form.largest { form.add(part.name, Base64.encode(content.span)) }
        }
    }
}

extension [UInt8] {
    /// Where some bytes begin.
    func firstRange(of bytes: [UInt8]) -> Int? {
        guard let first = bytes.first, count >= bytes.count else { return nil }
        var here = 0
        while here <= count - bytes.count {
            if self[here] == first, self[here..<here + bytes.count].elementsEqual(bytes) { return here }
            here += 1
        }
        return nil
    }
}
