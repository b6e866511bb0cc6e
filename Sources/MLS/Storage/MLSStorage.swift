/// Where groups, key packages of our own and pre-shared keys rest.
///
/// Everything in it is secret: an implementation encrypts what leaves the process, and overwrites what is deleted, so
/// that no key of the past can be found. ``StoredGroup`` and ``MLSStore`` say when to write what; callers need neither
/// verb of this protocol themselves.
public protocol MLSStorage: Sendable {
    /// The ids of all groups.
    func groups() async throws -> [[UInt8]]

    /// A group and the number of its last change.
    func group(_ id: [UInt8]) async throws -> (saved: SavedGroup, revision: UInt64)?

    /// The key packages of our own.
    func keyPackages() async throws -> [KeyPackageRef]

    /// A key package with its private keys, in the encoding of ``OwnKeyPackage``.
    func keyPackage(_ reference: KeyPackageRef) async throws -> [UInt8]?

    /// All external pre-shared keys, by id.
    func preSharedKeys() async throws -> [[UInt8]: [UInt8]]

    /// Makes all changes or none; returns once they are on the disk and what they replace is gone from it.
    ///
    /// - Throws: ``MLSError`` with the code `conflict`, and nothing is changed, if a group that is to be created is
    ///   there, or one that is to be changed is not, or not in its expected revision.
    func apply(_ changes: [StorageChange]) async throws
}

/// One change of what an ``MLSStorage`` holds.
public enum StorageChange: Sendable {
    /// A group comes, in revision 1.
    case createGroup([UInt8], SavedGroup)
    /// A group changes, and its revision grows by one; parts that are neither put nor removed stay.
    case updateGroup([UInt8], from: UInt64, put: [GroupPart: [UInt8]], remove: Set<GroupPart>)
    /// A group goes with everything that is kept of it.
    case removeGroup([UInt8])
    /// A key package comes.
    case putKeyPackage(KeyPackageRef, [UInt8])
    /// A key package goes.
    case removeKeyPackage(KeyPackageRef)
    /// A pre-shared key comes, or replaces that of its id.
    case putPreSharedKey(id: [UInt8], [UInt8])
    /// A pre-shared key goes.
    case removePreSharedKey(id: [UInt8])
}

extension StorageChange {
    /// The group that must be in some revision before the change; 0 if it must not be there.
    public var expectation: (group: [UInt8], revision: UInt64)? {
        switch self {
        case .createGroup(let id, _): (id, 0)
        case .updateGroup(let id, let revision, _, _): (id, revision)
        default: nil
        }
    }
}
