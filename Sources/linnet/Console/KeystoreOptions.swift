import ArgumentParser
import NostrCore
import NostrSigner

/// Where new keys are kept; those that are here already are found wherever they are.
struct KeystoreOptions: ParsableArguments {
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case file
        case keyring
        // What the keyring is called on Linux.
        case secretService = "secret-service"
    }

    @Option(
        name: .customLong("keys"),
        help: ArgumentHelp(
            "Where new keys are kept: file, under a passphrase (the default), or secret-service, the system's keyring.",
            discussion: """
                A key in the keyring opens with your session on this machine, without a passphrase. Keys already here stay \
                where they are. LINNET_KEYS sets it too.
                """, valueName: "place"))
    var kind: Kind?

    func validate() throws {
        guard kind == nil, let set = EnvironmentVariables.value("LINNET_KEYS"), Kind(rawValue: set) == nil else {
            return
        }
        throw ValidationError("LINNET_KEYS is '\(set)': use file or secret-service.")
    }

    /// The accounts of a directory.
    ///
    /// - Parameter keyring: whether new keys go to the keyring all the same.
    func keystore(in directory: DataDirectory, keyring: Bool = false) -> any Keystore {
        let file = NIP49FileKeystore(directory: directory.keys, now: { .current })
        let system = KeyringKeystore(Self.keyring, directory: directory.keys, now: { .current })
        return isKeyring || keyring ? JoinedKeystores(system, [file]) : JoinedKeystores(file, [system])
    }

    /// Whether new keys go to the system's keyring.
    var isKeyring: Bool {
        (kind ?? EnvironmentVariables.value("LINNET_KEYS").flatMap(Kind.init(rawValue:)) ?? .file) != .file
    }
}
