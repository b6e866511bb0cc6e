public import NostrCore
public import NostrStore

/// Wakes browsers and UnifiedPush distributors with encrypted messages.
///
/// Source: RFC 8030, RFC 8291, RFC 8292; UnifiedPush, "Server".
public final class WebPushSender: PushSender {
    private let key: VAPIDKey
    private let network: PushNetwork
    private let connections: PushConnections
    private let metrics: PushMetrics
    private let now: @Sendable () -> Timestamp

    /// Takes the key that subscriptions are bound to.
    ///
    /// - Throws: an error of the TLS library when the network's roots cannot be read.
    public init(
        key: VAPIDKey, network: PushNetwork = PushNetwork(), metrics: PushMetrics,
        now: @escaping @Sendable () -> Timestamp
    ) throws {
        self.key = key
        self.network = network
        self.metrics = metrics
        self.now = now
        connections = try PushConnections(network, areStrangers: true)
    }

    public func close() async { await connections.close() }

    /// The whole of what a browser is told of something that is no request.
    ///
    /// It says nothing of what happened, or to whom. Source: docs/decisions/0022-notices-without-a-page.md.
    static let notice = Array("{\"notice\":true}".utf8)

    public func send(_ request: WakeRequest, to address: PushAddress) async -> PushOutcome {
        await send(request.payload(limit: WebPushEncryption.longestMessage), to: address)
    }

    public func notify(_ address: PushAddress) async -> PushOutcome { await send(Self.notice, to: address) }

    private func send(_ message: [UInt8], to address: PushAddress) async -> PushOutcome {
        let subscription: PushSubscription
        switch address {
        case .webPush(let found), .unifiedPush(let found): subscription = found
        case .apns: return .refused(status: 0, reason: "not the web's")
        }
        guard
            let endpoint = PushEndpoint(subscription.endpoint, allowsPrivate: network.allowsPrivateAddresses)
        else { return .gone(seenBefore: nil) }
        do {
            let body = try WebPushEncryption.encrypt(message, for: subscription)
            let metrics = metrics
            let response = try await connections.post(
                body, to: endpoint.text,
                headers: [
                    ("authorization", try key.authorization(for: endpoint.origin, now: now())),
                    ("content-encoding", "aes128gcm"), ("content-type", "application/octet-stream"),
                    // Later nobody waits for the answer any more.
                    ("ttl", "300"), ("urgency", "high"),
                ], retried: { metrics.count(.retried) })
            return Self.outcome(response)
        } catch is WebPushEncryption.Failure {
            return .gone(seenBefore: nil)
        } catch let failure as PushConnectionFailure {
            return .failed("\(failure)")
        } catch {
            return .failed("the token cannot be signed")
        }
    }

    /// What the answer means for the subscription.
    static func outcome(_ response: PushResponse) -> PushOutcome {
        switch response.status {
        case 200..<300: .delivered
        case 404, 410: .gone(seenBefore: nil)
        case 429, 503: .later(response.retryAfter ?? .seconds(30))
        default: .refused(status: response.status, reason: "")
        }
    }
}
