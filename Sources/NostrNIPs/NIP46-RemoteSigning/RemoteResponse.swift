/// What a remote signer answers: a decrypted response.
///
/// Shape: `{"id": string, "result": string?, "error": string?}`; both are always written, the one that is not there as
/// `null`: some apps do not read a response without one of them, and some take any text in `result` for a success.
/// Source: NIP-46, "Response Events".
public struct RemoteResponse: Hashable, Sendable {
    /// The id of the request.
    public var id: String
    /// The result; empty with an error, and then written as `null`.
    public var result: String
    /// What went wrong, or where to go when ``result`` is `auth_url`.
    public var error: String?

    /// A response before it is encrypted; with an error the result is best empty.
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

    /// Reads the text of a response.
    ///
    /// A result that is no string is taken as the JSON it is, `null` as empty; an error may be an object with a
    /// `message`, as JSON-RPC has it; an empty error, `null` and `false` are none.
    public init(json: [UInt8]) throws(RemoteMessageError) {
        guard let value = try? JSONValue(json), case .object = value else { throw .notAnObject }
        guard let id = value["id"]?.identifier, id.utf8.count <= RemoteRequest.longestID else { throw .noID }
        self.init(id: id, result: value["result"]?.asText ?? "", error: value["error"].flatMap(Self.problem))
    }

    /// Whether the signer wants the person to go somewhere first, whatever it says of where.
    public var isChallenge: Bool { result == "auth_url" && error != nil }

    /// The page of an authentication challenge, when it is one that a browser may be sent to.
    ///
    /// Shape: `https://…` or `http://…`, at most 2000 bytes of printable ASCII.
    public var challengePage: String? {
        guard isChallenge, let page = error, page.utf8.count <= 2000,
            page.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let lowered = page.lowercased()
        return ["https://", "http://"].contains { lowered.hasPrefix($0) && lowered.utf8.count > $0.utf8.count }
            ? page : nil
    }

    /// As it is encrypted.
    public var json: String {
        let result: JSONValue = error != nil && self.result.isEmpty ? .null : .string(self.result)
        return JSONValue.object([
            JSONMember("id", .string(id)), JSONMember("result", result),
            JSONMember("error", error.map(JSONValue.string) ?? .null),
        ]).text
    }

    private static func problem(_ value: JSONValue) -> String? {
        switch value {
        case .null, .bool(false): return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .object: return value["message"]?.string ?? value.text
        default: return value.text
        }
    }
}
