internal import NostrClient
public import NostrCore
internal import NostrNIPs

/// What a person pastes or scans to get into a circle, or to let somebody in.
///
/// Read are the code of an invitation; `whistle://invite/<code>`; an `https` link with the code behind `#`; and
/// `whistle://addmember/<key>/<circle>`. White space around and within, as line breaks of a letter, does not matter,
/// and codes may be percent-encoded. `famstr` is what Whistle's scheme was called once. Source: Whistle, "Deep Link
/// URL Schemes".
public enum CircleLink: Hashable, Sendable {
    /// An invitation to a circle.
    case invite(CircleInvite)
    /// Somebody who wants to be let in.
    case admission(CircleAdmission)

    /// The longest text read; unit: bytes.
    public static let longest = 8192

    /// Reads a text.
    ///
    /// - Throws: ``CircleLinkError``.
    public init(_ pasted: String) throws(CircleLinkError) {
        guard pasted.utf8.count <= Self.longest else { throw .tooLong }
        let text = String(pasted.filter { !$0.isWhitespace })
        guard let end = text.range(ofScheme: "://") else {
            self = .invite(try Self.readText(text))
            return
        }
        let rest = text[end.upperBound...]
        switch text[..<end.lowerBound].lowercased() {
        case "whistle", "famstr": self = try Self.readPath(rest)
        case "https", "http":
            guard let mark = rest.firstIndex(of: "#") else { throw .notALink }
            self = .invite(try Self.readText(String(rest[rest.index(after: mark)...])))
        default: throw .notALink
        }
    }

    private static func readPath(_ rest: Substring) throws(CircleLinkError) -> CircleLink {
        let path = rest.prefix { $0 != "?" && $0 != "#" }
        let host = path.prefix { $0 != "/" }
        let value = path[host.endIndex...].dropFirst()
        switch host.lowercased() {
        case "invite": return .invite(try readCode(value))
        case "addmember": return .admission(try readAdmission(value))
        default: throw .notALink
        }
    }

    /// Reads a text that may be a code, and may be anything.
    private static func readText(_ text: String) throws(CircleLinkError) -> CircleInvite {
        do { return try readCode(text[...]) } catch .damaged {
            // Every code is JSON, and so begins with the Base64 of `{"`.
            throw text.hasPrefix("eyJ") ? .damaged : .notALink
        }
    }

    private static func readCode(_ code: Substring) throws(CircleLinkError) -> CircleInvite {
        guard let plain = PercentEncoding.decode(code), let json = InviteCode.decode(plain) else { throw .damaged }
        return try CircleInvite(json)
    }

    private static func readAdmission(_ path: Substring) throws(CircleLinkError) -> CircleAdmission {
        let parts = path.split(separator: "/").compactMap { PercentEncoding.decode($0) }
        guard let key = parts.first.flatMap(ProfilePointer.init(pasted:))?.key else { throw .noPerson }
        guard parts.count > 1, let admission = CircleAdmission(applicant: key, circle: CircleID(hex: parts[1])?.bytes)
        else {
            throw .noCircle
        }
        return admission
    }
}

extension String {
    /// Where the end of a URL's scheme is, if letters stand before it.
    fileprivate func range(ofScheme end: String) -> Range<Index>? {
        let start = prefix { $0.isASCII && $0.isLetter }.endIndex
        guard start > startIndex, self[start...].hasPrefix(end) else { return nil }
        return start..<index(start, offsetBy: end.count)
    }
}

/// Somebody who asks an admin, by a link they handed over, to be let into a circle; their key package is on relays.
///
/// Shape: `whistle://addmember/<key in hex>/<circle in hex>`. Source: Whistle, "Approval URL".
public struct CircleAdmission: Hashable, Sendable {
    /// Who asks.
    public let applicant: PublicKey
    /// The id of the circle in MLS; 1 to 64 bytes.
    public let circle: [UInt8]

    /// Whoever made the link claims both; nil for an id that has not 1 to 64 bytes.
    public init?(applicant: PublicKey, circle: [UInt8]?) {
        guard let circle, (1...64).contains(circle.count) else { return nil }
        (self.applicant, self.circle) = (applicant, circle)
    }

    /// The link.
    public var link: String { "whistle://addmember/\(applicant.hex)/\(encodeHex(circle))" }
}

/// Why a text leads into no circle.
public enum CircleLinkError: Error, Hashable, Sendable {
    /// It is longer than any.
    case tooLong
    /// It is something else.
    case notALink
    /// It begins as an invitation does, and cannot be read.
    case damaged
    /// It names no relay that can be used.
    case noRelay
    /// It names no person.
    case noPerson
    /// It names no circle.
    case noCircle
}
