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
        var entries: [EncryptedGroupSecrets] = []
        for (index, keyPackage) in zip(change.added, change.list.adds) {
            let secrets = GroupSecrets(
                joinerSecret: joiner.joiner, pathSecret: path?.secret(for: index), psks: psks.map(\.id))
            entries.append(
                EncryptedGroupSecrets(
                    newMember: algorithms.reference(to: keyPackage),
                    encryptedGroupSecrets: try algorithms.encrypt(
                        secrets.encoded, to: keyPackage.initKey, label: "Welcome", context: encryptedInfo)))
        }
        return Welcome(cipherSuite: algorithms.suite, secrets: entries, encryptedGroupInfo: encryptedInfo)
    }
}
