@testable import MLS

/// Somebody with a name who makes key packages.
struct Person {
    let name: String
    let suite: CipherSuite

    init(_ name: String, _ suite: CipherSuite = .x25519AES128) {
        self.name = name
        self.suite = suite
    }

    func keyPackage(proposals: [ProposalType] = [.selfRemove]) throws -> OwnKeyPackage {
        try OwnKeyPackage(
            cipherSuite: suite, signer: SignaturePrivateKey(for: suite), credential: .basic(identity: Array(name.utf8)),
            capabilities: Capabilities(proposals: proposals), lifetime: Lifetime(notBefore: 0, notAfter: .max))
    }

    func create(_ options: GroupOptions = GroupOptions()) throws -> Group {
        try Group(creating: [1, 2, 3], with: keyPackage(), policy: TrustEverybody(), options: options)
    }
}

extension Group {
    /// Takes what must be a commit, and merges it.
    mutating func follow(_ message: MLSMessage) throws {
        guard case .commit(let staged) = try process(message) else { throw MLSError(.unexpectedMessage) }
        try merge(staged)
    }

    /// Takes what must be data of the application.
    mutating func read(_ message: MLSMessage) throws -> [UInt8] {
        guard case .application(let message) = try process(message) else { throw MLSError(.unexpectedMessage) }
        return message.data
    }
}
