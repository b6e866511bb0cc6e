/// The secrets of one epoch.
///
/// ```
///     init_secret [n-1]
///           |
///           V
///     KDF.Extract <-- commit_secret
///           |
///     ExpandWithLabel "joiner", GroupContext [n]
///           |
///           V
///      joiner_secret
///           |
///           V
///     KDF.Extract <-- psk_secret
///           +--> DeriveSecret "welcome" = welcome_secret
///     ExpandWithLabel "epoch", GroupContext [n]
///           |
///           V
///      epoch_secret --> sender data, encryption, exporter, external, confirm, membership, resumption,
///                       authentication, init [n]
/// ```
///
/// Source: RFC 9420 §8.
struct EpochSecrets: Sendable {
    let senderData: SenderDataSecret
    /// The root of the secret tree; gone once the tree is made.
    private(set) var encryption: EncryptionSecret?
    let exporter: ExporterSecret
    let external: ExternalSecret
    let confirmation: ConfirmationKey
    let membership: MembershipKey
    let resumption: ResumptionSecret
    let initial: InitSecret
    /// `epoch_authenticator`, which members may show each other.
    let authenticator: [UInt8]

    init(_ epoch: EpochSecret, _ algorithms: Algorithms) {
        senderData = algorithms.expand(epoch, label: "sender data")
        encryption = algorithms.expand(epoch, label: "encryption")
        exporter = algorithms.expand(epoch, label: "exporter")
        external = algorithms.expand(epoch, label: "external")
        confirmation = algorithms.expand(epoch, label: "confirm")
        membership = algorithms.expand(epoch, label: "membership")
        resumption = algorithms.expand(epoch, label: "resumption")
        initial = algorithms.expand(epoch, label: "init")
        authenticator =
            algorithms.expand(epoch, label: "authentication", as: Secret<Role.Epoch>.self).exposedBytes
    }

    /// The keys of the epoch's messages; afterwards their root is gone from here.
    mutating func takeMessageKeys(size: TreeSize, limits: RatchetLimits) throws(MLSError) -> MessageKeys {
        guard let root = encryption else { throw MLSError(.keyConsumed, "the encryption secret is gone") }
        encryption = nil
        return MessageKeys(senderData: senderData, tree: SecretTree(root, size: size), limits: limits)
    }

    /// `MLS-Exporter`.
    ///
    /// Source: RFC 9420 §8.5.
    func export(_ algorithms: Algorithms, label: String, context: [UInt8], count: Int) -> [UInt8] {
        let derived: ExporterSecret = algorithms.expand(exporter, label: label)
        let exported: ExporterSecret = algorithms.expand(
            derived, label: "exported", context: algorithms.digest(context), count: count)
        return exported.exposedBytes
    }

    /// The key pair others join by from outside.
    ///
    /// Source: RFC 9420 §8.3.
    func externalKeyPair(_ algorithms: Algorithms) throws(MLSError) -> HPKEKeyPair {
        try algorithms.deriveKeyPair(external)
    }
}

/// The steps of the key schedule before the epoch's own secrets.
struct JoinerStep: Sendable {
    let joiner: JoinerSecret

    init(_ joiner: JoinerSecret) { self.joiner = joiner }

    init(initial: InitSecret, commit: CommitSecret, context: [UInt8], _ algorithms: Algorithms) {
        let extracted: JoinerSecret = algorithms.extract(salt: initial, input: commit)
        joiner = algorithms.expand(extracted, label: "joiner", context: context)
    }

    func welcome(psk: PSKSecret, _ algorithms: Algorithms) -> WelcomeSecret {
        algorithms.expand(member(psk, algorithms), label: "welcome")
    }

    func epoch(psk: PSKSecret, context: [UInt8], _ algorithms: Algorithms) -> EpochSecrets {
        EpochSecrets(algorithms.expand(member(psk, algorithms), label: "epoch", context: context), algorithms)
    }

    private func member(_ psk: PSKSecret, _ algorithms: Algorithms) -> EpochSecret {
        algorithms.extract(salt: joiner, input: psk)
    }
}

extension Algorithms {
    /// A secret of `KDF.Nh` zeros.
    func zero<Role>(_: Secret<Role>.Type = Secret<Role>.self) -> Secret<Role> {
        Secret([UInt8](repeating: 0, count: hashLength))
    }

    /// `psk_secret`: all pre-shared keys in one.
    ///
    /// Source: RFC 9420 §8.4.
    func pskSecret(_ keys: [(id: PreSharedKeyID, key: PreSharedKey)]) -> PSKSecret {
        var secret: PSKSecret = zero()
        for (place, (id, key)) in keys.enumerated() {
            let extracted: PreSharedKey = extract(salt: zero(PreSharedKey.self), input: key)
            var label = Writer()
            id.write(to: &label)
            label.integer(UInt16(truncatingIfNeeded: place))
            label.integer(UInt16(truncatingIfNeeded: keys.count))
            let input: PreSharedKey = expand(extracted, label: "derived psk", context: label.bytes)
            secret = extract(salt: input, input: secret)
        }
        return secret
    }
}
