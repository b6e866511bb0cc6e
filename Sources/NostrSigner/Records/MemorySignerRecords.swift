public import NostrCore
public import NostrNIPs
internal import Synchronization

/// Records that last as long as the process; for tests, and for a signer that is woken and leaves.
public final class MemorySignerRecords: SignerRecords {
    private let state = Mutex(RecordedState())

    /// Nothing is kept yet.
    public init() {}

    // MARK: Apps

    public func clients(of account: PublicKey) async throws -> [SignerClient] {
        state.withLock { state in
            state.clients.values.filter { $0.account == account }.sorted {
                ($1.lastSeen ?? $1.connected, $0.app.text) < ($0.lastSeen ?? $0.connected, $1.app.text)
            }
        }
    }

    public func client(_ id: SignerClient.ID) async throws -> SignerClient? {
        state.withLock { $0.clients[id] }
    }

    public func save(_ client: SignerClient) async throws {
        state.withLock { $0.clients[client.id] = client }
    }

    public func remove(_ id: SignerClient.ID) async throws {
        state.withLock { state in
            state.clients[id] = nil
            state.forget { $0.request.client == id && !$0.isSettled }
        }
    }

    // MARK: Settings

    public func settings(of account: PublicKey) async throws -> SignerSettings {
        state.withLock { $0.settings[account] ?? SignerSettings() }
    }

    public func save(_ settings: SignerSettings, of account: PublicKey) async throws {
        state.withLock { $0.settings[account] = settings }
    }

    public func secret(of account: PublicKey) async throws -> String? {
        state.withLock { $0.secrets[account] }
    }

    public func setSecret(_ secret: String?, of account: PublicKey) async throws {
        state.withLock { $0.secrets[account] = secret }
    }

    // MARK: Requests

    public func admit(_ request: AdmittedRequest) async throws -> Admission {
        try state.withLock { try $0.admit(request) }
    }

    public func settle(_ request: AdmittedRequest, answer: String?, activity: ActivityEntry) async throws {
        state.withLock { $0.settle(request, answer: answer, activity: activity) }
    }

    public func wait(_ request: AdmittedRequest, why rule: Rule, activity: ActivityEntry) async throws {
        try state.withLock { try $0.wait(request, why: rule, activity: activity) }
    }

    public func waiting(of account: PublicKey) async throws -> [KeptRequest] {
        state.withLock { state in
            state.kept(of: account) { if case .waits = $0 { true } else { false } }
        }
    }

    public func unfinished(of account: PublicKey) async throws -> [KeptRequest] {
        state.withLock { state in
            state.kept(of: account) { if case .underWay = $0 { true } else { false } }
        }
    }

    public func uses(of id: SignerClient.ID, permission: RemotePermission?, since: Timestamp) async throws -> Int {
        state.withLock { state in
            state.requests.values.count { kept in
                guard case .settled(_, let moment, isDone: true) = kept.phase, kept.request.client == id else {
                    return false
                }
                guard moment >= since, let used = kept.request.permission, used.method.usesKey else { return false }
                return permission?.covers(used) ?? true
            }
        }
    }

    public func forgetRequests(before moment: Timestamp) async throws {
        state.withLock { state in
            state.forget { if case .settled(_, let settled, _) = $0.phase { settled < moment } else { false } }
        }
    }

    // MARK: Log

    public func note(_ entry: ActivityEntry) async throws {
        state.withLock { $0.append(entry) }
    }

    public func activity(of account: PublicKey, _ query: ActivityQuery) async throws -> [ActivityEntry] {
        state.withLock { state in
            var found: [ActivityEntry] = []
            for entry in state.log.reversed() where entry.account == account && query.matches(entry) {
                guard found.count < query.limit else { break }
                found.append(entry)
            }
            return found
        }
    }

    public func trimActivity(of account: PublicKey, before moment: Timestamp, keeping count: Int) async throws {
        state.withLock { state in
            state.log.removeAll { $0.account == account && $0.time < moment }
            var surplus = state.log.count { $0.account == account } - max(count, 0)
            state.log.removeAll { entry in
                guard surplus > 0, entry.account == account else { return false }
                surplus -= 1
                return true
            }
        }
    }

    public func removeAll(of account: PublicKey) async throws {
        state.withLock { state in
            state.clients = state.clients.filter { $0.key.account != account }
            state.settings[account] = nil
            state.secrets[account] = nil
            state.forget { $0.request.account == account }
            state.log.removeAll { $0.account == account }
        }
    }
}

extension ActivityQuery {
    /// Whether a line is wanted, apart from the limit.
    public func matches(_ entry: ActivityEntry) -> Bool {
        if let app, app != entry.app { return false }
        if let outcome, outcome != entry.outcome { return false }
        if let method, method != entry.method { return false }
        if let kind, kind != entry.kind { return false }
        if let before, entry.id >= before { return false }
        let sought = text.lowercased()
        if sought.isEmpty { return true }
        return [entry.title, entry.method, entry.fact?.text ?? "", entry.error ?? ""].contains {
            $0.lowercased().contains(sought)
        }
    }
}
