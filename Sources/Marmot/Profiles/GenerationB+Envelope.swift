public import MLS
public import NostrCore
internal import NostrNIPs

/// The envelope of generation B: kind 445.
///
/// Source: MIP-03; MDK 0.8 for the key, which is that of the exporter itself.
extension GenerationB {
    /// Encrypts a message for its group, in an event under a key that nobody has seen and nobody will.
    ///
    /// - Parameters:
    ///   - now: the real time: it orders commits.
    ///   - expiration: when relays may drop it (NIP-40).
    ///   - random: gives the key, the nonce and the signature.
    /// - Throws: `tooLarge`.
    public func seal(
        _ message: MLSMessage, under keys: EpochKeys, now: Timestamp, expiration: Timestamp?,
        using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> Event {
        let encoded = message.encoded
        guard encoded.count <= Self.longestMessage else { throw MarmotError(.tooLarge, "The message is too long.") }
        let nonce = randomBytes(12, using: &random)
        let sealed = nonce + (try Marmot.seal(encoded, under: keys.groupEvent, nonce: nonce))
        var tags: [Tag] = [["h", keys.nostrGroupID.hex], ["encoding", "base64"]]
        if let expiration { tags.append(.expiration(expiration)) }
        let draft = EventDraft(
            kind: .groupEvent, tags: tags, content: Base64.encode(sealed.span), createdAt: now)
        return Event(signing: draft, with: SecretKey.generate(using: &random), using: &random)
    }

    /// Decrypts an event with the keys of the epoch the group is in, then with those before it.
    ///
    /// - Throws: `wrongKind`, `missingTag`, `badTag`, `wrongGroup`, `tooOld`, `fromFuture`, `tooLarge`, `badEncoding`,
    ///   `malformed`, or `undecryptable`, which for an event of an epoch to come is only true for now.
    public func open(
        _ event: Event, with keyring: EpochKeyring, now: Timestamp
    ) throws(MarmotError) -> OpenedEvent {
        let id = try Self.groupID(of: event)
        guard keyring.nostrGroupIDs.contains(id) else {
            throw MarmotError(.wrongGroup, "The event is for another group.")
        }
        guard event.createdAt >= now - Self.oldest else { throw MarmotError(.tooOld, "The event is too old.") }
        guard event.createdAt <= now + skew else {
            throw MarmotError(.fromFuture, "The event is from the future.")
        }
        if event.tags.contains(where: { $0.name == "encoding" }) { try event.tags.requireBase64() }
        let sealed = try bytes(of: event.content, limit: Self.longestMessage + Self.overhead)
        guard sealed.count >= Self.overhead else { throw MarmotError(.malformed, "The content is too short.") }
        let (nonce, text) = (Array(sealed.prefix(12)), Array(sealed.dropFirst(12)))
        for keys in keyring.epochs where keys.nostrGroupID == id {
            // Which epoch it is of shows by which key opens it.
            guard let encoded = try? Marmot.open(text, under: keys.groupEvent, nonce: nonce) else { continue }
            return OpenedEvent(message: try MLSMessage(zeroPadded: encoded), epoch: keys.epoch)
        }
        throw MarmotError(.undecryptable, "No key of the recent epochs opens the event.")
    }

    /// The group an event is for.
    ///
    /// - Throws: `wrongKind`, `missingTag`, or `badTag` unless exactly one `h` tag has 64 hex digits.
    static func groupID(of event: Event) throws(MarmotError) -> Bytes32 {
        guard event.kind == .groupEvent else { throw MarmotError(.wrongKind, "The event is none of a group.") }
        guard event.tags.count(where: { $0.name == "h" }) <= 1 else {
            throw MarmotError(.badTag, "The event is for several groups.")
        }
        // An id has the form of a public key.
        guard let id = try event.tags.required("h").publicKey(at: 1) else {
            throw MarmotError(.badTag, "The tag “h” is not 64 hex digits.")
        }
        return id.bytes
    }

    /// The nonce and the tag, in bytes.
    private static let overhead = 28
}
