/// What a remote signer answers: a decrypted response.
///
/// Shape: `{"id": string, "result": string, "error": string?}`; `result` is always written, since some apps do not read
/// a response without it. Source: NIP-46, "Response Events".
public struct RemoteResponse: Hashable, Sendable {
    /// The id of the request.
    public var id: String
    /// The result; empty with an error.
    public var result: String
    /// What went wrong, or where to go when ``result`` is `auth_url`.
    public var error: String?

    /// Takes all.
    public init(id: String, result: String, error: String? = nil) {
        self.id = id
        self.result = result
        self.error = error
    }

    /// A refusal.
    public init(id: String, error: String) {
        self.init(id: id, result: "", error: error)
    }

    /// Asks the person to go to a page; a second response with the same id follows (NIP-46, "Auth Challenges").
    public static func challenge(id: String, page: String) -> RemoteResponse {
        RemoteResponse(id: id, result: "auth_url", error: page)
    }

    /// Reads the text of a response; a result that is no string is taken as the JSON it is, `null` as empty.
    public init(json: [UInt8]) throws(RemoteMessageError) {
        guard let value = try? JSONValue(json), case .object = value else { throw .notAnObject }
        guard let id = value["id"]?.string, !id.isEmpty else { throw .noID }
        let result = value["result"].map { $0.string ?? ($0 == .null ? "" : $0.text) } ?? ""
        let error = value["error"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        self.init(id: id, result: result, error: error)
    }

    /// The page of an authentication challenge.
    public var challengePage: String? { result == "auth_url" ? error : nil }

    /// As it is encrypted.
    public var json: String {
        var members = [JSONMember("id", .string(id)), JSONMember("result", .string(result))]
        if let error { members.append(JSONMember("error", .string(error))) }
        return JSONValue.object(members).text
    }
}
