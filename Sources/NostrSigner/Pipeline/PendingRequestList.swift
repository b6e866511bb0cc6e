internal import NostrCore
internal import NostrNIPs

/// A request that waits for the person or for the key.
struct PendingRequest: Hashable, Sendable {
    /// As it is kept.
    var kept: AdmittedRequest
    /// The request; `nil` while it cannot be read.
    var request: IdentifiedRequest?
    /// Why it waits.
    var rule: Rule
    /// What signing would change.
    var report: ChangeReport?
    /// Its app as it says, for apps that are not paired.
    var stranger: SignerClient?
    /// The first request of its app that came within half a second with it, maybe itself; they are decided together.
    var burst: EventID
    /// Whether it is being decided right now.
    var isClaimed = false

    init(
        kept: AdmittedRequest, request: IdentifiedRequest?, rule: Rule, report: ChangeReport? = nil,
        stranger: SignerClient? = nil
    ) {
        self.kept = kept
        self.request = request
        self.rule = rule
        self.report = report
        self.stranger = stranger
        burst = kept.event
    }
}

/// All requests that wait, in the order they came.
struct PendingRequestList: Sendable {
    private var requests: [EventID: PendingRequest] = [:]
    private var numbers: [EventID: Int] = [:]
    private var count = 0
    /// The latest burst of each app, and when it began.
    private var bursts: [RequestingApp: (first: EventID, begun: Duration)] = [:]
    /// What an app asks within this belongs together: it opened a page, or an inbox.
    static let burstSpan = Duration.milliseconds(500)

    /// All, oldest first.
    var all: [PendingRequest] {
        requests.values.sorted { (numbers[$0.kept.event] ?? 0) < (numbers[$1.kept.event] ?? 0) }
    }

    subscript(_ id: EventID) -> PendingRequest? { requests[id] }

    /// Adds a request that begins to wait now, beside those its app asked within half a second before.
    ///
    /// - Parameter uptime: the moment, by a clock that does not jump.
    mutating func insert(_ request: PendingRequest, at uptime: Duration) {
        var request = request
        let (app, event) = (request.kept.app, request.kept.event)
        bursts = bursts.filter { uptime - $0.value.begun <= Self.burstSpan }
        // Links of nobody in particular come from anybody: they have nothing to do with each other.
        if app.isKnown, let burst = bursts[app] {
            request.burst = burst.first
        } else {
            bursts[app] = (event, uptime)
        }
        insert(request)
    }

    /// Adds a request, or replaces it where it stands and leaves it with those it came with.
    mutating func insert(_ request: PendingRequest) {
        var request = request
        if let before = requests[request.kept.event] { request.burst = before.burst }
        count += 1
        if numbers[request.kept.event] == nil { numbers[request.kept.event] = count }
        requests[request.kept.event] = request
    }

    /// Claims a request for deciding; `nil` when it does not wait or is claimed already.
    mutating func claim(_ id: EventID) -> PendingRequest? {
        guard let request = requests[id], !request.isClaimed else { return nil }
        requests[id]?.isClaimed = true
        return request
    }

    /// Gives a claim up.
    mutating func release(_ id: EventID) { requests[id]?.isClaimed = false }

    /// A request waits no longer.
    mutating func remove(_ id: EventID) {
        requests[id] = nil
        numbers[id] = nil
    }

    /// No request of an app waits any longer; those that did come back.
    mutating func removeAll(of app: RequestingApp) -> [PendingRequest] {
        let gone = requests.values.filter { $0.kept.app == app }
        for request in gone { remove(request.kept.event) }
        return gone
    }
}
