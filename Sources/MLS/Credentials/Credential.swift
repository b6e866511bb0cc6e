/// A kind of credential by its number.
///
/// Source: RFC 9420 §17.5.
public struct CredentialType: NamedNumber {
    /// The number in the registry.
    public let rawValue: UInt16

    /// Also a number that no registry has.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A bare identity.
    public static let basic = CredentialType(rawValue: 1)
    /// A chain of X.509 certificates.
    public static let x509 = CredentialType(rawValue: 2)
}

/// What a member says about who they are; the application decides whether it is true.
///
/// Source: RFC 9420 §5.3.
public enum Credential: Hashable, Sendable {
    /// A bare identity.
    case basic(identity: [UInt8])
    /// Certificates, the member's own first, each in DER.
    case x509(certificates: [[UInt8]])
    /// A type outside RFC 9420, its body being one vector.
    case other(CredentialType, body: [UInt8])

    /// Its kind.
    public var type: CredentialType {
        switch self {
        case .basic: .basic
        case .x509: .x509
        case .other(let type, _): type
        }
    }
}

extension Credential: MLSCodable {
    /// Reads a credential.
    public init(from reader: inout Reader) throws(MLSError) {
        switch try CredentialType(from: &reader) {
        case .basic: self = .basic(identity: try reader.opaque())
        case .x509:
            self = .x509(certificates: try reader.vector { (inner) throws(MLSError) in try inner.opaque() })
        case let type: self = .other(type, body: try reader.opaque())
        }
    }

    /// Appends the credential.
    public func write(to writer: inout Writer) {
        type.write(to: &writer)
        switch self {
        case .basic(let identity): writer.opaque(identity)
        case .x509(let certificates): writer.vector(certificates) { $0.opaque($1) }
        case .other(_, let body): writer.opaque(body)
        }
    }
}
