import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import SQLiteStorage
import Synchronization
import Testing
import ViewModels

@testable import linnet

@Suite("Backup and restore", .timeLimit(.minutes(10)))
struct BackupTests {
    private static let words = "leader monkey parrot ring guide accident before fence cannon height naive bean"

    /// A home with two accounts, records, events and words.
    private func filledHome() async throws -> (home: AccountHome, ana: PublicKey) {
        let home = try AccountHome()
        let store = try home.store()
        try await store.keepVersions(of: [TestPerson.alice.publicKey])
        let host = home.host(store)
        _ = try await host.importSecret(TestPerson.alice.secretHex, passphrase: "alice's")
        let ana = try await host.importMnemonic(Self.words, passphrase: "ana's", name: "Ana")
        _ = try await host.openReadOnly(TestPerson.bob.publicKey.npub)
        let records = try SQLiteRecordStore(path: home.directory.account(TestPerson.alice.publicKey.hex))
        for number in 0..<1_234 {
            try await records.put([UInt8](repeating: UInt8(number % 256), count: 200), for: "k\(number)", in: "sealed")
        }
        try await records.put([0, 0xFF, 0x0A], for: "é\n\u{0}", in: "odd")
        try records.close()
        let notes = (0..<1_700).map { TestPerson.alice.event("note \($0)", at: 1_700_000_000 - Int64($0 / 600)) }
        _ = try await store.save(notes, from: nil)
        for version in 0..<5 {
            _ = try await store.save(
                [TestPerson.alice.event("profile \(version)", kind: 0, at: 1_600_000_000 + Int64(version))], from: nil)
        }
        _ = try await store.save([TestPerson.bob.event("not mine")], from: nil)
        let program = try SQLiteRecordStore(path: home.directory.program)
        try await program.put(Array("{}".utf8), for: "face", in: "settings")
        try program.close()
        try store.close()
        return (home, ana)
    }

    private func run(_ arguments: [String], _ home: AccountHome, password: String = "backup's") throws -> Program.Result
    {
        try Program.run(arguments + ["--data", home.directory.path], environment: ["LINNET_PASSWORD": password])
    }

    @Test("a fresh directory has everything after a restore, and it opens with the old passphrases")
    func everything() async throws {
        let (home, ana) = try await filledHome()
        let file = "\(home.directory.path)/../\(UUID().uuidString).backup"
        defer { try? FileManager.default.removeItem(atPath: file) }
        let made = try run(["backup", file, "--log-n", "4"], home)
        #expect(made.status == 0, "\(made.errors)")
        #expect(made.output.split(separator: "\n").count == 3)
        #expect(made.output.split(separator: "\n").allSatisfy { $0.contains("\"verified\":true") })
        #expect(made.errors.contains("restored on trial"))
        #expect(try home.files().allSatisfy { !$0.hasPrefix("trial-") })
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)

        let fresh = try AccountHome()
        let restored = try run(["restore", file], fresh)
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(restored.output.contains("\"outcome\":\"restored\""))

