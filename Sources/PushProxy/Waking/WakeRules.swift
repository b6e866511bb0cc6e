public import AsyncPrimitives
internal import NostrCore

/// How often requests may wake a signer's devices, and which are too old.
public struct WakeLimits: Hashable, Sendable {
    /// Each paired app, for each of its signers.
    public var pairedClient = TokenRate(burst: 30, refill: .seconds(1))
    /// Each app that is not paired; one that pairs sends a few.
    public var strangeClient = TokenRate(burst: 3, refill: .seconds(20))
    /// All apps together that are not paired, for each signer: strangers cannot use up what paired apps have.
    public var strangersOfSigner = TokenRate(burst: 6, refill: .seconds(10))
    /// Each signer in all.
    public var signer = TokenRate(burst: 60, refill: .milliseconds(500))
    /// How far a request's own time may be from now, both ways; older ones may be replays.
    public var freshness: Duration = .seconds(300)

    /// The defaults.
    public init() {}
}

/// Decides which requests wake a signer; a value without socket, clock or disk.
struct WakeRules: Sendable {
    /// Why a request wakes nobody.
    enum Refusal: String, Hashable, CaseIterable, Sendable {
        case notARequest, stale, repeated, unregistered, limited, claimedElsewhere
    }

    private struct Pair: Hashable {
        let client: PublicKey
        let signer: PublicKey
    }

    private let limits: WakeLimits
    private var seen: BoundedSet<EventID>
    private var paired: TokenBuckets<Pair>
    private var strange: TokenBuckets<Pair>
    private var strangers: TokenBuckets<PublicKey>
    private var signers: TokenBuckets<PublicKey>

    /// - Parameter capacity: how many ids, apps and signers are remembered at most, each.
    init(_ limits: WakeLimits, capacity: Int = 65_536) {
        self.limits = limits
        seen = BoundedSet(capacity: capacity)
        paired = TokenBuckets(limits.pairedClient, capacity: capacity)
        strange = TokenBuckets(limits.strangeClient, capacity: capacity)
        strangers = TokenBuckets(limits.strangersOfSigner, capacity: capacity)
        signers = TokenBuckets(limits.signer, capacity: capacity)
    }

    /// Judges what an event says by itself.
    func request(
        _ event: Event, from relay: RelayURL, known publicRelay: RelayURL? = nil, now: Timestamp
    ) -> Result<WakeRequest, Refusal> {
        guard let request = WakeRequest(event, from: relay, known: publicRelay) else { return .failure(.notARequest) }
        guard event.createdAt >= now - limits.freshness, event.createdAt <= now + limits.freshness else {
            return .failure(.stale)
        }
        return seen.contains(event.id) ? .failure(.repeated) : .success(request)
    }

    /// Judges a request to a signer that has a device, and counts it.
    ///
    /// - Parameter uptime: time since any fixed moment.
    mutating func admit(_ request: WakeRequest, isPaired: Bool, uptime: Duration) -> Refusal? {
        guard seen.insert(request.event.id) else { return .repeated }
        let pair = Pair(client: request.client, signer: request.signer)
        guard signers.tokens(of: request.signer, now: uptime) > 0 else { return .limited }
        if isPaired {
            guard paired.spend(pair, now: uptime) else { return .limited }
        } else {
            guard strangers.tokens(of: request.signer, now: uptime) > 0, strange.spend(pair, now: uptime),
                strangers.spend(request.signer, now: uptime)
            else { return .limited }
        }
        return signers.spend(request.signer, now: uptime) ? nil : .limited
    }

    /// How long an id must be remembered so that its event cannot wake twice while it is fresh.
    var memory: Duration { limits.freshness * 2 + .seconds(60) }
}

extension WakeRules.Refusal: Error {}

/// The values inserted last; the oldest makes room.
struct BoundedSet<Element: Hashable & Sendable>: Sendable {
    private let capacity: Int
    private var values: Set<Element> = []
    private var order: [Element] = []
    private var oldest = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    func contains(_ value: Element) -> Bool { values.contains(value) }

    /// Adds a value; `false` when it was there.
    mutating func insert(_ value: Element) -> Bool {
        guard values.insert(value).inserted else { return false }
        if order.count < capacity {
            order.append(value)
        } else {
            values.remove(order[oldest])
            order[oldest] = value
            oldest = (oldest + 1) % capacity
        }
        return true
    }
}
