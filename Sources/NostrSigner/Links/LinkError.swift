/// Why a signer link gets no result.
///
/// Source: NIP-155, "Error Semantics".
public struct LinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, in the words apps know.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The person said no, or nothing in time.
        case userCancelled = "user_cancelled"
        /// A rule said no.
        case permissionDenied = "permission_denied"
        /// Something is missing or broken.
        case invalidRequest = "invalid_request"
        /// A method that links do not have.
        case unsupportedMethod = "unsupported_method"
        /// More than a link may carry.
        case payloadTooLarge = "payload_too_large"
        /// There is no key here.
        case notLoggedIn = "not_logged_in"
        /// Too many links from one app, or from all together.
        case rateLimited = "rate_limited"
        /// The signer's own fault.
        case internalError = "internal_error"
    }

    /// What went wrong.
    public let code: Code
    /// One plain sentence; it goes to the app, so it never holds what was signed or decrypted.
    public let reason: String

    /// An error that goes back to the app.
    public init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }

    /// The sentence.
    public var description: String { reason }

    /// A request that was refused, by this rule.
    init(_ rule: Rule) {
        self =
            switch rule {
            case .person: LinkError(.userCancelled, "The request was refused.")
            case .unanswered: LinkError(.userCancelled, "Nobody answered in time.")
            case .tooOften: LinkError(.rateLimited, "Too many requests within the hour.")
            case .locked: LinkError(.notLoggedIn, "The key is locked.")
            case .invalid: LinkError(.invalidRequest, "The request cannot be understood.")
            case .repeated: LinkError(.invalidRequest, "The request was made before.")
            case .harmless, .notPaired, .trust, .protectedKind, .grant, .grantExpired, .outsideHours, .paused,
                .losesEntries, .reachesServer:
                LinkError(.permissionDenied, "The signer does not allow this.")
            }
    }

    /// What the signer itself could not do.
    init(_ error: SigningServiceError) {
        self =
            switch error.code {
            case .locked: LinkError(.notLoggedIn, "The key is locked.")
            default: LinkError(.internalError, "The signer could not do it.")
            }
    }
}
