internal import NostrCore
internal import NostrNIPs
internal import WebSocketNIO

/// A server that counts for everybody what is trending, and gives each list out at an address of its own, as
/// feeds.nostrarchives.com does: `/notes/trending/<measure>/<span>`, `/users/upandcoming`, `/hashtags/trending`.
///
/// It counts the history of the world; what is written while that runs is not in it. A list comes in the order of its
/// ranks, not of its dates.
struct WorldTrends: Sendable {
    /// What an address stands for.
    enum List: Hashable, Sendable {
        case notes(measure: String, days: Int64?)
        case people
        case topics

        /// Reads the target of a request; `nil` for every other.
        init?(_ target: String) {
            let words = target.prefix { $0 != "?" }.split(separator: "/").map(String.init)
            switch words {
            case ["users", "upandcoming"]: self = .people
            case ["hashtags", "trending"]: self = .topics
            default:
                guard words.count == 4, words[0] == "notes", words[1] == "trending",
                    ["reactions", "replies", "reposts", "zaps"].contains(words[2]),
                    let days = Self.days[words[3]]
                else { return nil }
                self = .notes(measure: words[2], days: days)
            }
        }

        private static let days: [String: Int64?] = ["today": 1, "7d": 7, "30d": 30, "1y": 365, "all": nil]
    }

    /// The most a list has.
    private static let most = 60

    private let events: [Event]
    private let now: Timestamp

    init(_ world: World) {
        events = world.events
        now = world.now
    }

    /// Serves one client: questions are answered once, and nothing new comes.
    func serve(_ connection: WebSocketConnection) async {
        guard let list = List(connection.request.target) else { return }
        do {
            for try await frame in connection.incoming {
                // What does not read is passed over, as relays do.
                guard case .req(let name, let filters)? = try? ClientMessage(json: frame) else { continue }
                let limit = filters.compactMap(\.limit).max() ?? Self.most
                let asked = events(of: list).filter { event in filters.contains { $0.matches(event) } }
                for event in asked.prefix(limit) {
                    try await connection.send(RelayMessage.event(name, event.unverified).json)
                }
                try await connection.send(RelayMessage.eose(name).json)
            }
        } catch {
            // The client is gone.
        }
    }

    /// What a list holds, the first rank first.
    func events(of list: List) -> [Event] {
        switch list {
        case .notes(let measure, let days): notes(by: measure, days: days)
        case .people: people()
        case .topics: events.filter { $0.kind == .interestSets && $0.tags.firstValue("d") == WorldTopics.identifier }
        }
    }

    private func notes(by measure: String, days: Int64?) -> [Event] {
        let since = days.map { now - .seconds($0 * 86_400) }
        var counts: [EventID: Int] = [:]
        for event in events where since.map({ event.createdAt >= $0 }) ?? true {
            if let target = Self.target(of: event, measure) { counts[target, default: 0] += 1 }
        }
        let ranked = events.filter { $0.kind == 1 && counts[$0.id] != nil }
            .sorted { (counts[$1.id] ?? 0, $1.createdAt, $0.id) < (counts[$0.id] ?? 0, $0.createdAt, $1.id) }
        return Array(ranked.prefix(Self.most))
    }

    private static func target(of event: Event, _ measure: String) -> EventID? {
        switch measure {
        case "reactions": Reaction(event)?.target.id
        case "replies": event.kind == 1 ? ThreadReferences(event.tags).parent?.id : nil
        case "reposts": Repost(event)?.target.id
        default: event.kind == ZapReceipt.kind ? event.tags.first { $0.name == "e" }?.eventID(at: 1) : nil
        }
    }

    /// Those whose notes are on top, by their newest profiles.
    private func people() -> [Event] {
        var profiles: [PublicKey: Event] = [:]
        for event in events where event.kind == 0 { profiles[event.pubkey] = event }
        var seen: Set<PublicKey> = []
        let authors = notes(by: "reactions", days: 7).map(\.pubkey).filter { seen.insert($0).inserted }
        return authors.compactMap { profiles[$0] }
    }
}
