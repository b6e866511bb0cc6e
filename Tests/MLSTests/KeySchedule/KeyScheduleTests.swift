import Testing

@testable import MLS

@Suite struct KeyScheduleTests {
    struct Case: SuiteCase {
        struct Exporter: Decodable {
            let label: String
            let context: Hex
            let length: Int
            let secret: Hex
        }
        struct Epoch: Decodable {
            let treeHash: Hex
            let commitSecret: Hex
            let pskSecret: Hex
            let confirmedTranscriptHash: Hex
            let groupContext: Hex
            let joinerSecret: Hex
            let welcomeSecret: Hex
            let initSecret: Hex
            let senderDataSecret: Hex
            let encryptionSecret: Hex
            let exporterSecret: Hex
            let epochAuthenticator: Hex
            let externalSecret: Hex
            let confirmationKey: Hex
            let membershipKey: Hex
            let resumptionPsk: Hex
            let externalPub: Hex
            let exporter: Exporter
        }
        let cipherSuite: UInt16
        let groupId: Hex
        let initialInitSecret: Hex
        let epochs: [Epoch]
    }

    @Test("derives the secrets of the vectors", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func vectors() throws {
        for one in try MLSVectors.supported("key-schedule.json", as: Case.self) {
            let algorithms = try Algorithms(one.suite)
            var initial = InitSecret(one.initialInitSecret.bytes)
            for (number, epoch) in one.epochs.enumerated() {
                let context = GroupContext(
                    cipherSuite: one.suite, groupID: one.groupId.bytes, epoch: UInt64(number),
                    treeHash: epoch.treeHash.bytes, confirmedTranscriptHash: epoch.confirmedTranscriptHash.bytes,
                    extensions: [])
                #expect(context.encoded == epoch.groupContext.bytes)
                let psk = PSKSecret(epoch.pskSecret.bytes)
                let joiner = JoinerStep(
                    initial: initial, commit: CommitSecret(epoch.commitSecret.bytes), context: context.encoded,
                    algorithms)
                #expect(joiner.joiner == JoinerSecret(epoch.joinerSecret.bytes))
                #expect(joiner.welcome(psk: psk, algorithms) == WelcomeSecret(epoch.welcomeSecret.bytes))
                let secrets = joiner.epoch(psk: psk, context: context.encoded, algorithms)
                try compare(secrets, epoch, algorithms)
                initial = secrets.initial
            }
        }
    }

    private func compare(_ secrets: EpochSecrets, _ epoch: Case.Epoch, _ algorithms: Algorithms) throws {
        #expect(secrets.senderData == SenderDataSecret(epoch.senderDataSecret.bytes))
        #expect(secrets.encryption == EncryptionSecret(epoch.encryptionSecret.bytes))
        #expect(secrets.exporter == ExporterSecret(epoch.exporterSecret.bytes))
        #expect(secrets.authenticator == epoch.epochAuthenticator.bytes)
        #expect(secrets.external == ExternalSecret(epoch.externalSecret.bytes))
        #expect(secrets.confirmation == ConfirmationKey(epoch.confirmationKey.bytes))
        #expect(secrets.membership == MembershipKey(epoch.membershipKey.bytes))
        #expect(secrets.resumption == ResumptionSecret(epoch.resumptionPsk.bytes))
        #expect(secrets.initial == InitSecret(epoch.initSecret.bytes))
        #expect(try secrets.externalKeyPair(algorithms).publicKey == HPKEPublicKey(epoch.externalPub.bytes))
        let exporter = epoch.exporter
        let exported = secrets.export(
            algorithms, label: exporter.label, context: exporter.context.bytes, count: exporter.length)
        #expect(exported == exporter.secret.bytes)
    }

    struct PSKCase: SuiteCase {
        struct PSK: Decodable {
            let pskId: Hex
            let psk: Hex
            let pskNonce: Hex
        }
        let cipherSuite: UInt16
        let psks: [PSK]
        let pskSecret: Hex
    }

    @Test("folds pre-shared keys as the vectors do", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func psks() throws {
        for one in try MLSVectors.supported("psk_secret.json", as: PSKCase.self) {
            let keys = one.psks.map {
                (
                    id: PreSharedKeyID(source: .external(id: $0.pskId.bytes), nonce: $0.pskNonce.bytes),
                    key: PreSharedKey($0.psk.bytes)
                )
            }
            #expect(try Algorithms(one.suite).pskSecret(keys) == PSKSecret(one.pskSecret.bytes))
        }
    }

    struct TranscriptCase: SuiteCase {
        let cipherSuite: UInt16
        let confirmationKey: Hex
        let authenticatedContent: Hex
        let interimTranscriptHashBefore: Hex
        let confirmedTranscriptHashAfter: Hex
        let interimTranscriptHashAfter: Hex
    }

    @Test("chains transcripts as the vectors do", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func transcripts() throws {
        for one in try MLSVectors.supported("transcript-hashes.json", as: TranscriptCase.self) {
            let algorithms = try Algorithms(one.suite)
            let message = try AuthenticatedContent(bytes: one.authenticatedContent.bytes)
            #expect(message.encoded == one.authenticatedContent.bytes)
            let confirmed = algorithms.confirmedTranscriptHash(
                after: one.interimTranscriptHashBefore.bytes, message)
            #expect(confirmed == one.confirmedTranscriptHashAfter.bytes)
            let tag = try #require(message.auth.confirmationTag)
            let key = ConfirmationKey(one.confirmationKey.bytes)
            #expect(algorithms.isValid(mac: tag, of: confirmed, key: key))
            let interim = algorithms.interimTranscriptHash(after: confirmed, confirmationTag: tag)
            #expect(interim == one.interimTranscriptHashAfter.bytes)
        }
    }
}
