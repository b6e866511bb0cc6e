public import NostrCore

/// Has a push proxy wake browsers when a request comes for an account's signer.
///
/// Every failure it throws is a ``Trouble``.
public protocol BrowserWaking: Sendable {
    /// Who wakes them: the proxy's host, as people see it.
    var proxyName: String { get }
    /// The minute of the day by the clock on the wall of this machine, which quiet hours are told by.
    var minuteOfDay: Int { get }
    /// The key that browsers' subscriptions are bound to (VAPID): an uncompressed point in URL-safe Base64.
    func pushKey() async throws -> String
    /// Has a browser woken for requests to an account.
    func wake(_ browser: BrowserSubscription, for account: PublicKey) async throws
    /// Has it woken no longer.
    func forget(_ browser: BrowserSubscription, for account: PublicKey) async throws
}

/// How a browser is reached by its push service, as its `PushSubscription` says (Push API, RFC 8291).
public struct BrowserSubscription: Hashable, Sendable {
    /// Where messages are posted: an `https` address, which is a secret of the browser.
    public let endpoint: String
    /// Its public key (`p256dh`), in URL-safe Base64.
    public let key: String
    /// Its shared secret (`auth`), likewise.
    public let secret: String

    /// Reads what a browser said; `nil` for what no browser says.
    public init?(endpoint: String, key: String, secret: String) {
        let isBase64 = { (text: String, most: Int) in
            (1...most).contains(text.utf8.count)
                && text.utf8.allSatisfy { byte in
                    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "-_".utf8.contains(byte)
                }
        }
        guard endpoint.hasPrefix("https://"), endpoint.utf8.count <= 1000,
            endpoint.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), isBase64(key, 120), isBase64(secret, 40)
        else { return nil }
        self.endpoint = endpoint
        self.key = key
        self.secret = secret
    }
}
