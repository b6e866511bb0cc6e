internal import Crypto
internal import Foundation
internal import GzipFormat
internal import NIOCore
internal import NostrCore

/// The style sheet, scripts and pictures, read once.
///
/// Their address holds a digest of all of them, so a browser keeps them for good and a new version is a new address.
struct Assets: Sendable {
    struct Asset: Sendable {
        let type: String
        let body: ByteBuffer
        /// The same, packed (gzip); `nil` where that is no shorter.
        let packed: ByteBuffer?

        init(type: String, bytes: [UInt8]) {
            self.type = type
            body = ByteBuffer(bytes: bytes)
            let packed = Gzip.compress(bytes, .most)
            self.packed = packed.count < bytes.count ? ByteBuffer(bytes: packed) : nil
        }
    }

    /// A digest of all files.
    let version: String
    private let files: [String: Asset]
    /// What each script imports before it runs.
    private let imported: [String: [String]]

    /// The files that belong to this program; they never change while it runs.
    static let installed = Result { try Assets() }
    /// Where pages find the files; ``WebFace`` does not begin without them.
    static let address: Path = "/assets/\((try? installed.get().version) ?? "")"

    private init() throws {
        guard let folder = Bundle.module.url(forResource: "Assets", withExtension: nil) else {
            throw ResourceMissing(name: "Assets")
        }
        var files: [String: Asset] = [:]
        var imported: [String: [String]] = [:]
        var hash = SHA256()
        let found = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        for file in found.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) {
            guard let type = Self.types[file.pathExtension] else { continue }
            let data = try Data(contentsOf: file)
            hash.update(data: data)
            files[file.lastPathComponent] = Asset(type: type, bytes: Array(data))
            if file.pathExtension == "js" {
                imported[file.deletingPathExtension().lastPathComponent] = Self.imports(
                    in: String(decoding: data, as: UTF8.self))
            }
        }
        self.files = files
        self.imported = imported
        version = String(encodeHex(Array(hash.finalize())).prefix(12))
    }

    /// The scripts that a script imports, by name without its ending; nothing for one that is not there.
    static func imports(of script: String) -> [String] {
        (try? installed.get())?.imported[script] ?? []
    }

    /// A file by its name.
    subscript(_ name: String) -> Asset? { files[name] }

    /// The names in lines like `import { say } from "./fetching.js";`.
    private static func imports(in source: String) -> [String] {
        source.split(separator: "\n").compactMap { line in
            guard line.hasPrefix("import "), let start = line.firstRange(of: "from \"./"),
                let end = line.firstRange(of: ".js\"")
            else { return nil }
            return String(line[start.upperBound..<end.lowerBound])
        }
    }

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "webmanifest": "application/manifest+json",
    ]
}

/// A file of the program that is not where the program was installed.
struct ResourceMissing: Error, Equatable, CustomStringConvertible {
    let name: String
    var description: String { "\(name) is missing beside the program; install linnet_WebUI.resources with it" }
}
