/// The query of a URI: names and values in order, decoded once.
package struct URIQuery: Hashable, Sendable {
    /// One pair.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// All pairs, in order; names may repeat.
    package var items: [Item]

    /// A query of pairs that are not percent-encoded yet, in their order.
    package init(_ items: [Item]) {
        self.items = items
    }

    /// Reads what stands after `?`; a pair whose escapes are broken is left out.
    package init(parsing text: some StringProtocol, plusIsSpace: Bool = false) {
        items = text.split(separator: "&").compactMap { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first.flatMap({ PercentEncoding.decode($0, plusIsSpace: plusIsSpace) }),
                !name.isEmpty,
                let value = PercentEncoding.decode(parts.count > 1 ? parts[1] : "", plusIsSpace: plusIsSpace)
            else { return nil }
            return Item(name, value)
        }
    }

    /// The value of the first pair with a name; empty counts as absent.
    package subscript(_ name: String) -> String? {
        items.first { $0.name == name && !$0.value.isEmpty }?.value
    }

    /// The values of all pairs with a name, empty ones left out.
    package func all(_ name: String) -> [String] {
        items.filter { $0.name == name && !$0.value.isEmpty }.map(\.value)
    }

    /// The pairs as they stand after `?`, everything encoded that is not unreserved.
    package var text: String {
        items.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }.joined(separator: "&")
    }
}
