internal import NostrCore
internal import NostrNIPs

/// What ``MemorySignerRecords`` holds.
struct RecordedState {
    /// How far a request is.
    enum Phase: Hashable {
        case underWay
        case waits(Rule)
        case settled(answer: String?, at: Timestamp, isDone: Bool)
    }

    struct Kept {
        var request: AdmittedRequest
        var phase: Phase
        /// Counts up; gives the order.
        let number: Int

        var isSettled: Bool { if case .settled = phase { true } else { false } }
    }

    /// A request as its app names it, with what it asks.
    struct Name: Hashable {
        let client: SignerClient.ID
        let id: String
        let digest: String
    }

    var clients: [SignerClient.ID: SignerClient] = [:]
    var settings: [PublicKey: SignerSettings] = [:]
    var secrets: [PublicKey: String] = [:]
    var requests: [EventID: Kept] = [:]
    var names: [Name: EventID] = [:]
    var log: [ActivityEntry] = []
    private var count = 0
    private var lastLine: Int64 = 0

    mutating func admit(_ request: AdmittedRequest) throws(SignerRecordsError) -> Admission {
        if let event = request.name.flatMap({ names[$0] }), let known = requests[event] { return known.admission }
        if let known = requests[request.event] {
            // One that was taken in unread is new once it can be read.
            guard known.request.id.isEmpty, !request.id.isEmpty, !known.isSettled else { return known.admission }
        }
        if request.id.isEmpty { try checkRoom(for: request) { !$0.isSettled } }
        keep(request, .underWay)
        return .new
    }

    mutating func settle(_ request: AdmittedRequest, answer: String?, activity: ActivityEntry) {
        keep(request, .settled(answer: answer, at: activity.time, isDone: activity.outcome == .done))
        append(activity)
        clients[request.client]?.lastSeen = activity.time
        clients[request.client]?.requests += 1
    }

    mutating func wait(_ request: AdmittedRequest, why rule: Rule, activity: ActivityEntry) throws(SignerRecordsError) {
        try checkRoom(for: request) { if case .waits = $0.phase { true } else { false } }
        keep(request, .waits(rule))
        append(activity)
    }

    /// Whether one more may wait beside others that count.
    private func checkRoom(
        for request: AdmittedRequest, beside counts: (Kept) -> Bool
    ) throws(SignerRecordsError) {
        let others = requests.values.filter { kept in
            kept.request.account == request.account && kept.request.event != request.event && counts(kept)
        }
        guard others.count < SignerRecordsLimits.waiting,
            others.count(where: { $0.request.app == request.app }) < SignerRecordsLimits.waitingPerApp
        else { throw .tooManyWaiting }
    }

    mutating func append(_ entry: ActivityEntry) {
        lastLine += 1
        var entry = entry
        entry.id = lastLine
        log.append(entry)
    }

    mutating func forget(where isMeant: (Kept) -> Bool) {
        for (event, kept) in requests where isMeant(kept) {
            requests[event] = nil
            if let name = kept.request.name, names[name] == event { names[name] = nil }
        }
    }

    func kept(of account: PublicKey, where isMeant: (Phase) -> Bool) -> [KeptRequest] {
        requests.values.filter { $0.request.account == account && isMeant($0.phase) }
            .sorted { $0.number < $1.number }
            .map { kept in
                if case .waits(let rule) = kept.phase { return KeptRequest(kept.request, rule: rule) }
                return KeptRequest(kept.request, rule: nil)
            }
    }

    private mutating func keep(_ request: AdmittedRequest, _ phase: Phase) {
        count += 1
        requests[request.event] = Kept(
            request: request, phase: phase, number: requests[request.event]?.number ?? count)
        if let name = request.name { names[name] = request.event }
    }
}

extension RecordedState.Kept {
    var admission: Admission {
        switch phase {
        case .underWay: .underWay
        case .waits: .waiting
        case .settled(let answer, _, _): .answered(answer)
        }
    }
}

extension AdmittedRequest {
    /// Whose app asked.
    var client: SignerClient.ID { SignerClient.ID(app: app, account: account) }

    /// What the app calls it; `nil` while it has not been read.
    fileprivate var name: RecordedState.Name? {
        id.isEmpty ? nil : RecordedState.Name(client: client, id: id, digest: digest)
    }
}
