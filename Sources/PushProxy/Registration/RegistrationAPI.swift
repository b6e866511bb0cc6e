internal import AsyncPrimitives
internal import Crypto
public import Logging
public import NostrCore
internal import NostrNIPs
public import NostrStore
internal import Synchronization

/// The API that signers register with, as Clave's app speaks it: devices, paired apps, health.
///
/// Every change is signed by the key it is for (NIP-98), counts once, and is durable before it is acknowledged.
public final class RegistrationAPI: Sendable {
    private struct Meters {
        var addresses: TokenBuckets<String>
        var keys: TokenBuckets<PublicKey>
    }

    /// How long a signed request is remembered, so that it counts once; twice the tolerance of NIP-98 at least.
    static let memory: Duration = .seconds(180)

    let settings: RegistrationSettings
    private let registry: any PushRegistry
    private let service: WakeService
    private let vapid: VAPIDKey?
    private let apns: Bool
    private let time: Time<Timestamp>
    private let log: Logger
    private let meters: Mutex<Meters>

    /// Takes the registry that the service reads.
    ///
    /// - Parameters:
    ///   - vapid: the key that browsers' subscriptions are bound to; without it they are refused.
    ///   - wakesApple: whether Apple's devices can be woken; else they are refused.
    public init(
        settings: RegistrationSettings, registry: any PushRegistry, service: WakeService, vapid: VAPIDKey?,
        wakesApple: Bool, clock: any Clock<Duration> = ContinuousClock(), now: @escaping @Sendable () -> Timestamp,
        log: Logger
    ) {
        self.settings = settings
        self.registry = registry
        self.service = service
        self.vapid = vapid
        apns = wakesApple
        time = Time(clock: clock, now: now)
        self.log = log
        meters = Mutex(
            Meters(
                addresses: TokenBuckets(settings.perAddress, capacity: 20_000),
                keys: TokenBuckets(settings.perKey, capacity: 20_000)))
    }

    /// Answers one request.
    func answer(_ request: RegistrationRequest) async -> RegistrationAnswer {
        switch (request.method, request.path) {
        case ("GET", "/health"): return await health()
        case ("GET", "/metrics"): return await metrics()
        case ("GET", "/healthz"): return RegistrationAnswer(status: 200, body: "ok\n", contentType: "text/plain")
        case ("GET", "/vapid"):
            guard let vapid else { return .notFound }
            return RegistrationAnswer(status: 200, body: "{\"public_key\":\"\(vapid.publicKey)\"}")
        case ("POST", "/register"), ("POST", "/unregister"), ("POST", "/pair-client"), ("POST", "/unpair-client"),
            ("POST", "/notify"):
            return await change(request)
        default: return .notFound
        }
    }

    // MARK: - Changes

    private func change(_ request: RegistrationRequest) async -> RegistrationAnswer {
        guard meters.withLock({ $0.addresses.spend(Self.network(of: request.address), now: time.uptime()) }) else {
            service.metrics.count(.tooMany)
            return .busy
        }
        guard let body = request.body, body.count <= settings.longestBody else {
            return .failure(413, "body_too_large")
        }
        do {
            let author = try await author(of: request, body)
            let answer = try await change(request.path, body, by: author, from: Self.network(of: request.address))
            if answer.status == 200 { service.registryChanged() }
            return answer
        } catch let problem as BodyProblem {
            return .failure(400, problem.code)
        } catch let refusal as HTTPAuth.Refusal {
            service.metrics.count(.unauthorized)
            return .failure(401, Self.code(refusal))
        } catch let refusal as Refusal {
            service.metrics.count(refusal == .replayed ? .unauthorized : .tooMany)
            return refusal == .replayed ? .failure(401, "replayed") : .busy
        } catch {
            service.metrics.count(.registryFailures)
            log.error("a registration could not be kept")
            return .unavailable
        }
    }

    private enum Refusal: Error { case replayed, tooMany }

    /// Who signed the request.
    private func author(of request: RegistrationRequest, _ body: [UInt8]) async throws -> PublicKey {
        guard let header = request.authorization else { throw HTTPAuth.Refusal.malformed }
        let event = try HTTPAuth.check(
            header: header, url: settings.publicURL + request.path, method: request.method, body: body,
            needsPayload: !body.isEmpty, now: time.now())
        guard meters.withLock({ $0.keys.spend(event.pubkey, now: time.uptime()) }) else { throw Refusal.tooMany }
        let isFirst = try await registry.claim(
            [try Self.mark(of: event)], for: .authorization, until: time.now() + Self.memory)
        guard !isFirst.isEmpty else { throw Refusal.replayed }
        return event.pubkey
    }

    /// What a request is remembered by: its signature, which nobody but its author can make another of.
    ///
    /// The id is not enough: an event's moment is a whole second, so an app that asks for the same twice within one makes
    /// the same event, and both count. A copy of a request has its signature too, and does not.
    private static func mark(of event: Event) throws -> EventID {
        EventID(try Bytes32(Array(SHA256.hash(data: event.id.bytes.array + event.signature.bytes.array)).span))
    }

    private func change(
        _ path: String, _ bytes: [UInt8], by signer: PublicKey, from network: String
    ) async throws -> RegistrationAnswer {
        let body = try RegistrationBodies.object(bytes, allowsEmpty: path == "/unregister")
        switch path {
        case "/register": return try await register(body, signer)
        case "/unregister": return try await unregister(body, signer)
        case "/pair-client": return try await pair(body, signer, network)
        case "/notify":
            _ = try await service.notify(signer)
            return .ok
        default:
            try await registry.unpair(RegistrationBodies.client(body), of: signer)
            service.metrics.count(.unpaired)
            return .ok
        }
    }

