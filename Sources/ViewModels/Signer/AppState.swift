internal import NostrClient
public import NostrCore
internal import NostrNIPs
public import NostrSigner

/// One app: what it is called, how far it is trusted, what it may, and what it did.
public struct AppState: Screen {
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The app; `nil` when there is none.
    public private(set) var app: AppItem?
    /// What its owner calls it; empty until they do.
    public private(set) var name = ""
    /// What it may, and what it asked for beside that.
    public private(set) var permissions: [PermissionItem] = []
    /// How often per hour it may use the key without being asked about.
    public private(set) var perHour: Int?
    /// The part of the day in which it may.
    public private(set) var hours: DayHours?
    /// Where it listens.
    public private(set) var relays: [String] = []
    /// What it did last, newest first.
    public private(set) var history: [ActivityItem] = []
    /// What is wrong, in one sentence.
    public private(set) var problem: String?
    /// What was done, in one sentence.
    public private(set) var done: String?
    /// Whether it is unpaired.
    public private(set) var isGone = false
    private var client: SignerClient?
    private let now: Timestamp

    /// How many lines of its history are shown.
    public static let shownHistory = 20
    /// The longest name, in characters.
    public static let longestName = 60

    /// What a person chose for one permission.
    public struct Choice: Equatable, Sendable {
        /// As it is written: `sign_event:1`.
        public var permission: String
        /// `allow`, `ask`, `refuse`; empty to leave it to the app's trust.
        public var verdict: String
        /// For how long; `nil` for always.
        public var span: Duration?
        /// How often per hour at most; empty for no limit.
        public var perHour: String

        /// Takes all.
        public init(permission: String, verdict: String, span: Duration? = nil, perHour: String = "") {
            self.permission = permission
            self.verdict = verdict
            self.span = span
            self.perHour = perHour
        }
    }

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened, or something changed.
        case opened
        /// The app; `nil` when there is none.
        case read(SignerClient?, SignerSettings, [ActivityEntry])
        /// Call it so, and trust it so far.
        case rename(String, trust: String)
        /// Choose for one permission.
        case choose(Choice)
        /// Limit how often and when; times as `HH:MM`, empty for none.
        case limit(perHour: String, from: String, until: String)
        /// Unpair it.
        case unpair
        /// It is kept.
        case saved(String)
        /// It is unpaired.
        case gone
        /// It did not work.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case read
        case save(SignerClient, saying: String)
        case revoke
    }

    /// A page not opened yet.
    public init(now: Timestamp) {
        self.now = now
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let client, let settings, let entries):
            phase = .ready
            show(client, settings)
            history = entries.map(ActivityItem.init)
            return []
        case .saved(let sentence):
            done = sentence
            return [.read]
        case .gone:
            isGone = true
            return []
        case .failed(let trouble):
            if phase == .ready { problem = trouble.sentence } else { phase = .failed(trouble) }
            return []
        case .rename, .choose, .limit, .unpair:
            problem = nil
            guard let client else { return [] }
            return change(client, input)
        }
    }

    private mutating func show(_ client: SignerClient?, _ settings: SignerSettings) {
        self.client = client
        app = client.map(AppItem.init)
        guard let client else { return }
        name = client.name ?? ""
        permissions = permissionItems(of: client, settings, at: now)
        perHour = client.perHour
        hours = client.hours
        relays = client.relays.map(\.text)
    }

    private mutating func change(_ client: SignerClient, _ input: Input) -> [Effect] {
        var client = client
        switch input {
        case .rename(let name, let trust):
            let name = oneLine(name, limit: Self.longestName)
            client.name = name.isEmpty ? nil : name
            client.trust = TrustLevel(rawValue: trust) ?? client.trust
            return [.save(client, saying: "Saved.")]
        case .choose(let choice): return choose(choice, for: client)
        case .limit(let perHour, let from, let until):
            return limit(client, perHour.trimmingSpace(), from.trimmingSpace(), until.trimmingSpace())
        case .unpair: return [.revoke]
        case .opened, .read, .saved, .gone, .failed: return []
        }
    }

    private mutating func choose(_ choice: Choice, for client: SignerClient) -> [Effect] {
        var client = client
        let written = choice.permission.trimmingSpace()
        // A bare number is a kind to sign.
        guard let permission = RemotePermission(UInt16(written) == nil ? written : "sign_event:" + written),
            permission.method.usesKey
        else { return refuse("Write a permission like sign_event:1 or nip44_decrypt, or the number of a kind.") }
        client.grants.removeAll { $0.permission == permission }
        guard let verdict = Grant.Verdict(rawValue: choice.verdict) else {
            return [.save(client, saying: "Left to how far you trust the app.")]
        }
        var count: Int?
        let limit = choice.perHour.trimmingSpace()
        if !limit.isEmpty {
            guard let number = Int(limit), (1...100_000).contains(number) else { return refuse(Self.badCount) }
            count = number
        }
        client.grants.append(
            Grant(permission, verdict, expires: choice.span.map { now + $0 }, perHour: count, made: now))
        return [.save(client, saying: "Saved.")]
    }

    private mutating func limit(
        _ client: SignerClient, _ perHour: String, _ from: String, _ until: String
    ) -> [Effect] {
        var client = client
        client.perHour = nil
        if !perHour.isEmpty {
            guard let number = Int(perHour), (1...100_000).contains(number) else { return refuse(Self.badCount) }
            client.perHour = number
        }
        client.hours = nil
        if !from.isEmpty || !until.isEmpty {
            guard let first = DayHours.minute(from), let last = DayHours.minute(until) else {
                return refuse("Write both times of the day like 08:00 and 22:30, or neither.")
            }
            client.hours = DayHours(from: first, until: last)
        }
        return [.save(client, saying: "Saved.")]
    }

    private static let badCount = "Write how often per hour as a number from 1 to 100000, or nothing."

    private mutating func refuse(_ sentence: String) -> [Effect] {
        problem = sentence
        return []
    }
}

extension AppState {
    /// When it may use the key without being asked about, as `HH:MM` each; `nil` for always.
    public var shownHours: (from: String, until: String)? {
        hours.map { (DayHours.text($0.from), DayHours.text($0.until)) }
    }
    /// The levels of trust there are.
    public var trustChoices: [TrustChoice] { TrustChoice.all(chosen: app?.trust ?? "") }
}

extension ScreenModel where S == AppState {
    init(app: RequestingApp, of service: any SigningService, now: Timestamp) {
        self.init(AppState(now: now)) { effect in
            do {
                switch effect {
                case .read:
                    var query = ActivityQuery(limit: AppState.shownHistory)
                    query.app = app
                    return .read(
                        try await service.client(app), try await service.settings(),
                        try await service.activity(query))
                case .save(let client, let sentence):
                    try await service.update(client)
                    return .saved(sentence)
                case .revoke:
                    try await service.revoke(app)
                    return .gone
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}
