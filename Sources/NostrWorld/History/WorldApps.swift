internal import NostrCore
internal import NostrNIPs

/// Apps that say they open a kind that few programs know (NIP-89), who recommends them, and pages that nobody is to be
/// led to.
struct WorldApps {
    private let people: [WorldPerson]
    private let now: Timestamp
    private var dice: Dice
    private var new: [Written] = []

    /// Writes them beside what is there.
    static func write(
        people: [WorldPerson], hero: Int, graph: FollowGraph, now: Timestamp, seed: UInt64,
        beside written: inout [Written]
    ) {
        // A sequence of its own: apps change nothing of what else happens.
        var apps = WorldApps(people: people, now: now, dice: Dice(seed: seed ^ 0x89_31990))
        let followed = Set(graph.follows[hero])
        let strangers = people.map(\.number).filter { $0 != hero && !followed.contains($0) }
        apps.write(follows: graph.follows[hero], strangers: strangers)
        written += apps.new
    }

    private init(people: [WorldPerson], now: Timestamp, dice: Dice) {
        self.people = people
        self.now = now
        self.dice = dice
    }

    private mutating func write(follows: [Int], strangers: [Int]) {
        guard let maker = dice.pick(strangers), let other = dice.pick(strangers) else { return }
        let footpath = app(
            "footpath", #"{"name":"Footpath","about":"Walks on a map"}"#,
            [["web", "https://footpath.example/a/<bech32>", "naddr"], ["web", "https://footpath.example/<bech32>"]],
            by: maker)
        for _ in 0..<3 {
            guard let address = footpath.address, let fan = dice.pick(follows) else { continue }
            recommend(address, by: fan)
        }
        if let friend = dice.pick(follows) {
            app("own", "", [["web", "https://tracks.example/#<bech32>"], ["ios", "tracks:<bech32>"]], by: friend)
        }
        app("map", #"{"name":"Mapper"}"#, [["web", "https://mapper.example/?id=<bech32>"]], by: other)
        for (number, page) in Self.traps.enumerated() {
            guard let trapper = dice.pick(strangers) else { continue }
            app("trap-\(number)", #"{"name":"Footpath"}"#, [["web", page]], by: trapper)
        }
    }

    /// What no link may be made of.
    private static let traps = [
        "javascript:alert('<bech32>')", "http://plain.example/<bech32>",
        "https://footpath.example@trap.example/<bech32>", "https://127.0.0.1/<bech32>",
        "https://printer.local/<bech32>", "https://<bech32>.trap.example/", "footpath",
    ]

    @discardableResult
    private mutating func app(_ identifier: String, _ content: String, _ pages: [Tag], by author: Int) -> Event {
        let tags: [Tag] = [["d", identifier], ["k", "\(WorldShowcases.oddKind.rawValue)"], ["k", "1"]]
        return publish(AppHandler.kind, tags + pages, content, by: author)
    }

    private mutating func recommend(_ app: EventAddress, by author: Int) {
        let tags: [Tag] = [["d", "\(WorldShowcases.oddKind.rawValue)"], ["a", app.description, "", "web"]]
        publish(AppRecommendation.kind, tags, "", by: author)
    }

    @discardableResult
    private mutating func publish(_ kind: Kind, _ tags: [Tag], _ content: String, by author: Int) -> Event {
        let moment = now - .seconds(Int64(dice.whole(1...60)) * 86_400)
        let draft = EventDraft(kind: kind, tags: tags, content: content, createdAt: moment)
        let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
        new.append(Written(event: event, author: author))
        return event
    }
}
