/// Making a Welcome.
///
/// Source: RFC 9420 §12.4.3.1.
extension Group {
    /// The extensions of a GroupInfo of ours.
    func infoExtensions(tree: RatchetTree?) -> [Extension] {
        let extensions = tree.map { [$0.asExtension] } ?? []
        guard options.grease == .everywhere else { return extensions }
        var random = SystemRandomNumberGenerator()
        return extensions.greased(&random)
    }

    static func welcome(
        _ change: EpochChange, _ path: NewPath?, _ joiner: JoinerStep,
        _ psks: [(id: PreSharedKeyID, key: PreSharedKey)], signedBy signer: SignaturePrivateKey, _ unsigned: GroupInfo
    ) throws(MLSError) -> Welcome? {
        guard !change.added.isEmpty else { return nil }
        let algorithms = change.tree.algorithms
        var info = unsigned
        info.signature = try algorithms.sign(info.toBeSigned, label: "GroupInfoTBS", key: signer)
        let key = algorithms.welcomeKey(joiner.welcome(psk: algorithms.pskSecret(psks), algorithms))
        let encryptedInfo = try algorithms.seal(info.encoded, key: key.key, nonce: key.nonce)
        let outgoing = zip(change.added, change.list.adds).map { index, keyPackage in
            let secrets = GroupSecrets(
                joinerSecret: joiner.joiner, pathSecret: path?.secret(for: index), psks: psks.map(\.id))
            return SecretForRecipient(content: PathSecret(secrets.encoded), key: keyPackage.initKey)
        }
        let ciphertexts = try algorithms.encrypt(outgoing, label: "Welcome", context: encryptedInfo)
        let entries = zip(change.list.adds, ciphertexts).map {
            EncryptedGroupSecrets(newMember: algorithms.reference(to: $0), encryptedGroupSecrets: $1)
        }
        return Welcome(cipherSuite: algorithms.suite, secrets: entries, encryptedGroupInfo: encryptedInfo)
    }
}
