internal import HTTPTypes

/// Whether a browser takes gzip: named without `q=0`.
func takesGzip(_ headers: HTTPFields) -> Bool {
    headers[values: .acceptEncoding].contains { line in
        line.split(separator: ",").contains { part in
            let pieces = part.split(separator: ";").map { $0.trimming(while: \.isWhitespace) }
            guard pieces.first?.lowercased() == "gzip" else { return false }
            return !pieces.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
        }
    }
}

extension Substring {
    /// The text without such characters at either end.
    fileprivate func trimming(while isLeft: (Character) -> Bool) -> Substring {
        let head = drop(while: isLeft)
        guard let last = head.lastIndex(where: { !isLeft($0) }) else { return "" }
        return head[...last]
    }
}
