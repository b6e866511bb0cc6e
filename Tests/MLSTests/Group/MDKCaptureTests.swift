import Foundation
import Testing

@testable import MLS

/// A conversation that MDK 0.8.0 had, followed as one of its members with his private keys.
@Suite struct MDKCaptureTests {
    private struct Capture: Decodable {
        struct Event: Decodable {
            let content: Data
        }
        struct PrivateKeys: Decodable {
            let initPriv: Hex
            let encryptionPriv: Hex
            let signaturePriv: Hex
        }
        struct Exporter: Decodable {
            let epoch: UInt64
            let label: String
            let secret: Hex
        }
        struct Step: Decodable {
            let name: String
            let sender: String
            let mlsMessage: Hex
            let treeHashAfter: Hex
            let exportersAfter: [Exporter]
            let epochAfter: UInt64
        }
        let bobKeyPackageEvent: Event
        let bobKeyPackagePrivate: PrivateKeys
        let welcomeRumor: Event
        let steps: [Step]
    }

    private static let file = MLSVectors.directory.deletingLastPathComponent()
        .appending(path: "marmot/mdk-0.8.0-capture.json")

    @Test(
        "joins MDK's group as Bob and follows every step",
        .enabled(if: MLSVectors.arePresent && FileManager.default.fileExists(atPath: file.path), "no capture"))
    func capture() throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let capture = try decoder.decode(Capture.self, from: Data(contentsOf: Self.file))
        let keys = capture.bobKeyPackagePrivate
        let own = try OwnKeyPackage(
            keyPackage: KeyPackage(bytes: Array(capture.bobKeyPackageEvent.content)), initKey: keys.initPriv.bytes,
            leafKey: keys.encryptionPriv.bytes,
            signer: SignaturePrivateKey(bytes: keys.signaturePriv.bytes, for: .x25519AES128))
        try own.keyPackage.validate(at: nil)
        let welcome = try #require(MLSMessage(bytes: Array(capture.welcomeRumor.content)).welcome)
        var bob = try Group(joining: welcome, with: own, policy: TrustEverybody())
        #expect(bob.epoch == 1)
        for step in capture.steps {
            guard step.sender != "bob" else { continue }
            switch try bob.process(MLSMessage(bytes: step.mlsMessage.bytes)) {
            case .application(let message):
                #expect(String(decoding: message.data, as: UTF8.self).hasPrefix("{"), "\(step.name)")
            case .proposal(let proposal, _, _): #expect(proposal == .custom(.selfRemove, body: nil))
            case .commit(let staged):
                // MDK publishes the hash of the encoded tree, not the tree hash of RFC 9420.
                let hash = bob.algorithms.digest(staged.next.tree.list.encoded)
                #expect(hash == step.treeHashAfter.bytes, "\(step.name)")
                guard !staged.removesUs else { continue }
                try bob.merge(staged)
            }
            for exporter in step.exportersAfter where exporter.epoch == bob.epoch {
                let exported = try bob.export(label: "marmot", context: Array(exporter.label.utf8), count: 32)
                #expect(exported == exporter.secret.bytes, "\(step.name), \(exporter.label)")
            }
        }
        #expect(bob.epoch == 6)
        print("mdk-0.8.0-capture.json: \(capture.steps.count) steps")
    }
}
