import Foundation
import NostrCore
import NostrSigner

/// The host name below `localhost` by which this machine's browsers reach a home.
///
/// Browsers send a cookie to every port of its host (RFC 6265 §8.5), so whatever listens on another port of `localhost` or
/// `127.0.0.1` gets the cookies of those names. A name that nobody else knows has cookies of its own. Nothing that is
/// given to somebody without a session may hold it: a page that learns it can lead the browser to its own port there.
///
/// Shape: `linnet-`, 24 hex digits (96 random bits), `.localhost` (RFC 6761 §6.3: looked up as loopback).
struct LoopbackName: Hashable, Sendable {
    /// As requests name it.
    let host: String

    private static let start = "linnet-"
    private static let end = ".localhost"
    private static let randomBytes = 12

    /// Draws one.
    init(using random: inout some RandomNumberGenerator) {
        host = Self.start + encodeHex(NostrCore.randomBytes(Self.randomBytes, using: &random)) + Self.end
    }

    /// Reads one; `nil` for any other name.
    init?(_ host: String) {
        guard host.hasPrefix(Self.start), host.hasSuffix(Self.end) else { return nil }
        let digits = host.dropFirst(Self.start.count).dropLast(Self.end.count)
        guard (try? decodeHex(String(digits), byteCount: Self.randomBytes)) != nil else { return nil }
        self.host = host
    }

    /// The name of a data directory, the same at each start: the cookies of browsers hang on it.
    ///
    /// - Throws: ``CommandFailure`` when a new one cannot be kept.
    static func kept(in directory: DataDirectory) throws -> LoopbackName {
        // One that is missing or damaged costs a login, no more.
        if let text = try? String(contentsOfFile: directory.loopbackName, encoding: .utf8),
            let name = LoopbackName(text.trimmingCharacters(in: .whitespacesAndNewlines))
        {
            return name
        }
        var random = SystemRandomNumberGenerator()
        let name = LoopbackName(using: &random)
        do {
            try DurableFile.write(Array((name.host + "\n").utf8), to: directory.loopbackName, replacing: true)
        } catch {
            throw CommandFailure("Cannot write \(directory.loopbackName): check that you may write there.")
        }
        return name
    }

    /// Whether this system's browsers look such names up as loopback by themselves.
    ///
    /// Chromium, Firefox and WebKitGTK do; Safari does not, and it is the browser of its system.
    static var isKnownToBrowsers: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }
}
