internal import Crypto
public import NostrCore

/// A zap request whose sender and message only two people can read.
///
/// The request (kind 9734) is signed with a key made for it alone; its `anon` tag holds an event of kind 9733, signed by
/// the real sender, encrypted as NIP-04 encrypts but written `pzap1…_iv1…`, both Bech32. No NIP describes it: this is
/// what Amethyst and Amber do, and what `decrypt_zap_event` (NIP-55) is for. Source: NIP-57, "Appendix D", for the tag.
public struct PrivateZap: Hashable, Sendable {
    /// The kind of the event inside.
    public static let messageKind: Kind = 9733
    /// The longest encrypted part read, in characters.
    public static let longest = 64 * 1024

    /// The request as it was signed.
    public let request: Event
    /// Who was zapped.
    public let recipient: PublicKey
    /// What of theirs was zapped, if one thing was.
    public let post: EventID?
    /// The encrypted part in the form of NIP-04.
    public let payload: String

    /// Takes a request that holds a private part.
    ///
    /// - Throws: ``PrivateZapError``.
    public init(_ request: Event) throws(PrivateZapError) {
        guard request.kind == ZapRequest.kind else { throw .notAZapRequest }
        guard let recipient = Self.recipient(request.tags) else { throw .noRecipient }
        guard let part = request.tags.first(where: { $0.name == "anon" })?.value, !part.isEmpty else {
            throw .notPrivate
        }
        guard let payload = Self.payload(of: part) else { throw .malformed }
        self.request = request
        self.recipient = recipient
        self.payload = payload
        post = Self.post(request.tags)
    }

    /// The key made for this request: with it and the recipient's the encrypted part opens.
    public var oneTimeKey: PublicKey { request.pubkey }

    /// Checks what the encrypted part held.
    ///
    /// The receiver of a private zap holds an event signed by its sender, and could put it into a zap of somebody else;
    /// so what it names must be what the request names.
    ///
    /// - Throws: ``PrivateZapError/notAMessage`` or ``PrivateZapError/forSomethingElse``.
    public func message(_ text: String) throws(PrivateZapError) -> Event {
        // Why it is no event is of no use to anybody: it was encrypted for us and cannot be shown.
        guard let raw = try? UnverifiedEvent(json: Array(text.utf8)), let message = try? Event(verifying: raw),
            message.kind == Self.messageKind
        else { throw .notAMessage }
        guard Self.recipient(message.tags) == recipient, Self.post(message.tags) == post else {
            throw .forSomethingElse
        }
        return message
    }

    /// Reads the private part as the one who was zapped, or as the one who zapped.
    ///
    /// - Throws: ``PrivateZapError``, also when it is somebody else's.
    public func message(with key: borrowing SecretKey) throws(PrivateZapError) -> Event {
        do {
            if key.publicKey == recipient {
                return try message(LegacyEncryption.decrypt(payload, between: key, and: oneTimeKey))
            }
            let own = try Self.oneTimeKey(of: key, for: post, recipient, at: request.createdAt)
            guard own.publicKey == oneTimeKey else { throw PrivateZapError.notOurs }
            return try message(LegacyEncryption.decrypt(payload, between: own, and: recipient))
        } catch let error as PrivateZapError {
            throw error
        } catch {
            throw .unreadable
        }
    }

    /// Makes the request of a private zap.
    ///
    /// - Parameters:
    ///   - draft: the request, with its `p` tag, maybe an `e` tag, relays and amount, as it would be without a secret.
    ///   - key: the sender's.
    /// - Throws: ``PrivateZapError/noRecipient``, or ``PrivateZapError/malformed`` for a message that is too long.
    public static func request(
        _ draft: EventDraft, by key: borrowing SecretKey, using random: inout some RandomNumberGenerator
    ) throws(PrivateZapError) -> Event {
        let tags = draft.tags.filter { $0.name != "anon" }
        guard let recipient = recipient(tags) else { throw .noRecipient }
        var inner = draft
        inner.kind = messageKind
        inner.tags = tags
        let message = Event(signing: inner, with: key, using: &random)
        let text = String(decoding: message.json, as: UTF8.self)
        do {
            let own = try oneTimeKey(of: key, for: post(tags), recipient, at: draft.createdAt)
            let payload = try LegacyEncryption.encrypt(text, between: own, and: recipient, using: &random)
            guard let part = part(of: payload), part.utf8.count <= longest else { throw PrivateZapError.malformed }
            let outer = EventDraft(
                kind: ZapRequest.kind, tags: tags + [Tag(["anon", part])], content: "", createdAt: draft.createdAt)
            return Event(signing: outer, with: own, using: &random)
        } catch {
            throw .malformed
        }
    }

    /// The key of one request: SHA-256 of the sender's key in hex, what is zapped, and the moment in decimal.
    private static func oneTimeKey(
        of key: borrowing SecretKey, for post: EventID?, _ recipient: PublicKey, at moment: Timestamp
    ) throws(SecretKeyError) -> SecretKey {
        var hash = SHA256()
        key.withBytes { bytes in
            // Digit by digit, so that no text of the key is left behind.
            for index in bytes.indices { hash.update(data: Array(encodeHex([bytes[index]]).utf8)) }
        }
        hash.update(data: Array((post?.hex ?? recipient.hex).utf8))
        hash.update(data: Array("\(moment.seconds)".utf8))
        let digest = Array(hash.finalize())
        return try SecretKey(digest.span)
    }

    private static func recipient(_ tags: [Tag]) -> PublicKey? { tags.first { $0.name == "p" }?.publicKey(at: 1) }

    private static func post(_ tags: [Tag]) -> EventID? { tags.first { $0.name == "e" }?.eventID(at: 1) }

    /// `pzap1…_iv1…` as NIP-04 writes the same.
    private static func payload(of part: String) -> String? {
        let halves = part.split(separator: "_", omittingEmptySubsequences: false)
        guard halves.count == 2, let cipher = try? bech32Decode(String(halves[0]), maxLength: longest),
            let vector = try? bech32Decode(String(halves[1])), cipher.prefix == "pzap", vector.prefix == "iv",
            vector.bytes.count == 16, !cipher.bytes.isEmpty, cipher.bytes.count % 16 == 0
        else { return nil }
        return Base64.encode(cipher.bytes.span) + "?iv=" + Base64.encode(vector.bytes.span)
    }

    private static func part(of payload: String) -> String? {
        let text = payload.utf8
        guard let cipher = Base64.decode(String(decoding: text.dropLast(28), as: UTF8.self)),
            let vector = Base64.decode(String(decoding: text.suffix(24), as: UTF8.self))
        else { return nil }
        return bech32Encode(prefix: "pzap", bytes: cipher) + "_" + bech32Encode(prefix: "iv", bytes: vector)
    }
}

/// Why a private zap cannot be read.
public enum PrivateZapError: Error, Hashable, Sendable {
    /// It is no zap request.
    case notAZapRequest
    /// It names nobody who was zapped.
    case noRecipient
    /// It is a zap for all to see, or one without a name.
    case notPrivate
    /// Its private part has another form.
    case malformed
    /// It is between two other people.
    case notOurs
    /// Its private part does not decrypt.
    case unreadable
    /// What was encrypted is no signed event of kind 9733.
    case notAMessage
    /// What was encrypted belongs to another zap.
    case forSomethingElse
}
