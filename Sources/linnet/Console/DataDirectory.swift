import ArgumentParser
import Foundation

/// Where everything of a person rests: one directory, readable by its owner only.
struct DataDirectory: Sendable {
    /// Its absolute path.
    let path: String

    /// The shared event store.
    var events: String { "\(path)/events.sqlite" }
    /// The encrypted keys.
    var keys: String { "\(path)/keys" }
    /// Settings and what belongs to no account.
    var program: String { "\(path)/program.sqlite" }

    /// What signers keep: apps, choices, requests, the log.
    var signer: String { "\(path)/signer.sqlite" }
    /// Where commands reach the program that runs here.
    var control: String { "\(path)/control.sock" }

    /// What push proxies were told.
    var pushLedgers: String { "\(path)/push-proxies.json" }
    /// How this machine is woken.
    var pushReceiver: String { "\(path)/push-receiver" }

    /// The home's own name below `localhost`.
    var loopbackName: String { "\(path)/loopback-name" }

    /// Pages that lead a browser on, in a folder.
    var opened: String { "\(path)/opened" }

    /// What began the simulated Nostr, in the demo's directory.
    var play: String { "\(path)/play.json" }

    /// Pictures of maps, in a folder.
    var tiles: String { "\(path)/tiles" }

    /// Files that people brought to the media server, in a folder.
    var blobs: String { "\(path)/blobs" }
    /// Whose they are.
    var blobRecords: String { "\(path)/blobs.sqlite" }

    /// What one account keeps for itself.
    func account(_ publicKeyHex: String) -> String { "\(path)/accounts/\(publicKeyHex).sqlite" }

    /// The files of one account that are on their way to media servers, or were found there: a folder.
    func files(_ publicKeyHex: String) -> String { "\(path)/accounts/\(publicKeyHex).files" }

    /// The directory of the simulated Nostr inside this one, so that nothing of it mixes with the real one.
    var demo: DataDirectory { DataDirectory(path: "\(path)/demo") }

    /// Makes the directory and those inside it.
    ///
    /// - Throws: a ``CommandFailure`` with one plain sentence.
    func prepare() throws {
        for folder in [path, "\(path)/accounts"] {
            do {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            } catch {
                throw CommandFailure(
                    "Cannot use \(folder): check that it is a directory and that you may write there.")
            }
        }
        // Most often there is none.
        try? OpenedPage.removeOld(in: opened)
    }

    /// Forgets all events and what accounts keep beside them; keys and settings stay.
    func removeEvents() throws {
        let files = FileManager.default
        for name in try files.contentsOfDirectory(atPath: path) where name.hasPrefix("events.sqlite") {
            try files.removeItem(atPath: "\(path)/\(name)")
        }
        for name in try files.contentsOfDirectory(atPath: "\(path)/accounts") {
            try files.removeItem(atPath: "\(path)/accounts/\(name)")
        }
    }

    /// `--data`, else `LINNET_DATA`, else where this system keeps a program's data.
    struct Options: ParsableArguments {
        @Option(
            name: .customLong("data"),
            help: "The directory that holds everything (default: LINNET_DATA, else the system's place for it).")
        var given: String?

        func directory() -> DataDirectory {
            let chosen = given ?? EnvironmentVariables.value("LINNET_DATA") ?? Self.standard
            let expanded = NSString(string: chosen).expandingTildeInPath
            return DataDirectory(path: URL(fileURLWithPath: expanded).standardizedFileURL.path)
        }

        private static var standard: String {
            #if os(macOS)
                return "~/Library/Application Support/Linnet"
            #else
                return (EnvironmentVariables.value("XDG_DATA_HOME") ?? "~/.local/share") + "/linnet"
            #endif
        }
    }
}
