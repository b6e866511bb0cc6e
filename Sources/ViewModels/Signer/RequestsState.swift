public import NostrClient
public import NostrCore
public import NostrSigner

/// The requests that wait for the person, those that are alike together.
public struct RequestsState: Screen {
    /// Requests of one app for one permission, or of one burst of half a second, oldest first: one card, one decision.
    public struct Group: Hashable, Sendable, Identifiable {
        /// The requests; never empty.
        public fileprivate(set) var items: [RequestItem]

        /// The first request.
        public var id: EventID { items[0].id }
        /// The app that asks.
        public var app: AppItem { items[0].app }
        /// What it needs to be allowed, as the end of "may …"; `nil` where the requests need several things.
        public var permission: String? { isMixed ? nil : items[0].permission }
        /// Whether the requests need several permissions, so that a yes for good would say more than it shows.
        public var isMixed: Bool { items.contains { $0.permissionWord != items[0].permissionWord } }
        /// Whether there are several to be decided at once.
        public var isBatch: Bool { items.count > 1 }
        /// Takes the passphrase with a yes to all of them; `nil` where it does not need it.
        public var passphrase: PassphraseItem? {
            items.lazy.compactMap(\.passphrase).first(where: \.isAlwaysNeeded)
        }
    }

    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// What waits, oldest first.
    public private(set) var groups: [Group] = []
    /// Whether nothing is done for any app at present.
    public private(set) var isPaused = false
    /// The people requests are about, as far as they were looked up.
    public private(set) var people: [PublicKey: PersonItem] = [:]
    /// How many apps are paired; none yet leads to the page that pairs one.
    public private(set) var apps = 0
    /// What is wrong, in one sentence.
    public private(set) var problem: String?
    /// What was done, in one sentence.
    public private(set) var done: String?
    /// One that was left alone, since a yes to it needs a second step.
    public private(set) var left: EventID?
    private let now: Timestamp

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened, or something changed.
        case opened
        /// What waits.
        case read([WaitingRequest], people: [PublicKey: PersonItem], isPaused: Bool, apps: Int)
        /// The person decides several.
        case decide([EventID], RequestChoice)
        /// These were decided.
        case decided([EventID], asked: [EventID], RequestChoice)
        /// Do nothing for any app, or go on.
        case pause(Bool)
        /// It was paused, or goes on.
        case paused(Bool)
        /// It did not work.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case read
        case decide([EventID], RequestChoice, RequestVerdict)
        case pause(Bool)
    }

    /// A page not opened yet.
    public init(now: Timestamp) {
        self.now = now
    }

    /// How many requests wait.
    public var count: Int { groups.reduce(0) { $0 + $1.items.count } }
    /// How many of them cannot be read before the key is unlocked.
    public var locked: Int { groups.reduce(0) { $0 + $1.items.count(where: \.isLocked) } }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let requests, let people, let isPaused, let apps):
            phase = .ready
            self.people = people
            self.isPaused = isPaused
            self.apps = apps
            groups = Self.grouped(requests.map { RequestItem($0) })
            return []
        case .decide(let ids, let answer):
            problem = nil
            guard !ids.isEmpty else { return refuse(SignerWords.chooseFirst) }
            return [.decide(ids, answer, answer.verdict(at: now))]
        case .decided(let decided, let asked, let answer):
            showDecided(decided, asked, answer)
            return [.read]
        case .pause(let isPaused): return [.pause(isPaused)]
        case .paused(let isPaused):
            done = isPaused ? SignerWords.paused : SignerWords.goesOn
            return [.read]
        case .failed(let trouble):
            if phase == .ready { problem = trouble.sentence } else { phase = .failed(trouble) }
            return []
        }
    }

    private mutating func showDecided(_ decided: [EventID], _ asked: [EventID], _ answer: RequestChoice) {
        let items = groups.flatMap(\.items)
        let titles = Set(items.filter { decided.contains($0.id) }.map(\.app.title))
        let name = titles.count == 1 ? titles.first ?? "" : SignerWords.severalApps
        if !decided.isEmpty { done = answer.done(decided.count, of: name) }
        let rest = asked.filter { !decided.contains($0) }
        left = answer.allows ? items.first { rest.contains($0.id) && $0.needsSecondStep }?.id : nil
        guard decided.isEmpty, left == nil else { return }
        problem =
            items.contains { rest.contains($0.id) }
            ? SignerWords.notDecided : SignerWords.waitsNoLonger
    }

    private mutating func refuse(_ sentence: String) -> [Effect] {
        problem = sentence
        return []
    }

    /// Puts together what is alike or came at once; what needs a step of its own stays alone.
    private static func grouped(_ items: [RequestItem]) -> [Group] {
        let together = items.filter(\.canBeAllowedAlways)
        let bursts = Dictionary(grouping: together, by: \.burst).filter { Group(items: $0.value).isMixed }
        var groups: [Group] = []
        var places: [String: Int] = [:]
        for item in items {
            let group = Group(items: [item])
            guard item.canBeAllowedAlways || item.isLocked else {
                groups.append(group)
                continue
            }
            // A burst of several permissions is a card of its own; else what is alike is, whenever it came.
            let isOfBurst = !item.isLocked && bursts[item.burst] != nil
            let word = isOfBurst ? item.burst.hex : "\(item.app.word) \(item.permissionWord)"
            if let place = places[word] {
                groups[place].items.append(item)
            } else {
                places[word] = groups.count
                groups.append(group)
            }
        }
        return groups
    }
}

extension ScreenModel where S == RequestsState {
    /// The requests of an account's signer.
    public init(requestsOf service: any SigningService, _ account: any Account, now: Timestamp) {
        self.init(RequestsState(now: now)) { effect in
            do {
                switch effect {
                case .read:
                    let requests = try await service.waiting()
                    return .read(
                        requests, people: await peers(of: requests, account),
                        isPaused: try await service.settings().isPaused, apps: try await service.clients().count)
                case .decide(let ids, let answer, let verdict):
                    let decided = try await service.decide(ids, verdict, knowingLoss: false)
                    return .decided(decided, asked: ids, answer)
                case .pause(let isPaused):
                    var settings = try await service.settings()
                    settings.isPaused = isPaused
                    try await service.setSettings(settings)
                    return .paused(isPaused)
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}

/// How many people are looked up for one page.
private let mostPeers = 30

/// The people that requests would encrypt for or read from.
private func peers(of requests: [WaitingRequest], _ account: any Account) async -> [PublicKey: PersonItem] {
    let keys = Set(requests.compactMap { RequestItem($0).peer })
    return await withTaskGroup(of: PersonItem.self) { group in
        for key in keys.prefix(mostPeers) {
            // Somebody of whom nothing is known is shown by their key.
            group.addTask { PersonItem((try? await account.people.person(key)) ?? Person(key: key)) }
        }
        var people = Dictionary(uniqueKeysWithValues: keys.map { ($0, PersonItem(Person(key: $0))) })
        for await person in group { people[person.key] = person }
        return people
    }
}
