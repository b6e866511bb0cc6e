import Testing

@testable import MLS

/// RFC 9420 §13.5: meaningless numbers are sent, and change nothing where they are received.
@Suite struct GREASETests {
    private func package(_ grease: GREASE, seed: UInt64 = 5) throws -> OwnKeyPackage {
        var random = SeededRandom(seed: seed)
        return try OwnKeyPackage(
            cipherSuite: .x25519AES128, signer: SignaturePrivateKey(for: .x25519AES128),
            credential: .basic(identity: [1]), lifetime: Lifetime(notBefore: 0, notAfter: .max), grease: grease,
            random: &random)
    }

    @Test("the numbers are the fifteen of the RFC")
    func numbers() {
        #expect(GREASE.values.count == 15)
        #expect(GREASE.values.allSatisfy { $0 & 0x0f0f == 0x0a0a && $0 >> 8 == $0 & 0xff && $0 != 0xfafa })
    }

    @Test("each list of the capabilities but that of versions has one, and it stays in later leaves")
    func capabilities() throws {
        let own = try package(.capabilities)
        let sent = own.keyPackage.leafNode.capabilities
        for list in [
            sent.cipherSuites.map(\.rawValue), sent.extensions.map(\.rawValue), sent.proposals.map(\.rawValue),
            sent.credentials.map(\.rawValue),
        ] {
            #expect(list.count { GREASE.values.contains($0) } == 1)
        }
        #expect(sent.versions == [.mls10])
        #expect(own.keyPackage.extensions.isEmpty && own.keyPackage.leafNode.extensions.isEmpty)
        var group = try Group(creating: [1], with: own, policy: TrustEverybody())
        let commit = try group.commit()
        #expect(commit.staged.members[0].leaf.capabilities == sent)
    }

    @Test("a seed repeats the numbers, and none sends none")
    func seeded() throws {
        let one = try package(.everywhere, seed: 9).keyPackage.leafNode
        let other = try package(.everywhere, seed: 9).keyPackage.leafNode
        #expect(one.capabilities == other.capabilities && one.extensions == other.extensions)
        #expect(try package(.none).keyPackage.leafNode.capabilities == Capabilities())
    }

    @Test("members who send them everywhere are added, welcomed and followed")
    func everywhere() throws {
        var options = GroupOptions()
        options.grease = .everywhere
        for seed in 0..<20 as Range<UInt64> {
            let (mine, theirs) = (try package(.everywhere, seed: seed), try package(.everywhere, seed: seed + 100))
            try theirs.keyPackage.validate(at: 0)
            #expect(theirs.keyPackage.extensions.count == 1 && theirs.keyPackage.leafNode.extensions.count == 1)
            var alice = try Group(creating: [1], with: mine, policy: TrustEverybody(), options: options)
            let commit = try alice.commit([.add(theirs.keyPackage)])
            try alice.merge(commit.staged)
            let bob = try Group(
                joining: #require(commit.welcome), with: theirs, policy: TrustEverybody(), options: options)
            let (carol, joining) = try Group.join(
                bob.groupInfo(), with: package(.everywhere, seed: seed + 200), policy: TrustEverybody())
            try alice.follow(joining)
            #expect(alice.epochAuthenticator == carol.epochAuthenticator, "seed \(seed)")
        }
    }

    @Test("they mean nothing: they are no support for anything asked")
    func meaningless() throws {
        let leaf = try package(.capabilities).keyPackage.leafNode
        let requirements = try GroupRequirements([
            Extension(
                type: .requiredCapabilities,
                data: RequiredCapabilities(extensions: [Scene.required], proposals: [], credentials: []).encoded)
        ])
        #expect(throws: MLSError(.invalidLeafNode)) { try requirements.check(leaf) }
    }
}
