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
    /// Whether it is being decided right now.
    var isClaimed = false
}

/// All requests that wait, in the order they came.
struct PendingRequestList: Hashable, Sendable {
    private var requests: [EventID: PendingRequest] = [:]
    private var numbers: [EventID: Int] = [:]
    private var count = 0

    /// All, oldest first.
    var all: [PendingRequest] {
        requests.values.sorted { (numbers[$0.kept.event] ?? 0) < (numbers[$1.kept.event] ?? 0) }
    }

    subscript(_ id: EventID) -> PendingRequest? { requests[id] }

    /// Adds a request, or replaces it where it stands.
    mutating func insert(_ request: PendingRequest) {
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
