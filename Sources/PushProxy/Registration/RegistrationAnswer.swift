/// A request to the API, as far as it matters.
struct RegistrationRequest: Sendable {
    /// For example `POST`.
    var method: String
    /// Without a query.
    var path: String
    /// The value of `X-Clave-Auth`, else of `Authorization`.
    var authorization: String?
    /// The whole body; `nil` when it was too long to be read.
    var body: [UInt8]?
    /// The network address it came from.
    var address: String
}

/// What the API answers.
struct RegistrationAnswer: Hashable, Sendable {
    var status: Int
    var body: String
    var contentType = "application/json"
    /// After how many seconds it may be tried again.
    var retryAfter: Int?

    static let ok = RegistrationAnswer(status: 200, body: #"{"ok":true}"#)
    static let notFound = failure(404, "not_found")
    static let busy = RegistrationAnswer(status: 429, body: #"{"error":"rate_limited"}"#, retryAfter: 10)
    static let unavailable = RegistrationAnswer(status: 503, body: #"{"error":"unavailable"}"#, retryAfter: 5)

    /// A refusal by its code, with further members of the object.
    static func failure(_ status: Int, _ code: String, _ more: String = "") -> RegistrationAnswer {
        RegistrationAnswer(status: status, body: "{\"error\":\"\(code)\"\(more)}")
    }
}
