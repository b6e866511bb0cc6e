import Testing

@testable import MLS

@Suite struct WelcomeTests {
    struct Case: SuiteCase {
        let cipherSuite: UInt16
        let initPriv: Hex
        let signerPub: Hex
        let keyPackage: Hex
        let welcome: Hex
    }

    @Test("opens the Welcomes of the vectors", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func vectors() throws {
        for one in try MLSVectors.supported("welcome.json", as: Case.self) {
            let algorithms = try Algorithms(one.suite)
            let keyPackage = try #require(MLSMessage(bytes: one.keyPackage.bytes).keyPackage)
            let welcome = try #require(MLSMessage(bytes: one.welcome.bytes).welcome)
            #expect(try welcome.newMembers.contains(keyPackage.reference()))
            let opened = try OpenedWelcome(
                welcome, keyPackage, initKey: HPKEPrivateKey(algorithms.fullWidth(one.initPriv.bytes)), PSKs(),
                TrustEverybody(),
                algorithms)
            let info = opened.groupInfo
            #expect(
                algorithms.isValid(
                    info.signature, of: info.toBeSigned, label: "GroupInfoTBS",
                    key: SignaturePublicKey(one.signerPub.bytes)))
            let secrets = opened.joiner.epoch(psk: opened.psk, context: info.context.encoded, algorithms)
            #expect(
                algorithms.isValid(
                    mac: info.confirmationTag, of: info.context.confirmedTranscriptHash, key: secrets.confirmation))
        }
    }
}
