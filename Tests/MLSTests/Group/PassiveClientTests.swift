import Testing

@testable import MLS

@Suite struct PassiveClientTests {
    struct Case: SuiteCase {
        struct PSK: Decodable {
            let pskId: Hex
            let psk: Hex
        }
        struct Epoch: Decodable {
            let proposals: [Hex]
            let commit: Hex
            let epochAuthenticator: Hex
        }
        let cipherSuite: UInt16
        let externalPsks: [PSK]
        let keyPackage: Hex
        let signaturePriv: Hex
        let encryptionPriv: Hex
        let initPriv: Hex
        let welcome: Hex
        let ratchetTree: Hex?
        let initialEpochAuthenticator: Hex
        let epochs: [Epoch]
    }

    @Test(
        "joins and follows the groups of the vectors", .enabled(if: MLSVectors.arePresent, "no vectors"),
        arguments: ["passive-client-welcome.json", "passive-client-handling-commit.json"])
    func vectors(file: String) throws {
        for one in try MLSVectors.supported(file, as: Case.self) {
            let message = try MLSMessage(bytes: one.keyPackage.bytes)
            let own = try OwnKeyPackage(
                keyPackage: #require(message.keyPackage), initKey: one.initPriv.bytes,
                leafKey: one.encryptionPriv.bytes,
                signer: SignaturePrivateKey(bytes: one.signaturePriv.bytes, for: one.suite))
            let psks = Dictionary(uniqueKeysWithValues: one.externalPsks.map { ($0.pskId.bytes, $0.psk.bytes) })
            var group = try Group(
                joining: #require(MLSMessage(bytes: one.welcome.bytes).welcome), with: own,
                tree: one.ratchetTree?.bytes, psks: psks, policy: TrustEverybody())
            #expect(group.epochAuthenticator == one.initialEpochAuthenticator.bytes)
            for epoch in one.epochs {
                for proposal in epoch.proposals { _ = try group.process(MLSMessage(bytes: proposal.bytes)) }
                guard case .commit(let staged) = try group.process(MLSMessage(bytes: epoch.commit.bytes)) else {
                    throw MLSError(.unexpectedMessage)
                }
                try group.merge(staged)
                #expect(group.epochAuthenticator == epoch.epochAuthenticator.bytes)
            }
        }
    }
}
