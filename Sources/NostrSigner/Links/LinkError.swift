/// Why a signer link gets no result: a code that apps know, and what is behind it.
///
/// Source: NIP-155, "Error Semantics".
public struct LinkError: Error, Hashable, Sendable {
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
    /// What is behind it; never what was signed or decrypted, since it goes to the app.
    public let cause: Cause

    /// An error of this signer.
    public init(_ cause: Cause) {
        self.init(cause.code, cause)
    }

    /// An error as another signer told it.
    init(_ code: Code, _ cause: Cause) {
        self.code = code
        self.cause = cause
    }
}

extension LinkError {
    /// What is behind an error; grows.
    public enum Cause: Hashable, Sendable {
        // The link
        /// It is no signer link.
        case notALink
        /// It is longer than links may be; unit: bytes.
        case linkTooLong(limit: Int)
        /// Its id is longer than ids may be; unit: bytes.
        case idTooLong(limit: Int)
        /// Its payload is longer than payloads may be; unit: bytes.
        case payloadTooLong(limit: Int)
        /// A parameter is not there.
        case missing(String)
        /// A parameter is something else than it has to be.
        case wrong(String, Form)
        /// Answers cannot go where it says.
        case callback(LinkCallback.Problem)
        /// A version of the standard that is not known here, as the link names it, at most eight characters.
        case version(String)
        /// A method that links do not have.
        case method
        /// A packed payload cannot be unpacked.
        case packing
        /// The same came before, with the same id.
        case repeated

        // How many come
        /// More links within a minute than are taken.
        case tooManyLinks
        /// As many requests wait as may.
        case tooManyWaiting

        // The pasteboard
        /// There is none that could be read.
        case noPasteboard
        /// It could not be read now.
        case pasteboardUnreadable
        /// Nothing lies under the link's token.
        case pasteboardEmpty
        /// It could not be written.
        case pasteboardUnwritable

        // The signer
        /// There is no account with a key here.
        case noAccount
        /// The key of the person the link names is not here.
        case otherUser
        /// The account's key is not here.
        case noKey
        /// Nobody chose an account.
        case noChoice
        /// A rule, or the person, said no.
        case refused(Rule)
        /// The key is locked.
        case locked
        /// It cannot be done with what was given.
        case impossible
        /// The result does not fit into a URL.
        case resultTooLong
        /// The signer gave something else than a signature of the account.
        case noSignature
        /// The signer could not do it.
        case failed

        // Another signer
        /// Its answer cannot be read.
        case answerUnreadable
        /// What it said itself, at most 200 characters.
        case said(String)
    }

    /// What a parameter has to be.
    public enum Form: Hashable, Sendable {
        /// A public key in hex.
        case key
        /// A JSON object.
        case object
        /// A JSON array.
        case array
        /// The name of something on the pasteboard.
        case token
        /// `none` or `gzip`.
        case compression
        /// Something that this method can return.
        case returnable(by: String)
    }
}

extension LinkError.Cause {
    /// The code that apps are told.
    var code: LinkError.Code {
        switch self {
        case .notALink, .idTooLong, .missing, .wrong, .callback, .version, .packing, .repeated, .noPasteboard,
            .pasteboardEmpty, .impossible:
            .invalidRequest
        case .method: .unsupportedMethod
        case .linkTooLong, .payloadTooLong, .resultTooLong: .payloadTooLarge
        case .tooManyLinks, .tooManyWaiting: .rateLimited
        case .noAccount, .noKey, .locked: .notLoggedIn
        case .otherUser: .permissionDenied
        case .refused(let rule): rule.linkCode
        case .pasteboardUnreadable, .pasteboardUnwritable, .noChoice, .noSignature, .failed, .answerUnreadable, .said:
            .internalError
        }
    }
}

extension Rule {
    fileprivate var linkCode: LinkError.Code {
        switch self {
        case .person, .unanswered: .userCancelled
        case .tooOften: .rateLimited
        case .locked: .notLoggedIn
        case .invalid, .repeated: .invalidRequest
        case .harmless, .notPaired, .trust, .protectedKind, .grant, .grantExpired, .outsideHours, .paused,
            .losesEntries, .reachesServer:
            .permissionDenied
        }
    }
}
