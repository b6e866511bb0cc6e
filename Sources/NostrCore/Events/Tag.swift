/// One tag: a name and its values, kept exactly as they came.
///
/// Shape: an array of strings; the first is the name. A tag may be empty on the wire; then ``name`` is `nil`.
/// Source: NIP-01, "Tags".
public struct Tag: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// All elements, the name first.
    public let elements: [String]

    /// Takes all elements, the name first.
    public init(_ elements: [String]) {
        self.elements = elements
    }

    public init(arrayLiteral elements: String...) {
        self.elements = elements
    }

    /// The first element.
    public var name: String? { elements.first }

    /// The second element: what relays index for one-letter names.
    public var value: String? { self[1] }

    /// The element at an offset, or `nil` past the end; never traps.
    public subscript(_ index: Int) -> String? {
        elements.indices.contains(index) ? elements[index] : nil
    }
}

extension [Tag] {
    /// The tags with a name, in order.
    public func named(_ name: String) -> [Tag] {
        filter { $0.name == name }
    }

    /// The value of the first tag with a name.
    public func firstValue(_ name: String) -> String? {
        first { $0.name == name }?.value
    }
}
