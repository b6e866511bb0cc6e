#if os(Linux)
    internal import Glibc
    public import NostrCore
    internal import NostrNIPs

    /// The Secret Service of freedesktop.org (GNOME's keyring, KWallet, KeePassXC), through libsecret's `secret-tool`.
    ///
    /// Each key is one secret with the attributes `application` and `npub`. It travels by standard input and output, never
    /// in arguments, which every program of the machine can read. Source: the Secret Service API draft 0.2.
    public struct SecretServiceKeyring: SystemKeyring {
        private let tool: String
        private let application: String
        private let deadline: Duration
        private let environment: [String]
        private let queue = KeystoreQueue()

        /// Takes the program to talk through.
        ///
        /// - Parameters:
        ///   - tool: its name, looked up in `PATH`, or its path.
        ///   - application: what the secrets are filed under.
        ///   - deadline: how long one call may take; the person may have to type the keyring's password meanwhile.
        ///   - environment: what differs from this program's own environment.
        public init(
            tool: String = "secret-tool", application: String = "linnet", deadline: Duration = .seconds(60),
            environment: [String: String] = [:]
        ) {
            self.tool = tool
            self.application = application
            self.deadline = deadline
            self.environment = Self.environment(with: environment)
        }

        /// Stores a secret; the service replaces the one with the same attributes.
        public func put(_ secret: String, label: String, for key: PublicKey) async throws {
            let outcome = try await run(["store", "--label=\(label)"], key, input: Array(secret.utf8))
            guard outcome.status == 0 else { throw outcome.complained ? KeystoreError.noKeyring : .keyringRefused }
        }

        /// Looks a secret up.
        public func secret(of key: PublicKey) async throws -> String? {
            var outcome = try await run(["lookup"], key)
            defer { for i in outcome.output.indices { outcome.output[i] = 0 } }
            if outcome.status == 0 { return String(decoding: outcome.output, as: UTF8.self) }
            guard !outcome.complained else { throw KeystoreError.noKeyring }
            return nil
        }

        /// Clears a secret.
        public func remove(_ key: PublicKey) async throws {
            let outcome = try await run(["clear"], key)
            // It says the same of a secret that is not there and of one that the person keeps locked: look.
            guard outcome.status != 0 else { return }
            if outcome.complained { throw KeystoreError.noKeyring }
            if try await secret(of: key) != nil { throw KeystoreError.keyringRefused }
        }

        private func run(
            _ verb: [String], _ key: PublicKey, input: [UInt8] = []
        ) async throws -> ChildProgram.Outcome {
            let arguments = verb + ["application", application, "npub", key.npub]
            return try await queue.perform { [tool, environment, deadline] in
                do {
                    return try ChildProgram.run(
                        tool, arguments, input: input, environment: environment, deadline: deadline)
                } catch ChildProgram.Failure.timedOut {
                    throw KeystoreError.keyringSilent
                } catch {
                    throw KeystoreError.noKeyring
                }
            }
        }

        /// What the program needs to find the service and to ask the person, and nothing else of ours.
        private static func environment(with changes: [String: String]) -> [String] {
            let names = [
                "PATH", "HOME", "LANG", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
                "XAUTHORITY",
            ]
            return names.compactMap { name in
                if let value = changes[name] { return "\(name)=\(value)" }
                guard let value = unsafe getenv(name) else { return nil }
                return "\(name)=\(unsafe String(cString: value))"
            }
        }
    }
#endif
