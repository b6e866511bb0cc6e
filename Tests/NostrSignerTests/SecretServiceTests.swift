#if os(Linux)
    import Foundation
    import Glibc
    import NostrCore
    import NostrNIPs
    import NostrSigner
    import NostrTesting
    import Synchronization
    import Testing

    @Suite("The Secret Service", .serialized, .timeLimit(.minutes(10)))
    struct SecretServiceTests {
        @Test(
            "a keystore over GNOME's keyring keeps the contract", .enabled(if: SecretServiceSession.isInstalled()))
        func contract() async throws {
            let session = try await ChildProcess.onOwnThread { try SecretServiceSession() }
            for rule in KeystoreContract.rules {
                let folder = TemporaryKeyFolder()
                // A name of its own per rule: what one leaves there is not the next one's.
                let keyring = SecretServiceKeyring(
                    application: "linnet-test-\(UUID().uuidString)", environment: session.environment)
                do {
                    try await rule.check { moment in
                        KeyringKeystore(keyring, directory: folder.path, logN: 2) { moment.now }
                    }
                } catch {
                    Issue.record("\(rule): \(error)")
                }
            }
        }

        @Test(
            "no key shows in the list of processes while it is stored and looked up",
            .enabled(if: SecretServiceSession.isInstalled()))
        func processList() async throws {
            let folder = TemporaryKeyFolder()
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            let tool = try Self.script(
                "tr '\\0' '\\n' </proc/$$/cmdline >>\(folder.path)/seen; cat /proc/$$/environ >>\(folder.path)/seen; cat >/dev/null",
                in: folder)
            let keyring = SecretServiceKeyring(tool: tool)
            try await keyring.put(TestPerson.alice.secretHex, label: "test", for: TestPerson.alice.publicKey)
            _ = try await keyring.secret(of: TestPerson.alice.publicKey)
            let seen = try String(contentsOfFile: "\(folder.path)/seen", encoding: .utf8)
            #expect(seen.contains(TestPerson.alice.publicKey.npub))
            #expect(!seen.contains(TestPerson.alice.secretHex))
        }

        @Test(
            "a tool that is missing, refuses, hangs or floods is told by name, in time",
            arguments: [
                (nil, KeystoreError.Code.noKeyring), ("exit 1", .keyringRefused),
                ("echo no bus >&2; exit 1", .noKeyring), ("exec sleep 1000", .keyringSilent),
                ("exec yes", .noKeyring),
            ] as [(String?, KeystoreError.Code)])
        func failures(script: String?, code: KeystoreError.Code) async throws {
            let folder = TemporaryKeyFolder()
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            let tool = try script.map { try Self.script($0, in: folder) } ?? "/nowhere/secret-tool"
            // Only who hangs is to meet the deadline; on a busy machine the others need their time.
            let deadline: Duration = code == .keyringSilent ? .milliseconds(300) : .seconds(60)
            let keyring = SecretServiceKeyring(tool: tool, deadline: deadline)
            await #expect { try await keyring.put("s", label: "l", for: TestPerson.alice.publicKey) } throws: {
                ($0 as? KeystoreError)?.code == code
            }
        }

        @Test("a tool that is just being put in place is waited for, until the deadline")
        func busy() async throws {
            let folder = TemporaryKeyFolder()
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            let tool = try Self.script("exit 0", in: folder)
            let writer = try #require(FileHandle(forWritingAtPath: tool))
            await #expect {
                let keyring = SecretServiceKeyring(tool: tool, deadline: .milliseconds(50))
                try await keyring.put("s", label: "l", for: TestPerson.alice.publicKey)
            } throws: {
                ($0 as? KeystoreError)?.code == .keyringSilent
            }
            try writer.close()
            try await SecretServiceKeyring(tool: tool).put("s", label: "l", for: TestPerson.alice.publicKey)
        }

        private static func script(_ text: String, in folder: TemporaryKeyFolder) throws -> String {
            let path = "\(folder.path)/tool"
            try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(filePath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
            return path
        }
    }

    /// A message bus with GNOME's keyring on it, both of this test's own; they end with it.
    private final class SecretServiceSession: Sendable {
        let environment: [String: String]
        private let folder = TemporaryKeyFolder()
        private let bus: Int32

        /// Whether the programs are here; says so where they are not, and insists on them in CI.
        static func isInstalled() -> Bool {
            let paths = ["/usr/bin/dbus-daemon", "/usr/bin/gnome-keyring-daemon", "/usr/bin/secret-tool"]
            let missing = paths.filter { !FileManager.default.isExecutableFile(atPath: $0) }
            if missing.isEmpty { return true }
            print("skipped: the Secret Service is not tested without \(missing); scripts/setup.sh test installs them")
            return ProcessInfo.processInfo.environment["CI"] == "true"
        }

        init() throws {
            try FileManager.default.createDirectory(
                atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            // Both go to the background. A keyring that does not come up in time ends the wait with its shell.
            let process = try ChildProcess(
                "/bin/sh",
                [
                    "-c",
                    """
                    set -- $(dbus-daemon --session --fork --print-address=1 --print-pid=1 2>/dev/null)
                    printf test | DBUS_SESSION_BUS_ADDRESS=$1 gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
                    echo $1 $2
                    """,
                ],
                environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path],
                killedAfter: 60)
            var line: [UInt8] = []
            while !line.contains(0x0A) {
                let read = process.read()
                if read.isEmpty { break }
                line += read
            }
            let words = String(decoding: line.prefix { $0 != 0x0A }, as: UTF8.self).split(separator: " ").map(
                String.init)
            bus = try #require(words.count == 2 ? Int32(words[1]) : nil, "no message bus")
            environment = [
                "DBUS_SESSION_BUS_ADDRESS": words[0], "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
            ]
        }

        deinit {
            // The keyring ends with its bus.
            kill(bus, SIGKILL)
        }
    }
#endif
