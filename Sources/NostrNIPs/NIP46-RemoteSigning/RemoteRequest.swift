public import NostrCore

/// What an app asks a remote signer: a decrypted request.
///
/// Shape: `{"id": string, "method": string, "params": [string]}`. Source: NIP-46, "Request Events".
public struct RemoteRequest: Hashable, Sendable {
    /// The longest id taken, in bytes.
    public static let longestID = 256
    /// How many parameters are taken.
    public static let mostParameters = 16

    /// Chosen by the app; the response repeats it.
    public var id: String
    /// The method's name as it was sent; it may be one nobody knows.
    public var name: String
    /// The parameters in order.
    public var parameters: [String]

    /// A request before it is encrypted; the name and the parameters are checked by the signer that answers it.
    public init(id: String, name: String, parameters: [String]) {
        self.id = id
        self.name = name
        self.parameters = parameters
    }

    /// A request of a method that NIP-46 names.
    public init(id: String, _ method: RemoteMethod, _ parameters: [String] = []) {
        self.init(id: id, name: method.rawValue, parameters: parameters)
    }

    /// Reads the text of a request.
    ///
    /// Parameters that are not strings are taken as the JSON they are, since some apps send an event as an object and a
    /// number as a number; `null` counts as empty. Missing parameters are none.
    public init(json: [UInt8]) throws(RemoteMessageError) {
        guard let value = try? JSONValue(json), case .object = value else { throw .notAnObject }
        guard let id = value["id"]?.identifier, id.utf8.count <= Self.longestID else { throw .noID }
        guard let name = value["method"]?.string, !name.isEmpty, name.utf8.count <= 64 else { throw .noMethod(id: id) }
        let parameters = value["params"]?.elements ?? []
        guard parameters.count <= Self.mostParameters else { throw .tooManyParameters(id: id) }
        self.init(id: id, name: name, parameters: parameters.map(\.asText))
    }

    /// Asks a signer to be let in.
    ///
    /// - Parameters:
    ///   - secret: from the signer's token, if it had one.
    ///   - permissions: what the app would like to be allowed.
    ///   - metadata: what the app says of itself.
    public static func connect(
        id: String, to signer: PublicKey, secret: String?, permissions: [RemotePermission] = [],
        metadata: ClientMetadata = ClientMetadata()
    ) -> RemoteRequest {
        // Each stands at its place, so that what comes before the last must be there, if only empty.
        var parameters = [signer.hex, secret ?? "", RemotePermission.text(permissions), metadata.json]
        while parameters.count > 1, parameters.last == "" { parameters.removeLast() }
        return RemoteRequest(id: id, .connect, parameters)
    }

    /// The method, when it is one of those known.
    public var method: RemoteMethod? { RemoteMethod(rawValue: name) }

    /// A parameter; `nil` when it is absent or empty.
    public func parameter(_ index: Int) -> String? {
        guard parameters.indices.contains(index), !parameters[index].isEmpty else { return nil }
        return parameters[index]
    }

    /// As it is encrypted.
    public var json: String {
        JSONValue.object([
            JSONMember("id", .string(id)), JSONMember("method", .string(name)),
            JSONMember("params", .array(parameters.map(JSONValue.string))),
        ]).text
    }
}

extension JSONValue {
    /// A request's id: text, or a number as it is written.
    var identifier: String? {
        switch self {
        case .string(let text) where !text.isEmpty: text
        case .number(let text): text
        default: nil
        }
    }

    /// A parameter or result as the text it should have been: a string as it is, nothing for `null`, else the JSON.
    var asText: String {
        switch self {
        case .string(let text): text
        case .null: ""
        default: text
        }
    }
}

/// Why the text of a request or a response says nothing.
public enum RemoteMessageError: Error, Hashable, Sendable {
    case notAnObject
    case noID
    case noMethod(id: String)
    case tooManyParameters(id: String)
}
