public import NostrCore

extension PublicKey {
    /// The key as people copy it: `npub1…`.
    ///
    /// Source: NIP-19.
    public var npub: String { bech32Encode(prefix: "npub", bytes: bytes.array) }

    /// Parses an `npub1…`.
    ///
    /// - Throws: ``EntityError``.
    public init(npub: String) throws(EntityError) {
        guard case .npub(let key) = try NostrEntity(npub) else { throw .unknownPrefix(String(npub.prefix(5))) }
        self = key
    }
}

extension EventID {
    /// The id as people copy it: `note1…`.
    ///
    /// Source: NIP-19.
    public var note: String { bech32Encode(prefix: "note", bytes: bytes.array) }
}

extension ProfilePointer {
    /// Reads whatever a person pastes for a person: hex, `npub`, `nprofile`, with `nostr:` or `@` before it.
    public init?(pasted text: String) {
        var code = text.trimmingWhiteSpace()
        if code.first == "@" { code = String(code.dropFirst()) }
        if code.lowercased().hasPrefix("nostr:") { code = String(code.dropFirst(6)) }
        // What is neither hex nor a code is nothing a person can be found by; the caller goes on to other readings.
        if let key = try? PublicKey(hex: code.lowercased()) {
            self.init(key: key)
            return
        }
        switch try? NostrEntity(code) {
        case .npub(let key): self.init(key: key)
        case .nprofile(let pointer): self = pointer
        default: return nil
        }
    }
}

extension SecretKey {
    /// Parses an `nsec1…`.
    ///
    /// - Throws: ``EntityError``, which never carries the text.
    public static func parse(nsec: String) throws(EntityError) -> SecretKey {
        let decoded: Bech32Text
        do {
            decoded = try bech32Decode(nsec, maxLength: 100)
        } catch {
            throw .notBech32(error)
        }
        guard decoded.prefix == "nsec" else { throw .unknownPrefix(decoded.prefix) }
        let bytes = decoded.bytes
        guard bytes.count == 32 else { throw .wrongLength }
        do {
            return try SecretKey(bytes.span)
        } catch {
            throw .notASecretKey
        }
    }

    /// Reads whatever a person pastes for their secret: `nsec1…` or 64 hex characters, white space around allowed.
    ///
    /// - Throws: ``EntityError``, which never carries the text.
    public static func parse(pasted text: String) throws(EntityError) -> SecretKey {
        let code = text.trimmingWhiteSpace()
        // Text that is no hex key is read as a code; that error is the one a person can use.
        if let key = try? SecretKey(hex: code.lowercased()) { return key }
        return try parse(nsec: code)
    }

    /// The secret as people copy it: `nsec1…`.
    ///
    /// Anybody who reads it can write in this person's name.
    ///
    /// Source: NIP-19.
    public borrowing func exportNsec() -> String {
        withBytes { bech32Encode(prefix: "nsec", bytes: bytes(of: $0)) }
    }

    /// The secret as 64 lowercase hex characters.
    public borrowing func exportHex() -> String {
        withBytes { encodeHex($0) }
    }
}

/// A copy of lent bytes.
func bytes(of span: Span<UInt8>) -> [UInt8] {
    span.indices.map { span[$0] }
}

extension StringProtocol {
    /// The text without white space around it.
    func trimmingWhiteSpace() -> String {
        guard let start = firstIndex(where: { !$0.isWhitespace }), let end = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[start...end])
    }
}
