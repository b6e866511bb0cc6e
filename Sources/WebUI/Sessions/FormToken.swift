internal import NostrCore

/// The word that a form of one session must carry (CSRF).
struct FormToken: Hashable, Sendable {
    /// The word itself; it stands in no page that is packed.
    let secret: String
    /// What a page shows of it: the word, or for a page that may be packed another text each time.
    let word: String

    init(secret: String) {
        self.secret = secret
        word = secret
    }

    private init(secret: String, masked: String) {
        self.secret = secret
        word = masked
    }

    /// The same word, to be shown as noise and the word mixed with it, both in hex.
    ///
    /// Whoever can have their own text put into a packed page, and see how long it gets, would otherwise guess the word
    /// letter by letter (BREACH).
    func masked() -> FormToken {
        var random = SystemRandomNumberGenerator()
        let noise = randomBytes(secret.utf8.count, using: &random)
        let mixed = zip(noise, secret.utf8).map { $0 ^ $1 }
        return FormToken(secret: secret, masked: encodeHex(noise) + encodeHex(mixed))
    }

    /// Whether a form carries the word, as it is or masked.
    func isCarried(by text: String) -> Bool {
        if isSame(text, secret) { return true }
        guard let bytes = try? decodeHex(text, byteCount: secret.utf8.count * 2) else { return false }
        let unmixed = zip(bytes.prefix(bytes.count / 2), bytes.suffix(bytes.count / 2)).map { $0 ^ $1 }
        return isSame(String(decoding: unmixed, as: UTF8.self), secret)
    }

    /// The hidden field of a form.
    var field: HTML { hidden("csrf", word) }
}
