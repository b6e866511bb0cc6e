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
            for changes in refused {
                do {
                    try await storage.apply(changes)
                    throw ContractBroken(description: "a conflict is not noticed")
                } catch let error as MLSError {
                    try demand(error.code, .conflict)
                }
            }
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
    ]
}
