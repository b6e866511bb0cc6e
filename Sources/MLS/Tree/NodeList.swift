/// A ratchet tree as it travels: all nodes up to the last that is not blank.
///
/// Source: RFC 9420 §12.4.3.3.
struct NodeList: MLSCodable, Hashable, Sendable {
    let nodes: [Node?]

    init(_ nodes: [Node?]) {
        self.nodes = Array(nodes[..<((nodes.lastIndex { $0 != nil } ?? -1) + 1)])
    }

    init(from reader: inout Reader) throws(MLSError) {
        var left = reader.options.maximumTreeNodes
        nodes = try reader.vector { (inner) throws(MLSError) in
            guard left > 0 else { throw MLSError(.limitExceeded, "a tree has too many nodes") }
            left -= 1
            return try inner.optional()
        }
    }

    func write(to writer: inout Writer) { writer.vector(nodes) { $0.optional($1) } }
}
