public import NostrCore

/// What a person permits at a media server: one thing to do, until a moment, with some blobs, at some servers.
///
/// Source: BUD-11.
public struct BlobAuthorization: Hashable, Sendable {
    /// What may be done.
    public enum Action: String, Hashable, Sendable, CaseIterable {
        /// Get a blob, where that is not open to everybody.
        case get
        /// Bring a blob as it is, or have it copied from another server.
        case upload
        /// See which blobs a person brought.
        case list
        /// Delete a blob.
        case delete
        /// Bring a picture or a film that the server may change.
        case media
    }

    /// Why a header permits nothing.
    public enum Refusal: Error, Hashable, Sendable {
        /// No `Nostr` scheme, no Base64, or no event behind it.
        case malformed
        /// The id or the signature is wrong.
        case forged
        /// Not kind 24242.
        case wrongKind(Kind)
        /// Dated in the future.
        case notYet(Timestamp)
        /// It does not say until when it holds.
        case noExpiration
        /// It does not hold any more.
        case expired(Timestamp)
        /// It permits something else.
        case wrongAction
        /// It is for other servers.
        case otherServer
        /// It is for other blobs, or for none where one must be named.
        case otherBlob
    }

    /// The kind of its event; never published.
    public static let kind: Kind = 24_242

    /// The longest header value that is read, in bytes.
    public static let longestHeader = 16_384

    /// How far its date may lie in the future, as the clocks of two machines differ.
    ///
    /// BUD-11 asks for the past; who signs and sends at once, a second ahead of the server, means no harm.
    public static let tolerance: Duration = .seconds(60)

    /// Who permits it.
    public let author: PublicKey
    /// What is permitted.
    public let actions: Set<Action>
    /// The blobs it is for, where it names any.
    public let blobs: Set<BlobHash>
    /// The domains it is for, where it names any, in lower case.
    public let servers: Set<String>
    /// From when on it does not hold any more.
    public let expiration: Timestamp
    private let namesBlobs: Bool
    private let namesServers: Bool

    /// The event that permits something, to be signed.
    ///
    /// - Parameters:
    ///   - servers: domains, in lower case; without any it holds everywhere, also for whoever catches it.
    ///   - words: what a person reads before signing, such as "Upload picture".
    public static func draft(
        _ action: Action, blobs: [BlobHash] = [], servers: [String] = [], words: String, createdAt: Timestamp,
        expiration: Timestamp
    ) -> EventDraft {
        var tags: [Tag] = [["t", action.rawValue], .expiration(expiration)]
        tags += blobs.map { ["x", $0.hex] }
        tags += servers.map { ["server", $0.lowercased()] }
        return EventDraft(kind: kind, tags: tags, content: words, createdAt: createdAt)
    }

    /// The value of the `Authorization` header.
    ///
    /// BUD-11 wants URL-safe Base64 without padding; servers from before it read the standard kind alone, padded. Blanks
    /// after the event, which JSON allows, make its length one that needs no padding, and as a token has none of the
    /// characters that the two kinds write differently, either reads the same text.
    public static func header(_ event: Event) -> String {
        var json = event.json
        while json.count % 3 != 0 { json.append(UInt8(ascii: " ")) }
        return "Nostr " + Base64URL.encode(json)
    }

    /// Reads the value of the header, as a server, and checks what does not depend on the request.
    ///
    /// Standard and URL-safe Base64 are read, with or without padding, as clients send all of these.
    /// - Throws: ``Refusal``.
    public init(header: String, now: Timestamp) throws(Refusal) {
        let event = try Self.read(header)
        guard event.kind == Self.kind else { throw .wrongKind(event.kind) }
        guard event.createdAt <= now + Self.tolerance else { throw .notYet(event.createdAt) }
        guard let expiration = event.tags.expiration else { throw .noExpiration }
        guard expiration > now else { throw .expired(expiration) }
        author = event.pubkey
        self.expiration = expiration
        actions = Set(event.tags.named("t").compactMap { $0.value.flatMap { Action(rawValue: $0) } })
        let (blobTags, serverTags) = (event.tags.named("x"), event.tags.named("server"))
        // A tag that cannot be read still binds: the token is then for nothing that is there.
        (namesBlobs, namesServers) = (!blobTags.isEmpty, !serverTags.isEmpty)
        blobs = Set(blobTags.compactMap { $0.value.flatMap { BlobHash(hex: $0) } })
        servers = Set(serverTags.compactMap { $0.value.map(Self.domain) })
    }

    /// Checks it against a request.
    ///
    /// - Parameters:
    ///   - names: the domains by which the server is known, in lower case.
    ///   - blob: the blob that the request is about; `nil` where that is none, or not known yet.
    ///   - mustNameBlob: whether it counts only when it names a blob.
    /// - Throws: ``Refusal``.
    public func permits(
        _ action: Action, at names: Set<String>, blob: BlobHash?, mustNameBlob: Bool
    ) throws(Refusal) {
        guard actions.contains(action) else { throw .wrongAction }
        if namesServers, servers.isDisjoint(with: names) { throw .otherServer }
        if mustNameBlob, blobs.isEmpty { throw .otherBlob }
        if let blob, namesBlobs, !blobs.contains(blob) { throw .otherBlob }
    }

    /// The domain in what stands for a server: some write a whole address, or a port behind it.
    private static func domain(_ text: String) -> String {
        var rest = text.lowercased()[...]
        for scheme in ["https://", "http://"] where rest.hasPrefix(scheme) { rest = rest.dropFirst(scheme.count) }
        rest = rest.prefix { $0 != "/" }
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") { return String(rest[...end]) }
        return String(rest.prefix { $0 != ":" })
    }

    private static func read(_ header: String) throws(Refusal) -> Event {
        guard header.utf8.count <= longestHeader else { throw .malformed }
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "nostr", let json = Base64URL.decode(String(parts[1])),
            // Why it is no event does not matter to its sender.
            let claimed = try? UnverifiedEvent(json: json)
        else { throw .malformed }
        do throws(EventRejection) {
            return try Event(verifying: claimed)
        } catch {
            throw .forged
        }
    }
}
