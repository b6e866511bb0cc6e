/// A kind of extension by its number.
///
/// Source: RFC 9420 §17.3.
public struct ExtensionType: NamedNumber {
    /// The number in the registry.
    public let rawValue: UInt16

    /// Also a number that no registry has.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// An identifier of the application's own, in a leaf.
    public static let applicationID = ExtensionType(rawValue: 1)
    /// The whole ratchet tree, in a GroupInfo.
    public static let ratchetTree = ExtensionType(rawValue: 2)
    /// What every member must support, in the group context.
    public static let requiredCapabilities = ExtensionType(rawValue: 3)
    /// The key for external commits, in a GroupInfo.
    public static let externalPub = ExtensionType(rawValue: 4)
    /// Who outside the group may propose, in the group context.
    public static let externalSenders = ExtensionType(rawValue: 5)
    /// A key package that may be used more than once.
    public static let lastResort = ExtensionType(rawValue: 10)

    /// The types every member supports without saying so.
    static let defaults: Set<ExtensionType> = [
        .applicationID, .ratchetTree, .requiredCapabilities, .externalPub, .externalSenders,
    ]
}

/// One extension of a leaf, key package, group context or GroupInfo.
///
/// Source: RFC 9420 §13.
public struct Extension: MLSCodable, Hashable, Sendable {
    /// Its kind.
    public let type: ExtensionType
    /// Its content, in the encoding of the kind.
    public let data: [UInt8]

    /// An extension of any kind.
    public init(type: ExtensionType, data: [UInt8]) {
        self.type = type
        self.data = data
    }

    /// Reads an extension.
    public init(from reader: inout Reader) throws(MLSError) {
        type = try ExtensionType(from: &reader)
        data = try reader.opaque()
    }

    /// Appends the extension.
    public func write(to writer: inout Writer) {
        type.write(to: &writer)
        writer.opaque(data)
    }
}

extension [Extension] {
    /// The content of the extension of one kind.
    func data(_ type: ExtensionType) -> [UInt8]? { first { $0.type == type }?.data }

    /// The extension of one kind as its structure; trailing bytes are refused.
    func value<Value: MLSCodable>(_ type: ExtensionType, as _: Value.Type) throws(MLSError) -> Value? {
        guard let data = data(type) else { return nil }
        return try Value(bytes: data)
    }

    /// Refuses two extensions of one kind (RFC 9420 §13.4).
    func requireUnique(_ code: MLSError.Code) throws(MLSError) {
        guard Set(map(\.type)).count == count else { throw MLSError(code, "two extensions have one type") }
    }
}
