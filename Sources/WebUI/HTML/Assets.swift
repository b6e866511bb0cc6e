internal import Crypto
internal import Foundation
internal import NIOCore
internal import NostrCore

/// The style sheet, scripts and pictures, read once.
///
/// Their address holds a digest of all of them, so a browser keeps them for good and a new version is a new address.
struct Assets: Sendable {
    struct Asset: Sendable {
        let type: String
        let body: ByteBuffer
    }

    /// A digest of all files.
    let version: String
    private let files: [String: Asset]

    /// The files that belong to this program; they never change while it runs.
    static let installed = Result { try Assets() }
    /// Where pages find the files; ``WebFace`` does not begin without them.
    static let address: Path = "/assets/\((try? installed.get().version) ?? "")"

    private init() throws {
        guard let folder = Bundle.module.url(forResource: "Assets", withExtension: nil) else {
            throw ResourceMissing(name: "Assets")
        }
        var files: [String: Asset] = [:]
        var hash = SHA256()
        let found = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        for file in found.sorted(by: { $0.lastPathComponent < $1.lastPathComponent }) {
            guard let type = Self.types[file.pathExtension] else { continue }
            let data = try Data(contentsOf: file)
            hash.update(data: data)
            files[file.lastPathComponent] = Asset(type: type, body: ByteBuffer(bytes: data))
        }
        self.files = files
        version = String(encodeHex(Array(hash.finalize())).prefix(12))
    }

    /// A file by its name.
    subscript(_ name: String) -> Asset? { files[name] }

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
