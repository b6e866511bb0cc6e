import Testing

@testable import MLS

/// A policy whose answers a test sets.
struct ScenePolicy: GroupPolicy {
    var now: UInt64? = 1_000
    var maximumLifetime: UInt64? = 10_000
    var joinsLate = false
    var groups: [[UInt8]: Group] = [:]
    var memberships: Set<[UInt8]> = []

    static let disbelieved = Credential.basic(identity: Array("Mallory".utf8))
    static let stranger = Credential.basic(identity: Array("Trudy".utf8))

    func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool { credential != Self.disbelieved }
    func allows(_ new: Credential, after old: Credential) -> Bool { new != Self.stranger }
    func joins(inSpiteOf leaf: LeafNode) -> Bool { joinsLate }
    func isMember(of groupID: [UInt8]) -> Bool { memberships.contains(groupID) }
    func group(_ groupID: [UInt8]) -> Group? { groups[groupID] }
}

/// A group of four, and somebody outside it.
///
/// Alice, at leaf 0, is the one who breaks rules; Bob, at leaf 1, is the one who refuses. The group requires an
/// extension type, SelfRemove and basic credentials, and has one external sender.
struct Scene: Sendable {
    static let required = ExtensionType(rawValue: 0x7a01)
    static let custom = ProposalType(rawValue: 0x7a02)

    var alice: Group
    var bob: Group
    var carol: Group
    var dave: Group
    let eve: OwnKeyPackage
    let external: SignaturePrivateKey

    private static let made = Result { try Scene(encrypted: false) }

    /// The scene, made once, its handshake in the open so that nothing is hidden from who reads a failure.
    static func open() throws -> Scene { try made.get() }

    init(encrypted: Bool) throws {
        external = try SignaturePrivateKey(for: .x25519AES128)
        var options = GroupOptions()
        options.encryptsHandshake = encrypted
        options.codec.customProposals[Self.custom] = CustomProposal(body: .vector, requiresPath: false)
        alice = try Group(
            creating: Array("scene".utf8), with: Self.keyPackage("Alice"),
            extensions: Self.context(senders: [external.publicKey]), policy: ScenePolicy(), options: options)
        let packages = try ["Bob", "Carol", "Dave"].map { try Self.keyPackage($0) }
        let commit = try alice.commit(packages.map { .add($0.keyPackage) })
        try alice.merge(commit.staged)
        let welcome = try #require(commit.welcome)
        let joined = try packages.map {
            try Group(joining: welcome, with: $0, policy: ScenePolicy(), options: options)
        }
        (bob, carol, dave) = (joined[0], joined[1], joined[2])
        eve = try Self.keyPackage("Eve")
    }

    static func keyPackage(
        _ name: String, capabilities: Capabilities = Scene.capabilities,
        lifetime: Lifetime = Lifetime(notBefore: 500, notAfter: 5_000)
    ) throws -> OwnKeyPackage {
        try OwnKeyPackage(
            cipherSuite: .x25519AES128, signer: SignaturePrivateKey(for: .x25519AES128),
            credential: .basic(identity: Array(name.utf8)), capabilities: capabilities, lifetime: lifetime)
    }

    static let capabilities = Capabilities(extensions: [required], proposals: [.selfRemove])

    static func context(senders: [SignaturePublicKey]) -> [Extension] {
        let required = RequiredCapabilities(extensions: [required], proposals: [.selfRemove], credentials: [.basic])
        let list = ExternalSenders(senders.map { ExternalSender(signatureKey: $0, credential: .basic(identity: [7])) })
        return [
            Extension(type: .requiredCapabilities, data: required.encoded),
            list.asExtension,
        ]
    }
}

/// One rule, and an attempt to break it alone.
struct Refusal: Sendable, CustomTestStringConvertible {
    let rule: String
    let code: MLSError.Code
    let reason: String
    let attempt: @Sendable (inout Scene) throws -> Void

    init(
        _ rule: String, _ code: MLSError.Code, _ reason: String,
        _ attempt: @escaping @Sendable (inout Scene) throws -> Void
    ) {
        (self.rule, self.code, self.reason, self.attempt) = (rule, code, reason, attempt)
    }

    var testDescription: String { rule }

    /// Makes the attempt, and expects to be refused for this reason and no other.
    func check() throws {
        var scene = try Scene.open()
        expectRefusal(code, reason, rule) { try attempt(&scene) }
    }
}

/// Expects an error of one kind and one reason.
func expectRefusal(
    _ code: MLSError.Code, _ reason: String, _ rule: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ attempt: () throws -> Void
) {
    do {
        try attempt()
        Issue.record("accepted: \(rule)", sourceLocation: sourceLocation)
    } catch let error as MLSError {
        #expect(error.code == code && error.reason == reason, "\(rule): \(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, "\(rule)", sourceLocation: sourceLocation)
    }
}
