internal import NostrNIPs

/// What apps are told when there is no result: the `error` of a response (NIP-46).
///
/// These texts are part of the protocol, for apps and those who write them: some apps compare them, so they are made here
/// and never translated. A log shows them as what the app was told; what a person reads besides is in `ViewModels/Words`.
enum WireError {
    /// The person said no.
    static let person = "user rejected"
    static let notPaired = "Client is not paired; send connect with a valid secret first"
    static let wrongSecret = "Invalid or missing secret"
    static let otherSigner = "This connect is meant for another signer"
    static let tooManyWaiting = "Too many requests are waiting for the user"
    static let timedOut = "The signer could not do it in time"
    static let answerTooLong = "The answer is longer than what this app is known to read"
    static let unknownMethod = "Unsupported method"
    static let noMethod = "The request has no method"
    static let tooManyParameters = "The request has too many parameters"
    static func unknownMethod(_ name: String) -> String { "\(unknownMethod): \(name)" }
    static let noEvent = "sign_event needs an event"
    static let unreadableEvent = "The event to sign cannot be read"
    static let noPeer = "The first parameter is no public key"
    static let nothingToEncrypt = "There is nothing to encrypt"
    static let nothingToDecrypt = "There is nothing to decrypt"
    static let noSignedEvent = "The first parameter is no signed event"
    static let notByLink = "This cannot be asked for by a link"
    static let cannotDo = "This signer cannot do that"
    static let signedOtherwise = "The signer gave another event"
    static let noPrivateZap = "This is no private zap of this account"
    static let failed = "The signer could not do it"

    /// The text for a key that did not do it.
    static func of(_ failure: SigningFailure) -> String {
        switch failure {
        case .locked: "The key is locked; unlock the account first."
        case .readOnly: "This account can only read."
        case .refused: person
        case .timedOut: timedOut
        case .cannotEncrypt: "This signer cannot encrypt or decrypt."
        case .unreachable: "The signer cannot be reached: none of its relays answers."
        case .noPage: "The key is in your browser; open a page of Linnet there."
        case .wrongAnswer: "The signer returned something other than what it was asked for."
        case .said(let words): "The signer says: \(words)"
        }
    }

    /// The text for something that was not encrypted or decrypted.
    static func of(_ failure: PayloadError) -> String {
        switch failure {
        case .empty: nothingToEncrypt
        case .tooLong(let limit): "The text is longer than \(limit) bytes"
        case .unknownVersion: "The text was encrypted in a way this signer does not know"
        case .wrongLength, .malformed: "The text is not encrypted, or a part of it is missing"
        case .wrongKey: "The text was encrypted with another key, or it is damaged"
        case .invalidPadding, .notText: "What was encrypted is not well formed"
        case .notAPublicKey: noPeer
        }
    }

    /// The text for a rule that refuses.
    static func of(_ rule: Rule) -> String {
        switch rule {
        case .notPaired: notPaired
        case .grant: "user rejected: not allowed for this app"
        case .unanswered: "Nobody answered in time"
        case .repeated: "This request was made before"
        default: person
        }
    }
}
