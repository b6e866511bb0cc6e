public import NostrCore
public import NostrNIPs

/// What decides about every request, whichever way it came: relays, links or a push.
///
/// A value without I/O: what is asked, of whom, what was chosen and how much was used go in, a ``Decision`` comes out.
public struct Policy: Sendable {
    /// What holds for all apps.
    public var settings: SignerSettings
    /// The app; `nil` when it is not paired.
    public var client: SignerClient?
    /// How much the app used the key within the hour.
    public var uses: HourUses
    /// The moment, for choices that run out.
    public var now: Timestamp
    /// The minute of the day, local time, for the hours an app may work.
    public var minute: Int
    /// What the person refused to the whole site that a link answers to; it holds at each of its paths.
    public var siteRefusals: [Grant] = []

    /// What a decision needs.
    public init(
        settings: SignerSettings, client: SignerClient?, uses: HourUses = HourUses(), now: Timestamp, minute: Int,
        siteRefusals: [Grant] = []
    ) {
        self.siteRefusals = siteRefusals
        self.settings = settings
        self.client = client
        self.uses = uses
        self.now = now
        self.minute = minute
    }

    /// Decides about one permission.
    ///
    /// In order: an app that is not paired is refused whatever it asks (also kind 22242, which could log it in
    /// elsewhere), what does not use the key is done, a paused signer asks, a choice made for this app beats a refusal for
    /// its whole site, and that its trust, and what would be done at once is asked about above the app's limits, and where it would hand a server what was
    /// written in private.
    ///
    /// - Parameter audience: the place that a login is for.
    public func decide(_ permission: RemotePermission, for audience: Audience? = nil) -> Decision {
        guard let client else { return .refuse(.notPaired) }
        guard permission.method.usesKey else { return .allow(.harmless) }
        // Whatever stands in the records: nobody in particular is never known.
        guard client.app.isKnown else { return .refuse(.notPaired) }
        if settings.isPaused { return .ask(.paused) }
        let grants = client.grants(about: permission, for: audience)
        let decision: Decision
        if let grant = grants.first(where: { !$0.hasExpired(at: now) }) {
            decision = follow(grant)
        } else if isRefusedToSite(permission, for: audience) {
            return .refuse(.grant)
        } else {
            decision = follow(client.trust, permission, hadGrant: !grants.isEmpty)
        }
        guard case .allow = decision else { return decision }
        if permission.method.reveals, client.app.answersReachServer { return .ask(.reachesServer) }
        if let perHour = client.perHour, uses.count() >= perHour { return .ask(.tooOften) }
        if let hours = client.hours, !hours.contains(minute) { return .ask(.outsideHours) }
        return decision
    }

    /// Whether the person refused a permission for good to the whole site, whichever of its paths asks.
    public func isRefusedToSite(_ permission: RemotePermission, for audience: Audience? = nil) -> Bool {
        siteRefusals.contains {
            $0.verdict == .refuse && !$0.hasExpired(at: now) && $0.covers(permission, for: audience)
        }
    }

    /// What the app asked for when it was paired, and would not get at once.
    public var requestedBeyond: [RemotePermission] {
        (client?.requested ?? []).filter { permission in
            if case .allow = decide(permission) { return false }
            return permission.method.usesKey
        }
    }

    /// Choices for what an app asked for when it was paired and its trust gives it anyhow.
    ///
    /// So each stands on its page and can be taken back or limited. What is protected is left to the person.
    static func grantsByTrust(to client: SignerClient, settings: SignerSettings, now: Timestamp) -> [Grant] {
        var settings = settings
        // A pause ends; what the app may then is what counts.
        settings.isPaused = false
        let policy = Policy(settings: settings, client: client, now: now, minute: 0)
        return client.requested.filter { permission in
            // Full trust covers protected kinds too, but then it was given by the person.
            policy.decide(permission) == .allow(.trust)
        }.map { Grant($0, .allow, made: now) }
    }

    private func follow(_ grant: Grant) -> Decision {
        switch grant.verdict {
        case .refuse: return .refuse(.grant)
        case .ask: return .ask(.grant)
        case .allow:
            if let perHour = grant.perHour, uses.count(of: grant.permission) >= perHour { return .ask(.tooOften) }
            return .allow(.grant)
        }
    }

    private func follow(_ trust: TrustLevel, _ permission: RemotePermission, hadGrant: Bool) -> Decision {
        switch trust {
        case .full: return .allow(.trust)
        case .medium:
            guard permission.method == .signEvent else { return .allow(.trust) }
            // Asked about for every kind at once, it covers the protected ones too.
            guard let kind = permission.kind, !settings.protectedKinds.contains(kind) else {
                return .ask(hadGrant ? .grantExpired : .protectedKind)
            }
            return .allow(.trust)
        case .low: return .ask(hadGrant ? .grantExpired : .trust)
        }
    }
}

extension RemotePermission {
    /// Whether it is about protected kinds, or lets an app read what is private: a person should think twice.
    ///
    /// - Parameter protected: see ``SignerSettings/protectedKinds``.
    public func isDelicate(protected: Set<Kind>) -> Bool {
        method.reveals || (method == .signEvent && kind.map(protected.contains) ?? true)
    }

    /// Whether it may be given with a pairing unless the person says otherwise.
    ///
    /// Never a signature, which speaks for the person, and never the reading of what is private.
    public var isGivenByDefault: Bool { method.usesKey && method != .signEvent && !method.reveals }
}

extension Grant {
    /// How much it is about: one place, one kind or all.
    fileprivate var breadth: Int { audience != nil ? 0 : permission.kind != nil ? 1 : 2 }

    /// Whether the choice has run out.
    public func hasExpired(at now: Timestamp) -> Bool {
        expires.map { $0 <= now } ?? false
    }
}

extension SignerClient {
    /// The choices about a permission: the one about its place before the one about its kind, and that before the one
    /// about all kinds; the newest first.
    fileprivate func grants(about permission: RemotePermission, for audience: Audience?) -> [Grant] {
        grants.filter { $0.covers(permission, for: audience) }.sorted {
            ($0.breadth, $1.made) < ($1.breadth, $0.made)
        }
    }

    /// Takes back what an app was given when it was paired, unless the person chose about it since.
    mutating func forgetGrants(ofPairing before: SignerClient) {
        grants.removeAll { grant in
            grant.verdict == .allow && grant.made == connected && before.grants.contains(grant)
                && requested.contains(grant.permission)
        }
    }

    /// Keeps a choice in place of those about the same permission.
    public mutating func choose(_ grant: Grant) {
        grants.removeAll { $0.permission == grant.permission && $0.audience == grant.audience }
        grants.append(grant)
    }
}
