import Foundation
import Testing

@testable import MLS

/// Hostile bytes: they never trap, and nothing mutated is accepted.
///
/// `LINNET_MLS_FUZZ` makes it longer.
@Suite struct FuzzTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["LINNET_MLS_FUZZ"].flatMap(Int.init) ?? 2_000

    /// Flips a bit, or cuts, repeats or inserts some bytes.
    private func mutate(_ bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
        case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        default: bytes[place] = UInt8.random(in: 0...255, using: &random)
        }
        return bytes
    }

    @Test("no mutated message is accepted", arguments: [true, false])
    func messages(encrypted: Bool) throws {
        var options = GroupOptions()
        options.encryptsHandshake = encrypted
        var alice = try Person("Alice").create(options)
        let package = try Person("Bob").keyPackage()
        let adding = try alice.commit([.add(package.keyPackage)])
        try alice.merge(adding.staged)
        let welcome = try #require(adding.welcome)
        let bob = try Group(joining: welcome, with: package, policy: TrustEverybody())
        var sender = alice
        let samples = [try sender.encrypt([1, 2, 3]), try sender.proposeUpdate(), try sender.commit().message]
            .map(\.encoded)
        var random = SeededRandom(seed: encrypted ? 1 : 2)
        for round in 0..<Self.rounds {
            let sample = samples[round % samples.count]
            let bytes = mutate(sample, &random)
            guard bytes != sample else { continue }
            #expect(throws: MLSError.self, "round \(round)") {
                var reader = bob
                _ = try reader.process(MLSMessage(bytes: bytes))
            }
        }
    }

    @Test("no mutated key package, Welcome or tree is accepted")
    func others() throws {
        var alice = try Person("Alice").create()
        let package = try Person("Bob").keyPackage()
        let adding = try alice.commit([.add(package.keyPackage)])
        try alice.merge(adding.staged)
        let welcome = try #require(adding.welcome).encoded
        let (published, tree) = (package.keyPackage.encoded, alice.tree.list.encoded)
        var random = SeededRandom(seed: 3)
        for round in 0..<Self.rounds {
            let bytes = mutate(published, &random)
            if bytes != published {
                #expect(throws: MLSError.self, "round \(round)") { try KeyPackage(bytes: bytes).validate(at: nil) }
            }
            let other = mutate(tree, &random)
            if other != tree {
                #expect(throws: MLSError.self, "round \(round)") {
                    var mutated = try RatchetTree(NodeList(bytes: other), alice.algorithms)
                    try mutated.validate(context: alice.context)
                }
            }
            let letter = mutate(welcome, &random)
            if letter != welcome, round.isMultiple(of: 10) {
                #expect(throws: MLSError.self, "round \(round)") {
                    try Group(
                        joining: Welcome(bytes: letter), with: package, policy: TrustEverybody())
                }
            }
        }
    }
}
