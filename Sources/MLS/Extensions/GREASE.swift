/// Where we send numbers that mean nothing, so that receivers stay tolerant of those they do not know.
///
/// Received ones are treated as any unknown number is. Source: RFC 9420 §13.5.
public enum GREASE: Sendable, Hashable {
    /// Nowhere.
    case none
    /// In the capabilities of our leaves.
    case capabilities
    /// In the capabilities, and as extensions of leaves, key packages and GroupInfos; some peers refuse those.
    case everywhere

    /// The numbers reserved for it: 0x0A0A, 0x1A1A … 0xEAEA.
    static let values: [UInt16] = (0..<15).map { 0x0a0a + 0x1010 * $0 }

    static func value(_ random: inout some RandomNumberGenerator) -> UInt16 {
        values[Int.random(in: values.indices, using: &random)]
    }

    /// An extension of such a type, with up to 15 random bytes.
    static func `extension`(_ random: inout some RandomNumberGenerator) -> Extension {
        let count = Int.random(in: 0..<16, using: &random)
        return Extension(
            type: ExtensionType(rawValue: value(&random)),
            data: (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }
}

extension Capabilities {
    /// The same with one meaningless number in each list that may have one, anywhere in it.
    func greased(_ random: inout some RandomNumberGenerator) -> Capabilities {
        var greased = self
        greased.cipherSuites.insertGREASE(&random)
        greased.extensions.insertGREASE(&random)
        greased.proposals.insertGREASE(&random)
        greased.credentials.insertGREASE(&random)
        return greased
    }
}

extension [Extension] {
    /// The same with one of a meaningless type.
    func greased(_ random: inout some RandomNumberGenerator) -> [Extension] {
        var greased = self
        greased.insert(GREASE.extension(&random), at: Int.random(in: 0...count, using: &random))
        return greased
    }
}

extension Array where Element: NamedNumber, Element.RawValue == UInt16 {
    fileprivate mutating func insertGREASE(_ random: inout some RandomNumberGenerator) {
        let number = Element(rawValue: GREASE.value(&random))
        insert(number, at: Int.random(in: 0...count, using: &random))
    }
}
