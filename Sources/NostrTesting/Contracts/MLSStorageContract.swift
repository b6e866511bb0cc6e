public import MLS

/// What every ``/MLS/MLSStorage`` promises.
public enum MLSStorageContract {
    /// One promise.
    public typealias Rule = ContractRule<any MLSStorage>

    private static let first: [UInt8] = [1, 2, 3]
    private static let second: [UInt8] = []

    /// All promises.
    public static let rules: [Rule] = [
        Rule("gives back a group as it was created") { storage, _ in
            try demand(try await storage.groups(), [])
            try demand(try await storage.group(first) == nil, true)
            let parts: [GroupPart: [UInt8]] = [
                .epoch: [1, 0, 255], .messageKeys: [], .proposals: [3], .past(0): [4], .past(.max): [5],
                .outcome([]): [6], .outcome([7]): [UInt8](repeating: 9, count: 100_000),
            ]
            try await storage.apply([.createGroup(first, SavedGroup(parts)), .createGroup(second, SavedGroup([:]))])
            let found = try await storage.group(first)
            try demand(found?.saved.parts, parts)
            try demand(found?.revision, 1)
            try demand(try await storage.group(second)?.saved.parts, [:])
            try demand(Set(try await storage.groups()), [first, second])
        },
        Rule("puts and removes parts, and leaves the others") { storage, _ in
            try await storage.apply([
                .createGroup(first, SavedGroup([.epoch: [1], .messageKeys: [2], .past(4): [3]])),
                .createGroup(second, SavedGroup([.epoch: [9]])),
            ])
            try await storage.apply([
                .updateGroup(first, from: 1, put: [.messageKeys: [4], .past(5): [5]], remove: [.past(4), .past(6)])
            ])
            let found = try await storage.group(first)
            try demand(found?.saved.parts, [.epoch: [1], .messageKeys: [4], .past(5): [5]])
            try demand(found?.revision, 2)
            try demand(try await storage.group(second)?.saved.parts, [.epoch: [9]])
        },
        Rule("changes nothing when a group is not as expected") { storage, _ in
            try await storage.apply([.createGroup(first, SavedGroup([.epoch: [1]]))])
            try await storage.apply([.updateGroup(first, from: 1, put: [.epoch: [2]], remove: [])])
            let refused: [[StorageChange]] = [
                [.createGroup(first, SavedGroup([.epoch: [3]]))],
                [
                    .putKeyPackage(KeyPackageRef([1]), [1]),
                    .updateGroup(first, from: 1, put: [.epoch: [3]], remove: []),
                ],
                [.putPreSharedKey(id: [1], [1]), .updateGroup(second, from: 1, put: [.epoch: [3]], remove: [])],
                [.updateGroup(first, from: 3, put: [:], remove: [.epoch])],
            ]
            for changes in refused { try await demandConflict { try await storage.apply(changes) } }
            try demand(try await storage.group(first)?.saved.parts, [.epoch: [2]])
            try demand(try await storage.group(first)?.revision, 2)
            try demand(try await storage.groups(), [first])
            try demand(try await storage.keyPackages(), [])
            try demand(try await storage.preSharedKeys(), [:])
        },
        Rule("forgets a group with everything of it") { storage, _ in
            try await storage.apply([
                .createGroup(first, SavedGroup([.epoch: [1], .outcome([1]): [2]])),
                .createGroup(second, SavedGroup([.epoch: [3]])),
            ])
            try await storage.apply([.removeGroup(first)])
            try await storage.apply([.removeGroup(first)])
            try demand(try await storage.groups(), [second])
            try await storage.apply([.createGroup(first, SavedGroup([.proposals: [4]]))])
            try demand(try await storage.group(first)?.saved.parts, [.proposals: [4]])
            try demand(try await storage.group(first)?.revision, 1)
        },
        Rule("keeps key packages and pre-shared keys apart") { storage, _ in
            try await storage.apply([
                .putKeyPackage(KeyPackageRef([1]), [1, 1]), .putPreSharedKey(id: [1], [2, 2]),
                .putPreSharedKey(id: [], []), .putPreSharedKey(id: [1], [3]),
            ])
            try demand(try await storage.keyPackages(), [KeyPackageRef([1])])
            try demand(try await storage.keyPackage(KeyPackageRef([1])), [1, 1])
            try demand(try await storage.keyPackage(KeyPackageRef([2])), nil)
            try demand(try await storage.preSharedKeys(), [[1]: [3], []: []])
            try await storage.apply([.removeKeyPackage(KeyPackageRef([1])), .removePreSharedKey(id: [1])])
            try demand(try await storage.keyPackages(), [])
            try demand(try await storage.preSharedKeys(), [[]: []])
        },
        Rule("lets a group that is joined again take the place of what was kept of it") { storage, _ in
            let store = MLSStore(storage, policy: TrustEverybody())
            let (former, start) = try await pair(in: store)
            var other = start
            let letter = try other.encrypt([7])
            _ = try await former.process(letter)
            _ = try await former.commit()
            let (info, place) = (try other.groupInfo(), await former.ownIndex)
            try await demandConflict { _ = try await store.join(info, with: keyPackage(), former: place) }
            let (again, commit) = try await store.join(info, with: keyPackage(), former: place, replacing: true)
            if case .commit(let staged) = try other.process(commit) { try other.merge(staged) }
            try demand(await again.epochAuthenticator, other.epochAuthenticator)
            // Nothing of the former state is left but what it opened.
            let kept = try await storage.group(first)?.saved
            try demand(kept?.parts.count, 4)
            try demand(kept?.parts[.past(0)], nil)
            try demand(try await store.group(first)?.epochAuthenticator, other.epochAuthenticator)
            try demand(await again.unfinished.count, 1)
            try demand(await again.ownCommits.count, 0)
            try await demandConflict { _ = try await former.encrypt([1]) }
            _ = try other.process(try await again.encrypt([2]))
            await again.finish(letter)
            _ = try other.process(try await again.encrypt([3]))
            try demand(try await storage.group(first)?.saved.parts.count, 3)
        },
    ]

    /// A stored group, and its other member.
    private static func pair(in store: MLSStore) async throws -> (stored: StoredGroup, other: Group) {
        let stored = try await store.create(first, with: keyPackage())
        let package = try keyPackage()
        let commit = try await stored.commit([.add(package.keyPackage)])
        try await stored.merge(commit.staged)
        guard let welcome = commit.welcome else { throw ContractBroken(description: "there is no Welcome") }
        return (stored, try Group(joining: welcome, with: package, policy: TrustEverybody()))
    }

    private static func keyPackage() throws -> OwnKeyPackage {
        let suite = CipherSuite.x25519AES128
        return try OwnKeyPackage(
            cipherSuite: suite, signer: SignaturePrivateKey(for: suite), credential: .basic(identity: [1]),
            lifetime: Lifetime(notBefore: 0, notAfter: .max))
    }

    private static func demandConflict(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error as MLSError {
            return try demand(error.code, .conflict)
        }
        throw ContractBroken(description: "a conflict is not noticed")
    }
}