    private func register(_ body: JSONValue, _ signer: PublicKey) async throws -> RegistrationAnswer {
        let address = try RegistrationBodies.address(body, allowsPrivate: settings.allowsPrivateAddresses)
        switch address {
        case .apns: guard apns else { return .failure(400, "unsupported_kind") }
        case .webPush, .unifiedPush: guard vapid != nil else { return .failure(400, "unsupported_kind") }
        }
        try await registry.register(
            PushDevice(signer: signer, address: address, lastSeen: time.now()), quota: settings.quota)
        service.metrics.count(.registered)
        return .ok
    }

    private func unregister(_ body: JSONValue, _ signer: PublicKey) async throws -> RegistrationAnswer {
        if let identity = try RegistrationBodies.identity(body) {
            try await registry.unregister(identity, of: signer)
        } else {
            for device in try await registry.devices(of: [signer])[signer] ?? [] {
                try await registry.unregister(device.address.identity, of: signer)
            }
        }
        service.metrics.count(.withdrawn)
        return .ok
    }

    private func pair(_ body: JSONValue, _ signer: PublicKey, _ network: String) async throws -> RegistrationAnswer {
        let client = try RegistrationBodies.client(body)
        let relays = try RegistrationBodies.relays(
            body, limit: settings.relaysPerPairing, allowsPrivate: settings.allowsPrivateAddresses)
        let pairing = PushPairing(
            signer: signer, client: client, relays: relays, network: PushNetworkID(of: network))
        switch try await registry.pair(pairing, quota: settings.quota, now: time.now()) {
        case .paired:
            service.metrics.count(.paired)
            return .ok
        case .tooManyClients(let limit, let used):
            return .failure(409, "pairing_limit", ",\"limit\":\(limit),\"used\":\(used)")
        case .tooManyNovelRelays(let limit): return .failure(409, "novel_relay_quota", ",\"limit\":\(limit)")
        }
    }

    private static func code(_ refusal: HTTPAuth.Refusal) -> String {
        switch refusal {
        case .malformed: "invalid_auth"
        case .forged: "invalid_signature"
        case .wrongKind: "wrong_kind"
        case .wrongMoment: "stale_auth"
        case .wrongURL: "wrong_url"
        case .wrongMethod: "wrong_method"
        case .wrongPayload: "wrong_payload"
        }
    }

    /// Whose allowance a request uses: an IPv4 address, or the /64 network an IPv6 address is in.
    ///
    /// What is no address, as a proxy may write it, has one allowance for all. The form stays: registries keep digests of
    /// it (``/NostrStore/PushNetworkID``).
    static func network(of address: String) -> String {
        switch IPAddress(address)?.network {
        case .v4(let number): [24, 16, 8, 0].map { "\(number >> $0 & 0xFF)" }.joined(separator: ".")
        case .v6(let groups): groups.prefix(4).map { String($0, radix: 16) }.joined(separator: ":")
        case nil: "unknown"
        }
    }

    // MARK: - Looking

    private func health() async -> RegistrationAnswer {
        // A registry that cannot count is not well.
        guard let counts = try? await registry.counts() else { return .unavailable }
        let metrics = service.metrics
        let heard = metrics.lastEvent.map { "\($0.seconds)" } ?? "null"
        let relay = settings.publicRelay.map { quotedJSON($0.text) } ?? "null"
        return RegistrationAnswer(
            status: 200,
            body: """
                {"ok":true,"total_tokens":\(counts.devices),"unique_pubkeys":\(counts.signers),\
                "last_event_received_at":\(heard),"uptime_seconds":\(Int64(time.uptime() / .seconds(1))),\
                "public_relay":\(relay),"apns":{"enabled":\(apns),"sendOk":\(metrics.value(.delivered)),\
                "sendFail":\(metrics.value(.failed) + metrics.value(.refused)),\
                "sendRetried":\(metrics.value(.retried)),"pruneOn410":\(metrics.value(.gone410)),\
                "pruneOn400":\(metrics.value(.bad400)),"sessionAlive":\(metrics.apnsSince != nil),\
                "sessionAgeSeconds":\(metrics.apnsSince.map { time.now().seconds - $0.seconds } ?? 0)},\
                "relays_live":\(service.relaysLive)}
                """)
    }

    private func metrics() async -> RegistrationAnswer {
        var gauges: [(name: String, help: String, value: Double)] = [
            ("linnet_push_relays_live", "Relays listened to.", Double(service.relaysLive)),
            ("linnet_push_relays_left_out", "Relays of pairings there is no place for.", Double(service.relaysLeftOut)),
            (
                "linnet_push_slowest_seconds", "The slowest event to push since this was asked before.",
                service.metrics.takeSlowest() / .seconds(1)
            ),
        ]
        // A registry that cannot count now shows in /health; the other numbers are still worth having.
        if let counts = try? await registry.counts() {
            gauges.append(("linnet_push_devices", "Devices registered.", Double(counts.devices)))
            gauges.append(("linnet_push_signers", "Signers with a device.", Double(counts.signers)))
            gauges.append(("linnet_push_pairings", "Apps paired.", Double(counts.pairings)))
        }
        return RegistrationAnswer(
            status: 200, body: service.metrics.text(gauges: gauges), contentType: "text/plain; version=0.0.4")
    }
}

extension PushNetworkID {
    /// The number of a network, in the form in which allowances are counted.
    init(of network: String) {
        let digest = Array(SHA256.hash(data: Array(network.utf8)))
        self.init(rawValue: UInt16(digest[0]) << 8 | UInt16(digest[1]))
    }
}