        let host = fresh.host(try fresh.store())
        #expect(
            Set(try await host.accounts().map(\.key)) == [TestPerson.alice.publicKey, TestPerson.bob.publicKey, ana])
        _ = try await host.unlock(TestPerson.alice.publicKey, passphrase: "alice's")
        #expect(try await host.exportMnemonic(ana, passphrase: "ana's") == Self.words)
        #expect(try await host.custody(of: TestPerson.bob.publicKey).kind == .readOnly)

        let before = try await allRecords(home), after = try await allRecords(fresh)
        #expect(before.count >= 1_235 && before == after)
        let store = try fresh.store()
        #expect(try await store.count([Filter(authors: [TestPerson.alice.publicKey], kinds: [1])]) == 1_700)
        #expect(try await store.query([Filter(kinds: [0])]).map(\.content) == ["profile 4"])
        #expect(try await store.count([Filter(authors: [TestPerson.bob.publicKey])]) == 0)
        let kept = try await store.versions(of: TestPerson.alice.publicKey, kind: 0, identifier: "")
        #expect(kept.map(\.content) == (0..<5).reversed().map { "profile \($0)" })
    }

    @Test("an account that is here already is left as it is, the others are added")
    func merges() async throws {
        let (home, ana) = try await filledHome()
        let file = "\(home.directory.path)/../\(UUID().uuidString).backup"
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(try run(["backup", file, "--log-n", "4"], home).status == 0)
        #expect(try run(["backup", file, "--log-n", "4"], home).errors.contains("already"))

        let fresh = try AccountHome()
        let host = fresh.host(try fresh.store())
        _ = try await host.importSecret(TestPerson.alice.secretHex, passphrase: "another")
        let restored = try run(["restore", file], fresh)
        #expect(restored.status == 1)
        #expect(restored.output.contains("\"outcome\":\"already here\""))
        _ = try await fresh.keystore.unlock(TestPerson.alice.publicKey, passphrase: "another")
        _ = try await fresh.keystore.unlock(ana, passphrase: "ana's")
    }

    @Test("a file that is cut, changed, foreign or sealed with another passphrase changes nothing and is told by name")
    func refuses() async throws {
        let (home, _) = try await filledHome()
        let file = "\(home.directory.path)/../\(UUID().uuidString).backup"
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(try run(["backup", file, "--log-n", "4"], home).status == 0)
        let whole = try Data(contentsOf: URL(filePath: file))
        var flipped = whole
        flipped[whole.count / 2] ^= 4
        var newer = whole
        newer[14] = 9
        let cases: [(Data, String, String)] = [
            (whole, "wrong", "Wrong passphrase"), (whole.prefix(whole.count - 1), "backup's", "cut short"),
            (flipped, "backup's", "damaged"), (newer, "backup's", "newer"),
            (Data("hello".utf8), "backup's", "not a backup"),
        ]
        for (bytes, password, expected) in cases {
            let fresh = try AccountHome()
            try bytes.write(to: URL(filePath: file))
            let run = try run(["restore", file], fresh, password: password)
            #expect(run.status == 1)
            #expect(run.errors.contains(expected), "\(run.errors)")
            #expect(run.errors.split(separator: "\n").count == 1)
            #expect(try await fresh.keystore.accounts().isEmpty)
            #expect(try fresh.files().allSatisfy { !$0.contains(".ncryptsec") && !$0.hasSuffix(".sqlite") })
        }
    }

    @Test("a page's backup of one account is the same file, and a home may be at work meanwhile")
    func onePage() async throws {
        let (home, ana) = try await filledHome()
        let store = try home.store()
        let host = home.host(store)
        let file = "\(home.directory.path)/../\(UUID().uuidString).backup"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try await home.atWork(host) {
            _ = try await host.open(ana)
            let lock = try DirectoryLock(home.directory)
            defer { _ = lock }
            let bytes = try await host.backup(ana, passphrase: "backup's")
            try Data(bytes).write(to: URL(filePath: file))
            let meanwhile = try run(["backup", file + "2", "--log-n", "4"], home)
            #expect(meanwhile.status == 0, "\(meanwhile.errors)")
            try FileManager.default.removeItem(atPath: file + "2")
            #expect(try run(["restore", file], home).errors.contains("stop it first"))
        }
        await #expect(throws: Trouble.self) { _ = try await host.backup(ana, passphrase: "") }
        let fresh = try AccountHome()
        #expect(try run(["restore", file], fresh).status == 0)
        #expect(try await fresh.keystore.accounts().map(\.name) == ["Ana"])
    }

    @Test("a backup that does not give back what was put in is not kept, unless nobody asks")
    func trial() async throws {
        let home = try AccountHome()
        let store = try home.store()
        _ = try await home.host(store).importSecret(TestPerson.alice.secretHex, passphrase: "alice's")
        _ = try await store.save([TestPerson.alice.event("what was signed")], from: nil)
        try store.close()
        // The disk changes a letter of what was signed.
        let path = URL(filePath: home.directory.events)
        var bytes = try Data(contentsOf: path)
        let place = try #require(bytes.range(of: Data("what was signed".utf8)))
        bytes.replaceSubrange(place, with: Data("what was singed".utf8))
        try bytes.write(to: path)

        let file = "\(home.directory.path)/../\(UUID().uuidString).backup"
        let files = FileManager.default
        defer { try? files.removeItem(atPath: file) }
        let made = try run(["backup", file, "--log-n", "4"], home)
        #expect(made.status == 1 && made.output.isEmpty)
        #expect(made.errors.contains("restored on trial") && made.errors.contains("not kept"), "\(made.errors)")
        #expect(!files.fileExists(atPath: file) && !files.fileExists(atPath: file + ".part"))
        #expect(try home.files().allSatisfy { !$0.hasPrefix("trial-") })

        let unasked = try run(["backup", file, "--log-n", "4", "--no-verify"], home)
        #expect(unasked.status == 0 && unasked.output.contains("\"verified\":false"), "\(unasked.errors)")
        #expect(files.fileExists(atPath: file))
    }

    @Test(
        "a cost that no restore would work through is refused before anything is asked", arguments: ["0", "23", "255"])
    func costs(logN: String) throws {
        let home = try AccountHome()
        let file = "\(home.directory.path)/never.backup"
        let made = try run(["backup", file, "--log-n", logN], home)
        #expect(made.status != 0 && made.errors.contains("between 1 and 22"), "\(made.errors)")
        #expect(try home.files().allSatisfy { !$0.contains("never") })
        let key = try Program.run(["key", "generate", "--encrypt", "--log-n", logN])
        #expect(key.status != 0 && key.errors.contains("between 1 and 22"))
    }

    @Test("what a killed trial left is removed by a later one")
    func leftTrial() async throws {
        let home = try AccountHome()
        let files = FileManager.default
        for (name, age) in [("trial-old", 100_000.0), ("trial-new", 100)] {
            try files.createDirectory(atPath: "\(home.directory.path)/\(name)", withIntermediateDirectories: true)
            try files.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: "\(home.directory.path)/\(name)")
        }
        let trial = BackupTrial(
            directory: home.directory, source: BackupSource(place: .memory([1, 2]), passphrase: "p"))
        await #expect(throws: BackupTrialError.notRestored(why: BackupError.notABackup.sentence)) {
            try await trial.run(expecting: [])
        }
        #expect(!files.fileExists(atPath: "\(home.directory.path)/trial-old"))
        #expect(files.fileExists(atPath: "\(home.directory.path)/trial-new"))
    }

    @Test("lines that are none, or strange ones, never trap")
    func noise() throws {
        var random = SeededRandom(seed: 4)
        let line = try BackupLine.record(.init(table: "t", key: "k", value: Data([1, 2]))).bytes().dropLast()
        for _ in 0..<300 {
            var changed = Array(line)
            changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            // Any outcome but a trap will do.
            _ = try? BackupLine(changed)
        }
        #expect(try BackupLine(Array("{\"future\":1}".utf8)) == nil)
        #expect(throws: BackupError.damaged) { try BackupLine(Array("{\"event\":}".utf8)) }
        #expect(throws: BackupError.damaged) { try BackupLine([]) }
    }

    private func allRecords(_ home: AccountHome) async throws -> [String] {
        let records = try SQLiteRecordStore(path: home.directory.account(TestPerson.alice.publicKey.hex))
        let found = Mutex<[String]>([])
        try await records.forEach { table, record in
            found.withLock { $0.append("\(table)/\(record.key)=\(record.value)") }
        }
        try records.close()
        return found.withLock { $0 }
    }
}
