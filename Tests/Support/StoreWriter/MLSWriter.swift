import Crypto
import Foundation
import MLS
import NostrCore
import NostrSigner
import NostrTesting
import SQLiteStorage
import Synchronization

/// One member of a group of two, who reads what the other sent from a file and writes what they send on standard
/// output, until they are killed, or kill themselves at one exact place.
///
/// Lines: `invite HEX` with a Welcome, `sent HEX`, `commit HEX` with a message, `read HEX` with a plaintext, `done` when
/// nothing is left to do. A line is written before the next step is taken.
struct MLSWriter {
    private static let id = Array("kill".utf8)

    let store: MLSStore
    let inbox: String
    let seed: UInt64

    /// - Parameter death: the number of the change at which the program kills itself, and whether before or after it.
    init(file: String, inbox: String, seed: UInt64, death: (change: Int, isAfter: Bool)?) throws {
        let key = SealingKey(root: SymmetricKey(data: [UInt8](repeating: 1, count: 32)))
        let storage = MortalStorage(try SQLiteMLSStorage(path: file, key: key), death)
        var options = GroupOptions()
        options.sendsBeforeCommitting = true
        store = MLSStore(storage, policy: TrustEverybody(), options: options)
        (self.inbox, self.seed) = (inbox, seed)
    }

    func run() async throws {
        var random = SeededRandom(seed: seed)
        let group = try await openedGroup()
        try await readInbox(of: group)
        // Nobody knows whether those left; the other side takes one that came twice only once.
        for own in await group.ownCommits { try await publish(own, in: group) }
        try await readInbox(of: group)
        for _ in 0..<40 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0: try await publish(group.commit(signer: SignaturePrivateKey(for: .x25519AES128)), in: group)
            case 1: say("sent", try await group.proposeUpdate(signer: SignaturePrivateKey(for: .x25519AES128)))
            default:
                say("sent", try await group.encrypt(Array("text \(UInt64.random(in: .min ... .max))".utf8)))
            }
        }
        StoreWriter.say("done")
    }

    /// The group, or a new one with the other in it.
    private func openedGroup() async throws -> StoredGroup {
        if let group = try await store.group(Self.id), await group.epoch > 0 { return group }
        let group: StoredGroup
        if let known = try await store.group(Self.id) {
            group = known
        } else {
            group = try await store.create(Self.id, with: Self.keyPackage())
        }
        guard let line = Self.lines(of: inbox).first,
            let message = try? MLSMessage(bytes: decodeHex(line, byteCount: line.utf8.count / 2)),
            let package = message.keyPackage
        else { fatalError("no key package") }
        for old in await group.ownCommits { await group.finish(old.message) }
        let commit = try await group.commit([.add(package)])
        guard let welcome = commit.welcome else { fatalError("no Welcome") }
        // The Welcome leaves before the merge, so that a crash between repeats it: the other takes the last.
        StoreWriter.say("invite \(encodeHex(MLSMessage(welcome).encoded))")
        try await group.merge(commit.staged)
        return group
    }

    private func publish(_ commit: OwnCommit, in group: StoredGroup) async throws {
        say("commit", commit.message)
        try await group.merge(commit.staged)
    }

    /// Everything the other ever sent, every time: what was read before is told apart by the group.
    private func readInbox(of group: StoredGroup) async throws {
        for line in Self.lines(of: inbox).dropFirst() {
            guard let message = try? MLSMessage(bytes: decodeHex(line, byteCount: line.utf8.count / 2)) else {
                fatalError("no message")
            }
            do {
                switch try await group.process(message) {
                case .application(let data):
                    StoreWriter.say("read \(encodeHex(data.data))")
                    await group.finish(message)
                case .commit(let staged): try await group.merge(staged)
                case .proposal: break
                }
            } catch let error as MLSError where [.keyConsumed, .wrongEpoch].contains(error.code) {
                continue
            }
        }
    }

    private func say(_ word: String, _ message: MLSMessage) {
        StoreWriter.say("\(word) \(encodeHex(message.encoded))")
    }

    private static func lines(of file: String) -> [String] {
        // No file is an empty one.
        let data = FileManager.default.contents(atPath: file) ?? Data()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    static func keyPackage() throws -> OwnKeyPackage {
        try OwnKeyPackage(
            cipherSuite: .x25519AES128, signer: SignaturePrivateKey(for: .x25519AES128),
            credential: .basic(identity: Array("writer".utf8)), lifetime: Lifetime(notBefore: 0, notAfter: .max))
    }
}

/// Storage that ends the program at one of its changes.
private final class MortalStorage: MLSStorage {
    private let inner: SQLiteMLSStorage
    private let death: (change: Int, isAfter: Bool)?
    private let count = Mutex(0)

    init(_ inner: SQLiteMLSStorage, _ death: (change: Int, isAfter: Bool)?) {
        (self.inner, self.death) = (inner, death)
    }

    func groups() async throws -> [[UInt8]] { try await inner.groups() }
    func group(_ id: [UInt8]) async throws -> (saved: SavedGroup, revision: UInt64)? { try await inner.group(id) }
    func keyPackages() async throws -> [KeyPackageRef] { try await inner.keyPackages() }
    func keyPackage(_ reference: KeyPackageRef) async throws -> [UInt8]? { try await inner.keyPackage(reference) }
    func preSharedKeys() async throws -> [[UInt8]: [UInt8]] { try await inner.preSharedKeys() }

    func apply(_ changes: [StorageChange]) async throws {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        let isLast = number == death?.change
        if isLast, death?.isAfter == false { kill(getpid(), SIGKILL) }
        try await inner.apply(changes)
        if isLast { kill(getpid(), SIGKILL) }
    }
}
