public import MLS

/// Why the library refused something.
///
/// Two errors are equal when their codes are; the reason is a sentence for people who read logs, and holds neither
/// secrets nor ids.
public struct MarmotError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of refusal; more may come in later versions.
    public struct Code: Hashable, Sendable {
        let name: String
    }

    /// The kind of refusal.
    public let code: Code
    /// A sentence for a log.
    public let reason: String
    /// What MLS said, where it was MLS that refused.
    public let cause: MLSError?

    init(_ code: Code, _ reason: String, cause: MLSError? = nil) {
        (self.code, self.reason, self.cause) = (code, reason, cause)
    }

    /// The name of the code, the reason, and what MLS said.
    public var description: String {
        let text = "\(code.name): \(reason)"
        return cause.map { "\(text) (\($0))" } ?? text
    }

    /// Whether both have the same code.
    public static func == (one: MarmotError, other: MarmotError) -> Bool { one.code == other.code }
}

extension MarmotError.Code {
    /// An event or rumor of another kind.
    public static let wrongKind = Self(name: "wrongKind")
    /// A tag that must be there and is not.
    public static let missingTag = Self(name: "missingTag")
    /// A tag that does not say what it should, or stands there too often.
    public static let badTag = Self(name: "badTag")
    /// Content that is not Base64 with padding.
    public static let badEncoding = Self(name: "badEncoding")
    /// More bytes than are read or sent.
    public static let tooLarge = Self(name: "tooLarge")
    /// Bytes that are not the structure they should be.
    public static let malformed = Self(name: "malformed")
    /// A version, cipher suite or capability that Marmot does not take.
    public static let unsupported = Self(name: "unsupported")
    /// Somebody other than they claim to be.
    public static let wrongAuthor = Self(name: "wrongAuthor")
    /// A Welcome for another key package.
    public static let notForUs = Self(name: "notForUs")
    /// An event for another group.
    public static let wrongGroup = Self(name: "wrongGroup")
    /// An event older than is read.
    public static let tooOld = Self(name: "tooOld")
    /// An event from further ahead than clocks differ.
    public static let fromFuture = Self(name: "fromFuture")
    /// An event that no key of the recent epochs opens; one of an epoch to come may open later.
    public static let undecryptable = Self(name: "undecryptable")
    /// Something that only admins may do.
    public static let notAdmin = Self(name: "notAdmin")
    /// Something that nobody may do in a Marmot group.
    public static let notAllowed = Self(name: "notAllowed")
    /// A change after which no admin would be a member.
    public static let noAdminLeft = Self(name: "noAdminLeft")
    /// An admin who leaves before giving up that role.
    public static let adminMustStepDown = Self(name: "adminMustStepDown")
    /// What MLS refused, and nothing more is known of; see ``MarmotError/cause``.
    public static let refusedByMLS = Self(name: "refusedByMLS")
}

/// Does work of MLS, whose errors become ours.
func throughMLS<Value>(
    _ reason: String, _ code: MarmotError.Code = .refusedByMLS, _ work: () throws(MLSError) -> Value
) throws(MarmotError) -> Value {
    do { return try work() } catch { throw MarmotError(code, reason, cause: error) }
}
