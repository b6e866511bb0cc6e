internal import Crypto
public import NostrCore

/// How a client proves to an HTTP server who it is: an event for one request, in a header.
///
/// Source: NIP-98.
public enum HTTPAuth {
    /// The kind of an authorisation event; never published.
    public static let kind: Kind = 27_235

    /// How far the event's moment may be from the server's clock, in both directions.
    public static let tolerance: Duration = .seconds(60)

    /// The longest header value that is read, in bytes.
    public static let longestHeader = 8192

    /// Why a request does not count as its author's.
    public enum Refusal: Error, Hashable, Sendable {
        /// No `Nostr` scheme, no Base64, or no event behind it.
        case malformed
        /// The id or the signature is wrong.
        case forged
        /// Not kind 27235.
        case wrongKind(Kind)
        /// Made too long ago, or in the future.
        case wrongMoment(Timestamp)
        /// Signed for another address.
        case wrongURL
        /// Signed for another method.
        case wrongMethod
        /// Signed for another body, or for none where the server asks for its hash.
        case wrongPayload
    }

    /// The event for one request, to be signed.
    ///
    /// - Parameters:
    ///   - url: the absolute address, query included, exactly as it will be asked for.
    ///   - body: the body, whose hash is signed too; `nil` for a request without one.
    public static func draft(url: String, method: String, body: [UInt8]?, createdAt: Timestamp) -> EventDraft {
        var tags: [Tag] = [["u", url], ["method", method]]
        if let body { tags.append(["payload", payloadHash(body)]) }
        return EventDraft(kind: kind, tags: tags, createdAt: createdAt)
    }

    /// The value of the `Authorization` header.
    public static func header(_ event: Event) -> String {
        "Nostr " + Base64.encode(event.json.span)
    }

    /// Reads and checks the value of the header, as a server.
    ///
    /// Standard and URL-safe Base64 are read, as clients send both. A server that must not accept an event twice
    /// remembers its id for twice ``tolerance``.
    /// - Parameters:
    ///   - url: the absolute address the server was asked for; compared byte by byte, as the NIP says.
    ///   - body: the whole body.
    ///   - needsPayload: whether a request without the hash of its body is refused, which the NIP leaves to servers.
    /// - Returns: the event; its author made the request.
    /// - Throws: ``Refusal``.
    public static func check(
        header: String, url: String, method: String, body: [UInt8], needsPayload: Bool = true, now: Timestamp
    ) throws(Refusal) -> Event {
        let event = try read(header)
        guard event.kind == kind else { throw .wrongKind(event.kind) }
        guard event.createdAt >= now - tolerance, event.createdAt <= now + tolerance else {
            throw .wrongMoment(event.createdAt)
        }
        guard let asked = event.tags.firstValue("u"), asked.utf8.elementsEqual(url.utf8) else { throw .wrongURL }
        guard event.tags.firstValue("method") == method else { throw .wrongMethod }
        switch event.tags.firstValue("payload") {
        case .some(let hash): guard hash == payloadHash(body) else { throw .wrongPayload }
        case .none: if needsPayload { throw .wrongPayload }
        }
        return event
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

    private static func payloadHash(_ body: [UInt8]) -> String {
        encodeHex(Array(SHA256.hash(data: body)))
    }
}
