internal import Synchronization

/// Storage that ends with the process: for tests, and for groups that nobody may find later.
public final class MemoryStorage: MLSStorage {
    private struct Content {
        var groups: [[UInt8]: (saved: SavedGroup, revision: UInt64)] = [:]
        var keyPackages: [KeyPackageRef: [UInt8]] = [:]
        var preSharedKeys: [[UInt8]: [UInt8]] = [:]
    }

    private let content = Mutex(Content())

    /// Empty storage.
    public init() {}

    /// The ids of all groups.
    public func groups() async throws -> [[UInt8]] { content.withLock { Array($0.groups.keys) } }

    /// A group and the number of its last change.
    public func group(_ id: [UInt8]) async throws -> (saved: SavedGroup, revision: UInt64)? {
        content.withLock { $0.groups[id] }
    }

    /// The key packages of our own.
    public func keyPackages() async throws -> [KeyPackageRef] { content.withLock { Array($0.keyPackages.keys) } }

    /// A key package with its private keys.
    public func keyPackage(_ reference: KeyPackageRef) async throws -> [UInt8]? {
        content.withLock { $0.keyPackages[reference] }
    }

    /// All external pre-shared keys, by id.
    public func preSharedKeys() async throws -> [[UInt8]: [UInt8]] { content.withLock { $0.preSharedKeys } }

    /// Makes all changes or none.
    public func apply(_ changes: [StorageChange]) async throws {
        try content.withLock { content in
            var next = content
            for change in changes { try Self.make(change, in: &next) }
            content = next
        }
    }

    private static func make(_ change: StorageChange, in content: inout Content) throws(MLSError) {
        if let (id, revision) = change.expectation, content.groups[id]?.revision ?? 0 != revision {
            throw .conflict
        }
        switch change {
        case .createGroup(let id, let saved): content.groups[id] = (saved, 1)
        case .updateGroup(let id, let revision, let put, let remove):
            content.groups[id]?.revision = revision + 1
            for part in remove { content.groups[id]?.saved.parts[part] = nil }
            for (part, bytes) in put { content.groups[id]?.saved.parts[part] = bytes }
        case .removeGroup(let id): content.groups[id] = nil
        case .putKeyPackage(let reference, let bytes): content.keyPackages[reference] = bytes
        case .removeKeyPackage(let reference): content.keyPackages[reference] = nil
        case .putPreSharedKey(let id, let key): content.preSharedKeys[id] = key
        case .removePreSharedKey(let id): content.preSharedKeys[id] = nil
        }
    }
}
