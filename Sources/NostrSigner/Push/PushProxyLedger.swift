public import NostrCore

/// What one account wants its push proxy to know, and what the proxy has been told: a queue that cannot be lost, since
/// whatever differs is still to be told.
///
/// Pure; whoever drives it sends ``pendingCalls(pairings:now:)``, says what became of them, and keeps the ledger on disk.
public struct PushProxyLedger: Hashable, Sendable, Codable {
    /// A device that is to be woken.
    public enum Device: Hashable, Sendable, Codable {
        /// One of Apple's; the token is hex.
        case apns(token: String)
        /// A browser, or a machine that receives Web Push itself.
        case webPush(endpoint: String, key: String, secret: String)
        /// A distributor's endpoint of UnifiedPush.
        case unifiedPush(endpoint: String, key: String, secret: String)
    }

    /// Something the proxy is to be told.
    public enum Call: Hashable, Sendable {
        case register(Device)
        case unregister(Device)
        case pair(PublicKey, [RelayURL])
        case unpair(PublicKey)
    }

    /// How many calls are worked on at a time.
    public static let most = 10
    /// After how long a device registers again.
    public static let again = Duration.seconds(30 * 60)
    /// After how long what failed is tried again.
    public static let retry = Duration.seconds(60)

    /// The proxy's address, without a slash at the end.
    public let proxy: String
    /// The devices to be woken.
    public private(set) var devices: [Device] = []
    /// Devices that the proxy still has to forget.
    public private(set) var leaving: [Device] = []
    /// The apps it was told, by their keys in hex, with their relays.
    public private(set) var told: [String: [String]] = [:]
    /// Apps it would not take, with the relays it was told; tried again when another is unpaired.
    private var refused: [String: [String]] = [:]
    /// When each device registered last; seconds since 1970.
    private var registered: [Device: Int64] = [:]
    /// When a call last failed; `nil` when none did since.
    private var failed: Int64?

    /// Nothing is wanted yet.
    public init(proxy: String) {
        self.proxy = proxy.hasSuffix("/") ? String(proxy.dropLast()) : proxy
    }

    /// Whether neither a device is to be woken nor anything to be taken back.
    public var isEmpty: Bool { devices.isEmpty && leaving.isEmpty && told.isEmpty }

    /// Whether a browser is to be woken.
    public var hasBrowsers: Bool { devices.contains { if case .webPush = $0 { true } else { false } } }

    /// A device is to be woken from now on.
    public mutating func add(_ device: Device) {
        leaving.removeAll { $0 == device }
        if !devices.contains(device) { devices.append(device) }
        registered[device] = nil
    }

    /// A device is to be woken no longer.
    public mutating func remove(_ device: Device) {
        guard let index = devices.firstIndex(of: device) else { return }
        devices.remove(at: index)
        registered[device] = nil
        leaving.append(device)
    }

    /// The program has just started: devices register again, and what failed before is tried at once.
    public mutating func start() {
        registered = [:]
        failed = nil
    }

    /// What is to be told now, at most ``most``; nothing for a minute after a failure.
    ///
    /// - Parameter pairings: the apps the account is paired with and the relays their requests come over.
    public func pendingCalls(pairings: [PublicKey: [RelayURL]], now: Timestamp) -> [Call] {
        if let failed, now < Timestamp(seconds: failed) + Self.retry { return [] }
        var calls = leaving.map(Call.unregister)
        calls += devices.filter { isDue($0, now) }.map(Call.register)
        // Without a device nothing is watched for, so no app is named either.
        let wanted = devices.isEmpty ? [:] : pairings.filter { !$0.value.isEmpty }
        calls += told.keys.sorted().compactMap { hex in
            // What is no key was never told.
            guard let app = try? PublicKey(hex: hex), wanted[app] == nil else { return nil }
            return .unpair(app)
        }
        for (app, relays) in wanted.sorted(by: { $0.key.hex < $1.key.hex }) {
            let texts = Self.texts(relays)
            if told[app.hex] != texts, refused[app.hex] != texts { calls.append(.pair(app, relays)) }
        }
        return Array(calls.prefix(Self.most))
    }

    /// When something may be due next if nothing changes; `nil` when nothing will be.
    public func next(pairings: [PublicKey: [RelayURL]], now: Timestamp) -> Timestamp? {
        if let failed { return Timestamp(seconds: failed) + Self.retry }
        if !pendingCalls(pairings: pairings, now: now).isEmpty { return now }
        return devices.compactMap { registered[$0] }.min().map { Timestamp(seconds: $0) + Self.again }
    }

    /// The proxy did it.
    public mutating func done(_ call: Call, now: Timestamp) {
        failed = nil
        switch call {
        case .register(let device): registered[device] = now.seconds
        case .unregister(let device): leaving.removeAll { $0 == device }
        case .pair(let app, let relays):
            told[app.hex] = Self.texts(relays)
            refused[app.hex] = nil
        case .unpair(let app):
            told[app.hex] = nil
            // There may be a place for another now.
            refused = [:]
        }
    }

    /// The proxy will never do it, or not before something else changes.
    public mutating func refuse(_ call: Call, now: Timestamp) {
        switch call {
        case .register(let device):
            devices.removeAll { $0 == device }
            registered[device] = nil
        case .pair(let app, let relays): refused[app.hex] = Self.texts(relays)
        case .unregister, .unpair: done(call, now: now)
        }
    }

    /// The proxy could not be reached, or was not well.
    public mutating func fail(now: Timestamp) {
        failed = now.seconds
    }

    private func isDue(_ device: Device, _ now: Timestamp) -> Bool {
        registered[device].map { now >= Timestamp(seconds: $0) + Self.again } ?? true
    }

    private static func texts(_ relays: [RelayURL]) -> [String] { Set(relays.map(\.text)).sorted() }
}

extension PushProxyLedger.Call {
    /// The request that tells it.
    public func request(at proxy: String) -> PushProxyRequest {
        switch self {
        case .register(.apns(let token)): .register(token: token, at: proxy)
        case .register(.webPush(let endpoint, let key, let secret)):
            .register(endpoint: endpoint, key: key, secret: secret, at: proxy)
        case .register(.unifiedPush(let endpoint, let key, let secret)):
            .register(endpoint: endpoint, key: key, secret: secret, isUnifiedPush: true, at: proxy)
        case .unregister(.apns(let token)): .unregister(token: token, at: proxy)
        case .unregister(.webPush(let endpoint, let key, let secret)):
            .unregister(endpoint: endpoint, key: key, secret: secret, at: proxy)
        case .unregister(.unifiedPush(let endpoint, let key, let secret)):
            .unregister(endpoint: endpoint, key: key, secret: secret, isUnifiedPush: true, at: proxy)
        case .pair(let app, let relays): .pair(app, relays: relays, at: proxy)
        case .unpair(let app): .unpair(app, at: proxy)
        }
    }
}
