import AsyncPrimitives
import Crypto
import Foundation
import NostrCore
import NostrSigner

/// Named pasteboards of this machine: files that only their owner reads, each handed out once and for two minutes.
///
/// They lie where the system keeps what ends with a login (`XDG_RUNTIME_DIR`, in memory), else in the data directory, so
/// that every program of Linnet's finds them, also when no other runs. A file's name is a digest of its token.
struct LocalPasteboard: Pasteboard {
    /// Where the files lie.
    let folder: String
    private let now: @Sendable () -> Date

    init(folder: String, now: @escaping @Sendable () -> Date = { Date() }) {
        (self.folder, self.now) = (folder, now)
    }

    /// The pasteboards that go with a data directory.
    init(_ directory: DataDirectory, runtime: String? = EnvironmentVariables.value("XDG_RUNTIME_DIR")) {
        let mark = Self.digest(directory.path).prefix(16)
        self.init(folder: runtime.map { "\($0)/linnet-pasteboard-\(mark)" } ?? "\(directory.path)/pasteboard")
    }

    func copy(_ text: String, expires: Duration) async throws {
        throw CommandFailure("There is no clipboard here: take the text from the page.")
    }

    func put(_ text: String, under token: String, expires: Duration) async throws {
        guard PasteboardRules.isToken(token), text.utf8.count <= PasteboardRules.longest else {
            throw CommandFailure("This does not fit on the pasteboard.")
        }
        try sweep()
        let path = path(token)
        // What lay there is replaced; one that was taken meanwhile is gone, as it should be.
        try? FileManager.default.removeItem(atPath: path)
        let end = Int64(now().timeIntervalSince1970) + min(expires, PasteboardRules.lifetime).components.seconds
        let file = try NewFile(path)
        try file.write(Array("\(end)\n\(text)".utf8))
        try file.finish()
    }

    func text(under token: String) async throws -> String? {
        guard PasteboardRules.isToken(token) else { return nil }
        let (path, taken) = (path(token), folder + "/" + Self.digest(token) + ".taken")
        // Whoever moves it first has it; nobody else finds it then.
        do { try FileManager.default.moveItem(atPath: path, toPath: taken) } catch { return nil }
        defer { try? FileManager.default.removeItem(atPath: taken) }
        guard let bytes = FileManager.default.contents(atPath: taken), bytes.count <= PasteboardRules.longest + 32,
            let (end, text) = Self.read(Array(bytes)), end > Int64(now().timeIntervalSince1970)
        else { return nil }
        return text
    }

    /// Removes what is over; of the rest the oldest makes room.
    private func sweep() throws {
        let files = FileManager.default
        do {
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure("Cannot use \(folder): check that you may write there.")
        }
        var left: [(path: String, made: Date)] = []
        for name in (try? files.contentsOfDirectory(atPath: folder)) ?? [] {
            let path = "\(folder)/\(name)"
            // One that another program has just taken is gone, as it should be.
            guard let made = try? files.attributesOfItem(atPath: path)[.modificationDate] as? Date else { continue }
            let isOver = now().timeIntervalSince(made) > Double(PasteboardRules.lifetime.components.seconds)
            if isOver { try? files.removeItem(atPath: path) } else { left.append((path, made)) }
        }
        for old in left.sorted(by: { $0.made < $1.made }).dropLast(PasteboardRules.most - 1) {
            try? files.removeItem(atPath: old.path)
        }
    }

    private func path(_ token: String) -> String { folder + "/" + Self.digest(token) }

    private static func read(_ bytes: [UInt8]) -> (end: Int64, text: String)? {
        guard let line = bytes.firstIndex(of: 0x0A), let end = Int64(String(decoding: bytes[..<line], as: UTF8.self)),
            let text = String(validating: bytes[(line + 1)...], as: UTF8.self)
        else { return nil }
        return (end, text)
    }

    private static func digest(_ text: String) -> String {
        encodeHex(Array(SHA256.hash(data: Array(text.utf8))))
    }
}
