/// One tag: a name and its values, kept exactly as they came.
///
/// Shape: an array of strings; the first is the name. A tag may be empty on the wire; then ``name`` is `nil`.
/// Source: NIP-01, "Tags".
public struct Tag: Hashable, Sendable, ExpressibleByArrayLiteral {
    /// All elements, the name first.
    public let elements: [String]

    /// A tag of any elements: nothing is checked, as what came is kept.
    public init(_ elements: [String]) {
        self.elements = elements
    }

    public init(arrayLiteral elements: String...) {
        self.elements = elements
    }

    /// The first element.
    ///
    /// Inlinable, for all lists of tags are walked over by name: a call for each of ten thousand costs five times as much.
    @inlinable public var name: String? { elements.first }

    /// The second element: what relays index for one-letter names.
    @inlinable public var value: String? { self[1] }

    /// The element at an offset, or `nil` past the end; never traps.
    @inlinable public subscript(_ index: Int) -> String? {
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
