internal import Crypto
public import NostrCore
internal import NostrNIPs
public import NostrStore
internal import Synchronization

/// Who we are to Apple's push service, and where it is.
public struct APNSConfiguration: Sendable {
    /// The signing key as Apple gives it: PKCS #8 in PEM.
    public var keyPEM: String
    /// The key's ten characters.
    public var keyID: String
    /// The team's ten characters.
    public var teamID: String
    /// The app's bundle identifier.
    public var topic: String
    /// `https://api.push.apple.com`, or the sandbox.
    public var origin = "https://api.push.apple.com"

    /// What Apple gives a provider: the `.p8` key and its id, the team's id, and the app's bundle id as topic.
    public init(keyPEM: String, keyID: String, teamID: String, topic: String) {
        self.keyPEM = keyPEM
        self.keyID = keyID
        self.teamID = teamID
        self.topic = topic
    }
}

/// Wakes Apple's devices: HTTP/2 with a provider token, as Clave's app expects the payload.
///
/// Source: Apple, "Sending notification requests to APNs" and "Handling notification responses from APNs".
public final class APNSSender: PushSender {
    /// The longest payload of an alert, in bytes.
    static let longestPayload = 4096
    /// How long a token is used; Apple takes none older than an hour and wants no new one within twenty minutes.
    static let tokenLifetime: Duration = .seconds(50 * 60)
    /// What makes the notification extension run without showing anything by itself.
    private static let aps = """
        "aps":{"mutable-content":1,"interruption-level":"passive","alert":{"title":" ","body":" "}},
        """

    private let configuration: APNSConfiguration
    private let key: P256.Signing.PrivateKey
    private let connections: PushConnections
    private let metrics: PushMetrics
    private let now: @Sendable () -> Timestamp
    private let token = Mutex<(text: String, since: Timestamp)?>(nil)

    /// Reads the key.
    ///
    /// - Parameter clock: what deadlines run on.
    /// - Throws: an error of swift-crypto when the key is none.
    public init(
        _ configuration: APNSConfiguration, network: PushNetwork = PushNetwork(), metrics: PushMetrics,
        clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Timestamp
    ) throws {
        self.configuration = configuration
        self.metrics = metrics
        self.now = now
        key = try P256.Signing.PrivateKey(pemRepresentation: configuration.keyPEM)
        // The operator named this service; nobody else's address is asked for here.
        connections = try PushConnections(network, areStrangers: false, clock: clock)
    }

    public func close() async { await connections.close() }

    public func send(_ request: WakeRequest, to address: PushAddress) async -> PushOutcome {
        guard case .apns(let device) = address else { return .refused(status: 0, reason: "not Apple's") }
        let payload = request.payload(before: Self.aps, limit: Self.longestPayload)
        do {
            let outcome = try await post(payload, to: device)
            guard case .refused(403, "ExpiredProviderToken") = outcome, dropToken() else { return outcome }
            return try await post(payload, to: device)
        } catch let failure as PushConnectionFailure {
            metrics.apnsAnswered(false, at: now())
            return .failed("\(failure)")
        } catch {
            return .failed("the provider token cannot be signed")
        }
    }

    /// Apple's devices are woken for requests alone, by a payload that their app knows.
    public func notify(_ address: PushAddress) async -> PushOutcome {
        .refused(status: 0, reason: "told of requests only")
    }

    private func post(_ payload: [UInt8], to device: String) async throws -> PushOutcome {
        let metrics = metrics
        let response = try await connections.post(
            payload, to: "\(configuration.origin)/3/device/\(device)",
            headers: [
                ("authorization", "bearer \(try providerToken())"), ("apns-topic", configuration.topic),
                ("apns-push-type", "alert"), ("apns-priority", "10"),
                // Later nobody waits for the answer any more.
                ("apns-expiration", "\((now() + .seconds(300)).seconds)"), ("content-type", "application/json"),
            ], retried: { metrics.count(.retried) })
        metrics.apnsAnswered(true, at: now())
        let outcome = Self.outcome(response)
        if case .gone = outcome { metrics.count(response.status == 410 ? .gone410 : .bad400) }
        return outcome
    }

    /// What Apple's answer means for the device.
    static func outcome(_ response: PushResponse) -> PushOutcome {
        if response.status == 200 { return .delivered }
        // A body that is no JSON gives no reason.
        let answer = try? JSONValue(response.body)
        let reason = answer?["reason"]?.string ?? ""
        switch (response.status, reason) {
        case (410, _):
            // In milliseconds: when Apple learned that the token was gone.
            return .gone(seenBefore: answer?["timestamp"]?.integer.map { $0 / 1000 })
        case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): return .gone(seenBefore: nil)
        case (429, _), (503, _): return .later(response.retryAfter ?? .seconds(30))
        default: return .refused(status: response.status, reason: String(reason.prefix(40)))
        }
    }

    private func providerToken() throws -> String {
        let moment = now()
        if let token = token.withLock({ $0 }), moment < token.since + Self.tokenLifetime { return token.text }
        let fresh = try SignedToken.make(
            header: "{\"alg\":\"ES256\",\"kid\":\(quotedJSON(configuration.keyID))}",
            claims: "{\"iss\":\(quotedJSON(configuration.teamID)),\"iat\":\(moment.seconds)}", key: key)
        token.withLock { $0 = (fresh, moment) }
        return fresh
    }

    /// Forgets the token, unless it was made just now: then another would not help.
    private func dropToken() -> Bool {
        let moment = now()
        return token.withLock { token in
            guard let since = token?.since, moment > since + .seconds(60) else { return false }
            token = nil
            return true
        }
    }
}
