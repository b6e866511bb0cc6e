import Testing

@testable import MLS

@Suite struct SecretTreeTests {
    struct Case: SuiteCase {
        struct SenderDataCase: Decodable {
            let senderDataSecret: Hex
            let ciphertext: Hex
            let key: Hex
            let nonce: Hex
        }
        struct Generation: Decodable {
            let generation: UInt32
            let handshakeKey: Hex
            let handshakeNonce: Hex
            let applicationKey: Hex
            let applicationNonce: Hex
        }
        let cipherSuite: UInt16
        let senderData: SenderDataCase
        let encryptionSecret: Hex
        let leaves: [[Generation]]
    }

    @Test("derives the message keys of the vectors", .enabled(if: MLSVectors.arePresent, "no vectors"))
    func vectors() throws {
        for one in try MLSVectors.supported("secret-tree.json", as: Case.self) {
            let algorithms = try Algorithms(one.suite)
            let senderKey = algorithms.senderDataKey(
                SenderDataSecret(one.senderData.senderDataSecret.bytes), ciphertext: one.senderData.ciphertext.bytes)
            #expect(senderKey.key == Secret(one.senderData.key.bytes))
            #expect(senderKey.nonce == one.senderData.nonce.bytes)
            var tree = SecretTree(
                EncryptionSecret(one.encryptionSecret.bytes), size: TreeSize(holding: one.leaves.count))
            for (place, generations) in one.leaves.enumerated() {
                var handshake = try tree.ratchet(of: LeafIndex(place), .handshake, algorithms)
                var application = try tree.ratchet(of: LeafIndex(place), .application, algorithms)
                for wanted in generations {
                    let first = try handshake.key(of: wanted.generation, limits: RatchetLimits(), algorithms)
                    #expect(first.key == Secret(wanted.handshakeKey.bytes))
                    #expect(first.nonce == wanted.handshakeNonce.bytes)
                    let second = try application.key(of: wanted.generation, limits: RatchetLimits(), algorithms)
                    #expect(second.key == Secret(wanted.applicationKey.bytes))
                    #expect(second.nonce == wanted.applicationNonce.bytes)
                }
            }
        }
    }

    private func ratchet() throws -> (HashRatchet, Algorithms) {
        let algorithms = try Algorithms(.x25519AES128)
        return (HashRatchet(Secret([UInt8](repeating: 3, count: 32))), algorithms)
    }

    @Test("gives each key once, in any order within the limits")
    func onlyOnce() throws {
        var (ratchet, algorithms) = try ratchet()
        var limits = RatchetLimits()
        limits.outOfOrder = 5
        _ = try ratchet.key(of: 10, limits: limits, algorithms)
        _ = try ratchet.key(of: 8, limits: limits, algorithms)
        for gone in [10, 8, 0, 5] as [UInt32] {
            #expect(throws: MLSError(.keyConsumed)) { try ratchet.key(of: gone, limits: limits, algorithms) }
        }
    }

    @Test("refuses a generation too far ahead")
    func tooFar() throws {
        var (ratchet, algorithms) = try ratchet()
        for far in [1001, UInt32.max] {
            #expect(throws: MLSError(.tooFarAhead)) {
                try ratchet.key(of: far, limits: RatchetLimits(), algorithms)
            }
        }
    }
}
