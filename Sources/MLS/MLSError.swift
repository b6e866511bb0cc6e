/// Why the library refused something.
///
/// Two errors are equal when their codes are; the reason is for people who read logs, and holds no secret.
public struct MLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of refusal; more may come in later versions.
    public struct Code: Hashable, Sendable {
        let name: String
    }

    /// The kind of refusal.
    public let code: Code
    /// A sentence for a log.
    public let reason: String

    init(_ code: Code, _ reason: String = "") {
        self.code = code
        self.reason = reason
    }

    /// The name of the code and the reason.
    public var description: String { reason.isEmpty ? code.name : "\(code.name): \(reason)" }

    /// Whether both have the same code.
    public static func == (one: MLSError, other: MLSError) -> Bool { one.code == other.code }
}

extension MLSError {
    /// What storage throws when a group is not as a change expects it.

    /// What a structure of the application's own throws for bytes that are none.
    package static func malformed(_ reason: String) -> MLSError { MLSError(.malformed, reason) }
}

extension MLSError.Code {
    /// Bytes that are not the structure they should be.
    public static let malformed = Self(name: "malformed")
    /// Bytes after the end of a structure.
    public static let trailingBytes = Self(name: "trailingBytes")
    /// Something larger or deeper than the limits allow.
    public static let limitExceeded = Self(name: "limitExceeded")
    /// A cipher suite, version or type this library does not speak.
    public static let unsupported = Self(name: "unsupported")
    /// Bytes that are no key of the cipher suite.
    public static let invalidKey = Self(name: "invalidKey")
    /// A signature that does not verify.
    public static let badSignature = Self(name: "badSignature")
    /// A confirmation or membership tag that does not match.
    public static let badTag = Self(name: "badTag")
    /// A ciphertext that does not open.
    public static let decryptionFailed = Self(name: "decryptionFailed")
    /// A ratchet tree that breaks a rule of RFC 9420 §7 or §12.4.3.
    public static let invalidTree = Self(name: "invalidTree")
    /// A leaf node that breaks a rule of RFC 9420 §7.3.
    public static let invalidLeafNode = Self(name: "invalidLeafNode")
    /// A key package that breaks a rule of RFC 9420 §10.1.
    public static let invalidKeyPackage = Self(name: "invalidKeyPackage")
    /// A proposal, or list of them, that breaks a rule of RFC 9420 §12.1 or §12.2.
    public static let invalidProposal = Self(name: "invalidProposal")
    /// A commit that breaks a rule of RFC 9420 §12.4.
    public static let invalidCommit = Self(name: "invalidCommit")
    /// A Welcome or GroupInfo that breaks a rule of RFC 9420 §12.4.3.
    public static let invalidWelcome = Self(name: "invalidWelcome")
    /// A message for another group.
    public static let wrongGroup = Self(name: "wrongGroup")
    /// A message for an epoch whose keys are not here.
    public static let wrongEpoch = Self(name: "wrongEpoch")
    /// A sender who is not in the group.
    public static let unknownSender = Self(name: "unknownSender")
    /// A generation whose key was used or deleted.
    public static let keyConsumed = Self(name: "keyConsumed")
    /// A generation further ahead than the limits allow.
    public static let tooFarAhead = Self(name: "tooFarAhead")
    /// A pre-shared key that is not here.
    public static let missingPSK = Self(name: "missingPSK")
    /// A proposal that a commit names and that is not here; the commit can be followed once it is.
    public static let missingProposal = Self(name: "missingProposal")
    /// A proposal from somebody of whom as many wait as are kept; it can be read later, if a commit names it.
    public static let tooManyProposals = Self(name: "tooManyProposals")
    /// A private key that is not here.
    public static let missingKey = Self(name: "missingKey")
    /// The caller's policy said no.
    public static let refusedByPolicy = Self(name: "refusedByPolicy")
    /// A message of a kind that does not belong here.
    public static let unexpectedMessage = Self(name: "unexpectedMessage")
}
