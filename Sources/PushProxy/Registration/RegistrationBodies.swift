internal import Crypto
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// A refusal while a body is read.
struct BodyProblem: Error, Equatable {
    let code: String
}

/// What the bodies of the API say.
enum RegistrationBodies {
    /// The device of `/register` and `/unregister`.
    ///
    /// Shape: `{"token": hex}` for Apple's devices, as Clave's app sends it; with `"kind": "webpush"` or
    /// `"unifiedpush"` a browser's subscription instead: `"endpoint"`, and `"keys": {"p256dh", "auth"}` in Base64.
    static func address(_ body: JSONValue, allowsPrivate: Bool) throws(BodyProblem) -> PushAddress {
        switch body["kind"]?.string ?? "apns" {
        case "apns": return .apns(token: try token(body))
        case "webpush": return .webPush(try subscription(body, allowsPrivate))
        case "unifiedpush": return .unifiedPush(try subscription(body, allowsPrivate))
        default: throw BodyProblem(code: "invalid_kind")
        }
    }

    /// The identity of a device to be forgotten, keys need not be named; `nil` for all of the signer's.
    static func identity(_ body: JSONValue) throws(BodyProblem) -> String? {
        if body["token"] == nil, body["endpoint"] == nil { return nil }
        switch body["kind"]?.string ?? "apns" {
        case "apns": return PushAddress.apns(token: try token(body)).identity
        case let kind where kind == "webpush" || kind == "unifiedpush":
            guard let endpoint = body["endpoint"]?.string else { throw BodyProblem(code: "invalid_endpoint") }
            let subscription = PushSubscription(endpoint: endpoint, publicKey: [], secret: [])
            return (kind == "webpush" ? PushAddress.webPush(subscription) : .unifiedPush(subscription)).identity
        default: throw BodyProblem(code: "invalid_kind")
        }
    }

    /// The client of `/pair-client` and `/unpair-client`.
    static func client(_ body: JSONValue) throws(BodyProblem) -> PublicKey {
        // Why it is no key does not matter.
        guard let text = body["client_pubkey"]?.string, let key = try? PublicKey(hex: text) else {
            throw BodyProblem(code: "invalid_client_pubkey")
        }
        return key
    }

    /// The relays of `/pair-client`.
    static func relays(_ body: JSONValue, limit: Int, allowsPrivate: Bool) throws(BodyProblem) -> Set<RelayURL> {
        guard case .array(let values)? = body["relay_urls"] else { throw BodyProblem(code: "invalid_relay_urls") }
        guard !values.isEmpty else { throw BodyProblem(code: "no_relays") }
        guard values.count <= limit else { throw BodyProblem(code: "relay_limit_per_pair") }
        var relays: Set<RelayURL> = []
        for value in values {
            // Why it is no address does not matter.
            guard let text = value.string, let relay = try? RelayURL(text), allowsPrivate || !relay.isPrivate else {
                throw BodyProblem(code: "invalid_relay_url")
            }
            relays.insert(relay)
        }
        return relays
    }

    /// A body as an object; an empty one is an empty object where that is allowed.
    static func object(_ bytes: [UInt8], allowsEmpty: Bool = false) throws(BodyProblem) -> JSONValue {
        if bytes.isEmpty, allowsEmpty { return .object([]) }
        guard let body = try? JSONValue(bytes, depth: 4), case .object = body else {
            throw BodyProblem(code: "invalid_body")
        }
        return body
    }

    private static func token(_ body: JSONValue) throws(BodyProblem) -> String {
        // Apple says that tokens may grow; today they are 32 bytes.
        guard let text = body["token"]?.string?.lowercased(), (32...400).contains(text.utf8.count),
            (try? decodeHex(text, byteCount: text.utf8.count / 2)) != nil
        else { throw BodyProblem(code: "invalid_token") }
        return text
    }

    private static func subscription(_ body: JSONValue, _ allowsPrivate: Bool) throws(BodyProblem) -> PushSubscription {
        guard let text = body["endpoint"]?.string, PushEndpoint(text, allowsPrivate: allowsPrivate) != nil else {
            throw BodyProblem(code: "invalid_endpoint")
        }
        guard let key = body["keys"]?["p256dh"]?.string.flatMap(Base64URL.decode), key.count == 65,
            (try? P256.KeyAgreement.PublicKey(x963Representation: key)) != nil,
            let secret = body["keys"]?["auth"]?.string.flatMap(Base64URL.decode), secret.count == 16
        else { throw BodyProblem(code: "invalid_keys") }
        return PushSubscription(endpoint: text, publicKey: key, secret: secret)
    }
}
