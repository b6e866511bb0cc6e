/// The tree hashes that are known, in one flat buffer.
struct TreeHashes: Sendable {
    private let length: Int
    private var bytes: [UInt8]
    private var known: [Bool]

    init(nodes: Int, length: Int) {
        self.length = length
        bytes = [UInt8](repeating: 0, count: nodes * length)
        known = [Bool](repeating: false, count: nodes)
    }

    func isKnown(_ node: NodeIndex) -> Bool { known.indices.contains(node.value) && known[node.value] }

    subscript(node: NodeIndex) -> [UInt8]? {
        guard isKnown(node) else { return nil }
        return Array(bytes[node.value * length..<(node.value + 1) * length])
    }

    mutating func remember(_ hash: [UInt8], of node: NodeIndex) {
        guard known.indices.contains(node.value), hash.count == length else { return }
        bytes.replaceSubrange(node.value * length..<(node.value + 1) * length, with: hash)
        known[node.value] = true
    }

    mutating func forget(_ node: NodeIndex) {
        if known.indices.contains(node.value) { known[node.value] = false }
    }

    mutating func resize(to nodes: Int) {
        if nodes < known.count {
            known.removeLast(known.count - nodes)
            bytes.removeLast(bytes.count - nodes * length)
        } else {
            known += [Bool](repeating: false, count: nodes - known.count)
            bytes += [UInt8](repeating: 0, count: nodes * length - bytes.count)
        }
    }
}
