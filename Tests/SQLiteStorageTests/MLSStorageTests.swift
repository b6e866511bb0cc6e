import Crypto
import Foundation
import GRDB
import MLS
import NostrSigner
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing

@Suite struct MLSStorageTests {
    private static let key = SealingKey(root: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))

    @Test("SQLite storage of groups", arguments: MLSStorageContract.rules)
    func keeps(rule: MLSStorageContract.Rule) async throws {
        let folder = try TemporaryFolder()
        try await rule.check { _ in try SQLiteMLSStorage(path: folder.file("mls.sqlite"), key: Self.key) }
    }

    @Test("SQLite storage of groups that is opened anew for every call", arguments: MLSStorageContract.rules)
    func keepsOnDisk(rule: MLSStorageContract.Rule) async throws {
        let folder = try TemporaryFolder()
        try await rule.check { _ in ReopenedStorage(path: folder.file("mls.sqlite"), key: Self.key) }
    }

    @Test("what a step replaced is nowhere in the files, and nothing rests in the clear")
    func forgets() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("mls.sqlite")
        let storage = try SQLiteMLSStorage(path: path, key: Self.key)
        // Large and small, so that values are moved, split over pages and merged with others.
        var parts: [GroupPart: [UInt8]] = [:]
        for epoch in 0..<40 as Range<UInt64> {
            parts[.past(epoch)] = [UInt8](repeating: UInt8(epoch), count: Int(epoch * epoch * 10))
        }
        try await storage.apply([
            .createGroup([1, 2, 3], SavedGroup(parts)), .putPreSharedKey(id: [1], [UInt8](repeating: 0xAB, count: 64)),
            .createGroup([4], SavedGroup(parts)),
            .putKeyPackage(KeyPackageRef([9]), [UInt8](repeating: 0xCD, count: 300)),
        ])
        var revision: UInt64 = 1
        for round in 0..<6 as Range<UInt64> {
            let before = try Self.sealedValues(path)
            #expect(before.count > 5)
            #expect(try before.allSatisfy { try Self.files(folder).contains($0) }, "the search finds nothing at all")
            var put: [GroupPart: [UInt8]] = [:]
            for epoch in 0..<40 as Range<UInt64> where epoch % 6 >= round {
                put[.past(epoch)] = [UInt8](repeating: UInt8(epoch) + 100, count: Int((40 - epoch) * 90 + round))
            }
            let gone = Set((0..<40 as Range<UInt64>).filter { $0 % 6 < round }.map { GroupPart.past($0) })
            try await storage.apply([.updateGroup([1, 2, 3], from: revision, put: put, remove: gone)])
            revision += 1
            if round == 3 { try await storage.apply([.removeGroup([4])]) }
            if round == 4 {
                try await storage.apply([.removePreSharedKey(id: [1]), .removeKeyPackage(KeyPackageRef([9]))])
            }
            let kept = Set(try Self.sealedValues(path))
            let bytes = try Self.files(folder)
            for old in before where !kept.contains(old) {
                #expect(!bytes.contains(old.prefix(24)) && !bytes.contains(old.suffix(24)), "round \(round)")
                #expect(!bytes.contains(old.dropFirst(old.count / 2).prefix(24)), "round \(round)")
            }
            for byte in [0xAB, 0xCD, 20, 130] as [UInt8] {
                #expect(!bytes.contains([UInt8](repeating: byte, count: 24)), "round \(round)")
            }
        }
        try storage.close()
    }

    @Test("no secret of a group is in its files, and none of a past epoch in what opens them")
    func sealsSecrets() async throws {
        let folder = try TemporaryFolder()
        let storage = try SQLiteMLSStorage(path: folder.file("mls.sqlite"), key: Self.key)
        let store = MLSStore(storage, policy: TrustEverybody())
        let signer = try SignaturePrivateKey(for: .x25519AES128)
        let own = try OwnKeyPackage(
            cipherSuite: .x25519AES128, signer: signer, credential: .basic(identity: Array("Alice Pleasance".utf8)),
            lifetime: Lifetime(notBefore: 0, notAfter: .max))
        let id = Array("a group of friends".utf8)
        let group = try await store.create(id, with: own)
        for _ in 0..<8 {
            let (old, authenticator) = (
                try await storage.group(id)?.saved.encoded ?? [], await group.epochAuthenticator
            )
            #expect(Data(old).contains(authenticator))
            try await group.merge(group.commit().staged)
            #expect(!Data(try await storage.group(id)?.saved.encoded ?? []).contains(authenticator))
            let bytes = try Self.files(folder)
            for clear in [authenticator, signer.bytes, id, Array("Alice Pleasance".utf8)] {
                #expect(!bytes.contains(clear))
            }
        }
    }

    @Test("another key opens nothing, and a value moved to another row does not open")
    func bindsRows() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("mls.sqlite")
        let storage = try SQLiteMLSStorage(path: path, key: Self.key)
        try await storage.apply([
            .createGroup([1], SavedGroup([.epoch: [1], .messageKeys: [2]])), .putPreSharedKey(id: [1], [1]),
        ])
        let other = SealingKey(root: SymmetricKey(data: [UInt8](repeating: 8, count: 32)))
        let stranger = try SQLiteMLSStorage(path: path, key: other)
        #expect(try await stranger.group([1]) == nil)
        await #expect(throws: StoreError.self) { try await stranger.groups() }
        await #expect(throws: StoreError.self) { try await stranger.preSharedKeys() }
        try stranger.close()
        let queue = try DatabaseQueue(path: path)
        try await queue.write { db in
            let values = try Data.fetchAll(db, sql: "SELECT value FROM mls_part ORDER BY rowid")
            try db.execute(sql: "UPDATE mls_part SET value = ? WHERE value = ?", arguments: [values[0], values[1]])
        }
        try queue.close()
        await #expect(throws: StoreError.self) { try await storage.group([1]) }
        try storage.close()
    }

    /// The sealed values that are long enough to be found by chance nowhere else.
    private static func sealedValues(_ path: String) throws -> [Data] {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read {
            try Data.fetchAll($0, sql: "SELECT value FROM mls_part UNION ALL SELECT value FROM mls_key")
        }
        .filter { $0.count >= 24 && $0.count < 3000 }
    }

    /// Every byte of every file, the log included.
    private static func files(_ folder: TemporaryFolder) throws -> Data {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).reduce(into: Data()) {
            $0 += try Data(contentsOf: URL(fileURLWithPath: folder.file($1)))
        }
    }
}

