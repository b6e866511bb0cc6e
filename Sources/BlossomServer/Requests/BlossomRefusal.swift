internal import HTTPTypes
internal import NostrNIPs

/// Why a request is refused: a status, and words for people.
struct BlossomRefusal: Error {
    let status: HTTPResponse.Status
    /// One line of ASCII, as headers are.
    let reason: String
    /// When to come again, in seconds.
    var retryAfter: Int?
    /// The methods there are, where another was used.
    var allowed: String?

    init(_ status: HTTPResponse.Status, _ reason: String, retryAfter: Int? = nil, allowed: String? = nil) {
        (self.status, self.reason, self.retryAfter, self.allowed) = (status, reason, retryAfter, allowed)
    }

    /// What a token that permits nothing is answered.
    init(_ refusal: BlobAuthorization.Refusal) {
        self.init(.unauthorized, Self.words(refusal))
    }

    static func tooLarge(_ limit: Int) -> BlossomRefusal {
        BlossomRefusal(.contentTooLarge, "This server takes blobs of at most \(limit) bytes.")
    }

    static func overQuota(_ quota: Int?) -> BlossomRefusal {
        BlossomRefusal(
            .tooManyRequests, "You may have \(quota ?? 0) bytes here and would have more: delete something first.")
    }

    static func wrongType(_ type: String) -> BlossomRefusal {
        // The type was read, so it is a short token.
        BlossomRefusal(.unsupportedMediaType, "This server takes no blobs of type \(type).")
    }

    static let strangers = BlossomRefusal(.forbidden, "You are not among those who may bring blobs here.")
    static let full = BlossomRefusal(.serviceUnavailable, "This server has no room for more.", retryAfter: 3600)
    static let failed = BlossomRefusal(.serviceUnavailable, "This server cannot reach what it keeps.", retryAfter: 60)

    private static func words(_ refusal: BlobAuthorization.Refusal) -> String {
        switch refusal {
        case .malformed: "The authorization is no Nostr event (BUD-11)."
        case .forged: "The authorization has a wrong id or signature."
        case .wrongKind: "The authorization is of another kind than 24242."
        case .notYet: "The authorization is dated in the future."
        case .noExpiration: "The authorization does not say when it expires."
        case .expired: "The authorization has expired."
        case .wrongAction: "The authorization is for something else: its t tag does not fit."
        case .otherServer: "The authorization is for another server."
        case .otherBlob: "The authorization is not for this blob: none of its x tags fits."
        }
    }
}
