internal import NostrCore

/// Why a connection token cannot be used.
public enum ConnectionTokenError: Error, Hashable, Sendable {
    /// It begins with another scheme.
    case wrongScheme
    /// There is no public key in it.
    case noKey
    /// It names no relay that can be used.
    case noRelay
    /// It has no secret, so that anybody could answer.
    case noSecret
    /// It is longer than any token.
    case tooLong
}

/// What both tokens have in common.
///
/// A `+` is itself, since secrets are often Base64 and relays have no spaces; only ``words(_:)`` reads it as the space
/// that forms write.
struct ConnectionToken {
    /// The longest token read, in bytes.
    static let longest = 8192

    let key: PublicKey
    let relays: [RelayURL]
    let query: URIQuery
    private let text: Substring

    /// - Throws: everything but ``ConnectionTokenError/noSecret``.
    init(_ pasted: String, scheme: String, mostRelays: Int) throws(ConnectionTokenError) {
        guard pasted.utf8.count <= Self.longest else { throw .tooLong }
        let end = pasted.lastIndex { !$0.isWhitespace }.map { pasted[...$0] } ?? ""
        let trimmed = end.drop(while: \.isWhitespace)
        let start = Array("\(scheme)://".utf8)
        guard trimmed.utf8.count >= start.count, zip(trimmed.utf8, start).allSatisfy({ lowered($0) == $1 }) else {
            throw .wrongScheme
        }
        let rest = String(decoding: trimmed.utf8.dropFirst(start.count), as: UTF8.self)
        let parts = rest.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let pointer = ProfilePointer(pasted: String((parts.first ?? "").prefix { $0 != "/" })) else {
            throw .noKey
        }
        key = pointer.key
        text = parts.count > 1 ? parts[1] : ""
        query = URIQuery(parsing: text)
        var seen: Set<RelayURL> = []
        // A relay that cannot be read is left out: the others may do.
        relays = Array(
            query.all("relay").compactMap { try? RelayURL($0) }.filter { seen.insert($0).inserted }.prefix(mostRelays))
        guard !relays.isEmpty else { throw .noRelay }
    }

    /// A value in which `+` is a space: a name, or a text in which spaces may be.
    func words(_ name: String) -> String? {
        URIQuery(parsing: text, plusIsSpace: true)[name]
    }
}

/// An ASCII letter in lower case.
private func lowered(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
