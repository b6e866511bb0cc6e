public import NostrCore
internal import NostrNIPs

/// What a signer asks of the push proxy that wakes it: pure requests, to be signed with the account's key and posted.
///
/// Paths and bodies are those Clave's app and `linnet push-proxy` speak.
public struct PushProxyRequest: Hashable, Sendable {
    /// The absolute address to post to.
    public let url: String
    /// The body, JSON.
    public let body: [UInt8]

    /// Registers a device of Apple's push service.
    ///
    /// - Parameter token: the device's token in hex.
    public static func register(token: String, at proxy: String) -> PushProxyRequest {
        PushProxyRequest(proxy, "/register", .object([JSONMember("token", .string(token))]))
    }

    /// Registers a browser's subscription, as its `PushSubscription` gives it.
    ///
    /// - Parameters:
    ///   - key: `p256dh`, in Base64 of either alphabet.
    ///   - secret: `auth`, likewise.
    ///   - isUnifiedPush: whether it is a UnifiedPush distributor's.
    public static func register(
        endpoint: String, key: String, secret: String, isUnifiedPush: Bool = false, at proxy: String
    ) -> PushProxyRequest {
        PushProxyRequest(proxy, "/register", subscription(endpoint, key, secret, isUnifiedPush))
    }

    /// Forgets a device of Apple's push service.
    public static func unregister(token: String, at proxy: String) -> PushProxyRequest {
        PushProxyRequest(proxy, "/unregister", .object([JSONMember("token", .string(token))]))
    }

    /// Forgets one browser's subscription, or a UnifiedPush distributor's.
    public static func unregister(
        endpoint: String, key: String, secret: String, isUnifiedPush: Bool = false, at proxy: String
    ) -> PushProxyRequest {
        PushProxyRequest(proxy, "/unregister", subscription(endpoint, key, secret, isUnifiedPush))
    }

    private static func subscription(
        _ endpoint: String, _ key: String, _ secret: String, _ isUnifiedPush: Bool
    ) -> JSONValue {
        .object([
            JSONMember("kind", .string(isUnifiedPush ? "unifiedpush" : "webpush")),
            JSONMember("endpoint", .string(endpoint)),
            JSONMember("keys", .object([JSONMember("p256dh", .string(key)), JSONMember("auth", .string(secret))])),
        ])
    }

    /// Forgets all of the account's devices.
    public static func unregisterAll(at proxy: String) -> PushProxyRequest {
        PushProxyRequest(proxy, "/unregister", .object([]))
    }

    /// Has the account's browsers told that something happened, without saying what; a proxy of Linnet's alone knows it.
    public static func notify(at proxy: String) -> PushProxyRequest {
        PushProxyRequest(proxy, "/notify", .object([]))
    }

    /// Names an app the account has paired with, and the relays its requests come over, at most ten.
    public static func pair(_ client: PublicKey, relays: [RelayURL], at proxy: String) -> PushProxyRequest {
        PushProxyRequest(
            proxy, "/pair-client",
            .object([
                JSONMember("client_pubkey", .string(client.hex)),
                JSONMember("relay_urls", .array(relays.prefix(10).map { .string($0.text) })),
            ]))
    }

    /// Takes an app's name back.
    public static func unpair(_ client: PublicKey, at proxy: String) -> PushProxyRequest {
        PushProxyRequest(proxy, "/unpair-client", .object([JSONMember("client_pubkey", .string(client.hex))]))
    }

    /// The event that proves whose request it is, to be signed by the account (NIP-98).
    ///
    /// - Parameter nonce: drawn for each request. An event's moment is a whole second: without it the same request made
    ///   twice within one is the same event, and a proxy takes the second for a replay.
    public func authorization(createdAt: Timestamp, nonce: String) -> EventDraft {
        var draft = HTTPAuth.draft(url: url, method: "POST", body: body, createdAt: createdAt)
        draft.tags.append(["nonce", nonce])
        return draft
    }

    /// The headers that carry the signed event: the standard one, and the one Clave's proxy reads.
    public static func headers(_ signed: Event) -> [(name: String, value: String)] {
        let value = HTTPAuth.header(signed)
        return [("Authorization", value), ("X-Clave-Auth", value), ("Content-Type", "application/json")]
    }

    /// - Parameter proxy: its address; a slash at the end is dropped.
    private init(_ proxy: String, _ path: String, _ body: JSONValue) {
        url = (proxy.hasSuffix("/") ? String(proxy.dropLast()) : proxy) + path
        self.body = body.json
    }
}
