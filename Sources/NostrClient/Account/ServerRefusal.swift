internal import NostrNIPs

/// Why a media server did not do what it was asked: a code, and the facts that go with it.
public struct ServerRefusal: Error, Hashable, Sendable, Codable {
    /// What went wrong; grows.
    public enum Code: String, Hashable, Sendable, Codable {
        /// The address is none that is contacted.
        case notAllowed
        /// Nobody answers there.
        case unreachable
        /// Not in time.
        case timedOut
        /// The answer leads elsewhere, which is not followed.
        case redirected
        /// The connection ended before all was said.
        case brokenOff
        /// The server cannot make sense of the request (400, 411).
        case malformed
        /// The token is not enough (401).
        case unauthorized
        /// It wants to be paid (402).
        case paymentRequired
        /// It does not do that for this account (403).
        case forbidden
        /// It has no such blob, or cannot do that (404, 405).
        case notThere
        /// The bytes that arrived are others (409).
        case conflict
        /// The file is too large (413).
        case tooLarge
        /// Files of this type are not taken (415).
        case wrongType
        /// Too many requests (429).
        case tooMany
        /// The server failed (5xx).
        case failed
        /// What it says it has, or gave, has another hash.
        case wrongHash
        /// What it answered makes no sense.
        case wrongAnswer
    }

    /// What went wrong.
    public var code: Code
    /// The HTTP status, where there was one.
    public var status: Int?
    /// What the server says about it, for people only: it decides nothing.
    public var reason: String?
    /// What it wants to be paid, as an invoice of Lightning.
    public var invoice: String?
    /// What it wants to be paid, as a request of Cashu.
    public var cashu: String?

    /// A refusal that asks for no payment; ``invoice`` and ``cashu`` are set where the server named a price.
    public init(_ code: Code, status: Int? = nil, reason: String? = nil) {
        self.code = code
        self.status = status
        self.reason = reason
    }

    /// Reads an answer; `nil` for one that says yes.
    public init?(_ answer: BlobAnswer) {
        if (200..<300).contains(answer.status) { return nil }
        self.init(Self.code(answer.status), status: answer.status)
        reason = (answer.headers["x-reason"] ?? Self.message(answer)).map { String($0.prefix(300)) }
        guard code == .paymentRequired else { return }
        invoice = answer.headers["x-lightning"].map { String($0.prefix(4000)) }
        cashu = answer.headers["x-cashu"].map { String($0.prefix(4000)) }
    }

    /// What servers say that do not know `X-Reason`: the message in a JSON object.
    private static func message(_ answer: BlobAnswer) -> String? {
        guard answer.body.first == UInt8(ascii: "{"), answer.body.count <= 4096,
            // What is no JSON says nothing.
            let object = try? JSONValue(answer.body)
        else { return nil }
        return (object["message"] ?? object["error"])?.string
    }

    /// Whether the same may succeed later without anything being changed.
    public var mayPass: Bool {
        switch code {
        case .unreachable, .timedOut, .brokenOff, .tooMany, .failed: true
        case .notAllowed, .redirected, .malformed, .unauthorized, .paymentRequired, .forbidden, .notThere, .conflict,
            .tooLarge, .wrongType, .wrongHash, .wrongAnswer:
            false
        }
    }

    /// Whether a server that does not copy a file from another may take its bytes all the same.
    ///
    /// Servers say in many ways that they copy nothing, not from there, or failed to: with any status of 400 and above.
    var mayTakeBytes: Bool {
        switch code {
        case .notThere, .malformed, .forbidden, .conflict, .failed, .timedOut, .wrongHash, .wrongAnswer: true
        case .notAllowed, .unreachable, .redirected, .brokenOff, .unauthorized, .paymentRequired, .tooLarge, .wrongType,
            .tooMany:
            false
        }
    }

    private static func code(_ status: Int) -> Code {
        switch status {
        case 300..<400: .redirected
        case 401: .unauthorized
        case 402: .paymentRequired
        case 403: .forbidden
        case 404, 405, 410, 501: .notThere
        case 409: .conflict
        case 413: .tooLarge
        case 415: .wrongType
        case 429: .tooMany
        case 400..<500: .malformed
        default: .failed
        }
    }
}