extension Data {
    fileprivate func contains(_ part: some DataProtocol) -> Bool { range(of: Data(part)) != nil }
}

/// The same file, opened for every call and closed after it.
private struct ReopenedStorage: MLSStorage {
    let path: String
    let key: SealingKey

    private func with<T>(_ body: (SQLiteMLSStorage) async throws -> T) async throws -> T {
        let storage = try SQLiteMLSStorage(path: path, key: key)
        let result: Result<T, any Error>
        do { result = .success(try await body(storage)) } catch { result = .failure(error) }
        try storage.close()
        return try result.get()
    }

    func groups() async throws -> [[UInt8]] { try await with { try await $0.groups() } }
    func group(_ id: [UInt8]) async throws -> (saved: SavedGroup, revision: UInt64)? {
        try await with { try await $0.group(id) }
    }
    func keyPackages() async throws -> [KeyPackageRef] { try await with { try await $0.keyPackages() } }
    func keyPackage(_ reference: KeyPackageRef) async throws -> [UInt8]? {
        try await with { try await $0.keyPackage(reference) }
    }
    func preSharedKeys() async throws -> [[UInt8]: [UInt8]] { try await with { try await $0.preSharedKeys() } }
    func apply(_ changes: [StorageChange]) async throws { try await with { try await $0.apply(changes) } }
}
