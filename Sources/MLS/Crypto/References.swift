/// The hash by which a Welcome names a key package.
///
/// Length: `KDF.Nh`. Source: RFC 9420 §5.2.
public struct KeyPackageRef: OpaqueValue {
    /// The hash.
    public let bytes: [UInt8]

    /// Wraps a hash.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// The hash by which a commit names a proposal.
///
/// Length: `KDF.Nh`. Source: RFC 9420 §5.2.
public struct ProposalRef: OpaqueValue {
    /// The hash.
    public let bytes: [UInt8]

    /// Wraps a hash.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}
