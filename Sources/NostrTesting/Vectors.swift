public import Foundation

/// Where the official test vectors are: `LINNET_VECTORS`, or `../shared/vectors` beside the package.
///
/// They are not part of the package. A suite that needs them says
/// `@Test(.enabled(if: Vectors.arePresent, "official vectors are not here"))`; where `CI` is `true` they count as
/// present, so that their absence fails the test.
public enum Vectors {
    /// The directory.
    public static let directory: URL = {
        if let named = ProcessInfo.processInfo.environment["LINNET_VECTORS"] {
            return URL(filePath: named, directoryHint: .isDirectory)
        }
        // This file is Sources/NostrTesting/Vectors.swift.
        return URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/vectors")
    }()

    /// Whether tests should read them.
    public static let arePresent: Bool =
        ProcessInfo.processInfo.environment["CI"] == "true" || FileManager.default.fileExists(atPath: directory.path)

    /// Whether tests should read a file or folder that `make vectors` cannot fetch, because it has no public home.
    public static func hold(_ path: String) -> Bool {
        ProcessInfo.processInfo.environment["CI"] == "true"
            || FileManager.default.fileExists(atPath: directory.appending(path: path).path)
    }

    /// The bytes of one file, for example `nostr/nip44.vectors.json`.
    public static func data(_ path: String) throws -> Data {
        try Data(contentsOf: directory.appending(path: path))
    }

    /// One file of JSON as a value.
    public static func decode<Value: Decodable>(_ type: Value.Type, from path: String) throws -> Value {
        try JSONDecoder().decode(type, from: data(path))
    }

    /// One file as text.
    public static func text(_ path: String) throws -> String {
        String(decoding: try data(path), as: UTF8.self)
    }
}
