import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Synchronization

/// A keystore in a directory of its own that goes away with the test.
final class KeystoreHome: Sendable {
    let directory: String
    let keystore: NIP49FileKeystore

    init() {
        directory = NSTemporaryDirectory() + "linnet-keystore-\(UUID().uuidString)/keys"
        keystore = Self.open(directory)
    }

    deinit {
        // What is left in the temporary directory does no harm.
        try? FileManager.default.removeItem(atPath: (directory as NSString).deletingLastPathComponent)
    }

    /// The same directory, as the next start of the program sees it.
    func reopened() -> NIP49FileKeystore { Self.open(directory) }

    @discardableResult
    func addAlice() async throws -> KeystoreAccount {
        try await keystore.add(
            LocalSigner(TestPerson.alice.secretKey), name: "Alice", passphrase: "correct horse", handling: .secure)
    }

    /// The files by name.
    func files() throws -> [String: [UInt8]] {
        guard FileManager.default.fileExists(atPath: directory) else { return [:] }
        var files: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            files[name] = Array(try Data(contentsOf: URL(filePath: "\(directory)/\(name)")))
        }
        return files
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(directory)/\(name)"))
    }

    func permissions(_ name: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(directory)/\(name)")
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    private static func open(_ directory: String) -> NIP49FileKeystore {
        let seconds = Atomic<Int64>(1_700_000_000)
        return NIP49FileKeystore(directory: directory, logN: 2) {
            Timestamp(seconds: seconds.wrappingAdd(1, ordering: .relaxed).newValue)
        }
    }
}
