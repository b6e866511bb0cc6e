internal import NostrClient
public import NostrCore
internal import NostrNIPs
public import NostrSigner

/// What a person changes about an app, as a form says it.
public enum AppChange: Hashable, Sendable {
    /// Call it so, and trust it so far.
    case rename(String, trust: String)
    /// Choose for one permission.
    case choose(Choice)
    /// Limit how often and when; times as `HH:MM`, empty for none.
    case limit(perHour: String, from: String, until: String)
    /// Unpair it.
    case unpair

    /// What a person chose for one permission.
    public struct Choice: Hashable, Sendable {
        /// As it is written: `sign_event:1`.
        public let permission: String
        /// `allow`, `ask`, `refuse`; empty to leave it to the app's trust.
        public let verdict: String
        /// For how long; `nil` for always.
        public let span: Duration?
        /// How often per hour at most; empty for no limit.
        public let perHour: String

        /// A choice as a form says it.
        public init(permission: String, verdict: String, span: Duration? = nil, perHour: String = "") {
            self.permission = permission
            self.verdict = verdict
            self.span = span
            self.perHour = perHour
        }
    }

    /// What came of a change.
    public enum Outcome: Hashable, Sendable {
        /// It is kept; what to say.
        case saved(String)
        /// The app is unpaired; what to say.
        case unpaired(String)
        /// Nothing was changed, and why.
        case refused(String)
        /// No such app is paired.
        case noApp
    }

    /// Makes the change.
    ///
    /// - Parameter word: the app's ``AppItem/word``.
    /// - Throws: when the app cannot even be read.
    public func apply(
        to word: String, of signer: any AppKeeping, now: Timestamp
    ) async throws(Trouble) -> Outcome {
        guard let id = RequestingApp(word) else { return .noApp }
        let found: SignerClient?
        do { found = try await signer.client(id) } catch { throw Trouble(error) }
        guard let client = found else { return .noApp }
        do {
            if case .unpair = self {
                try await signer.revoke(id)
                return .unpaired(SignerWording.unpaired(AppItem(client).title))
            }
            let (changed, sentence) = try changed(client, now: now)
            try await signer.update(changed)
            return .saved(sentence)
        } catch {
            return .refused(Trouble(error).sentence)
        }
    }

    /// The app as it is to be, and what to say about it.
    func changed(_ client: SignerClient, now: Timestamp) throws(Trouble) -> (SignerClient, String) {
        var client = client
        switch self {
        case .rename(let name, let trust):
            let name = oneLine(name, limit: AppView.longestName)
            client.name = name.isEmpty ? nil : name
            client.trust = TrustLevel(rawValue: trust) ?? client.trust
        case .choose(let choice): return try choice.made(for: client, now: now)
        case .limit(let perHour, let from, let until):
            client.perHour = try count(perHour)
            client.hours = try hours(from.trimmingSpace(), until.trimmingSpace())
        case .unpair: break
        }
        return (client, SignerWording.saved)
    }
}

extension AppChange.Choice {
    fileprivate func made(for client: SignerClient, now: Timestamp) throws(Trouble) -> (SignerClient, String) {
        var client = client
        let written = permission.trimmingSpace()
        // A bare number is a kind to sign.
        guard let permission = RemotePermission(UInt16(written) == nil ? written : "sign_event:" + written),
            permission.method.usesKey
        else { throw Trouble(SignerWording.writePermission, canRetry: false) }
        client.grants.removeAll { $0.permission == permission }
        guard let verdict = Grant.Verdict(rawValue: verdict) else { return (client, SignerWording.leftToTrust) }
        client.grants.append(
            Grant(permission, verdict, expires: span.map { now + $0 }, perHour: try count(perHour), made: now))
        return (client, SignerWording.saved)
    }
}

/// How often per hour; nil for nothing written.
private func count(_ text: String) throws(Trouble) -> Int? {
    let text = text.trimmingSpace()
    if text.isEmpty { return nil }
    guard let number = Int(text), (1...100_000).contains(number) else {
        throw Trouble(SignerWording.writeCount, canRetry: false)
    }
    return number
}

private func hours(_ from: String, _ until: String) throws(Trouble) -> DayHours? {
    if from.isEmpty, until.isEmpty { return nil }
    guard let first = DayHours.minute(from), let last = DayHours.minute(until) else {
        throw Trouble(SignerWording.writeHours, canRetry: false)
    }
    return DayHours(from: first, until: last)
}
