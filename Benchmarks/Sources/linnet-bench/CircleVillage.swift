import Circles
import Foundation
import Marmot
import NostrClient
import NostrCore
import NostrRelay
import WebSocketNIO

/// An account in fifty circles of twenty, their relay, and those of the others who say something.
struct CircleVillage {
    static let circles = 50
    static let members = 20
    private static let speakers = 4

    let secret: String
    let folder: URL
    let relay: RelayURL
    let watch: Watch
    private let pool: RelayPool
    private var towns: [CircleTown] = []

    /// Lays out all circles and has the account join them; it stands still afterwards.
    init(in folder: URL, at relay: RelayURL, over pool: RelayPool, _ watch: Watch, seed: UInt64) async throws {
        var random = Draws(state: seed)
        (self.folder, self.relay, self.pool, self.watch) = (folder, relay, pool, watch)
        secret = encodeHex(randomBytes(32, using: &random))
        let circles = try await run { own in
            try await own.circles.membership.becomeInvitable()
            return try await settle(own, seed: seed)
        }
        towns = circles
    }

    /// Runs the account while `body` runs.
    func run<R>(_ body: (CircleAccount) async throws -> R) async throws -> R {
        try await CircleAccount.run(secret: secret, in: folder, at: relay, watch, body)
    }

    /// The account's key package is used by everybody, it joins, and renews its keys as who has joined does.
    private func settle(_ own: CircleAccount, seed: UInt64) async throws -> [CircleTown] {
        let package = Filter(authors: [own.key], kinds: [.keyPackage])
        var found: Event?
        try await own.until("a key package") {
            found = try await ask(package).first
            return found != nil
        }
        guard let found else { return [] }
        var towns: [CircleTown] = []
        for number in 0..<Self.circles {
            towns.append(
                try CircleTown(
                    "Circle \(number)", of: Self.members, speaking: Self.speakers, with: found, at: relay, watch.now,
                    seed: seed &+ UInt64(number) &+ 1))
        }
        try await publish(towns.flatMap(\.founding))
        try await own.until("all invitations") {
            try await own.circles.reader.overview().invitations.count == Self.circles
        }
        for town in towns { try await own.circles.membership.acceptInvitation(to: town.id) }
        try await own.until("all circles are caught up") {
            for town in towns where try await !own.circles.reader.health(of: town.id).isCaughtUp { return false }
            return true
        }
        // Whoever joined leaves to those who were there before what all may do; the last of twenty waits longest.
        watch.advance(by: .seconds(5 * Self.members + 60))
        try await own.until("keys of its own") { try await own.areAll(in: 2) }
        for index in towns.indices {
            let commits = try await ask(Filter(kinds: [.groupEvent], tags: ["h": [towns[index].nostrID.hex]]))
            for commit in commits where !towns[index].founding.contains(commit) {
                try towns[index].follow(commit, watch.now)
            }
        }
        return towns
    }

    /// Has the others talk in every circle, while the account is away; how many events there are, and how many lines.
    ///
    /// - Parameters:
    ///   - lines: said in each circle between one renewal of keys and the next.
    ///   - commits: renewals of keys in each circle.
    ///   - span: in which all this happens.
    mutating func talk(lines: Int, commits: Int, within span: Duration) async throws -> (events: Int, lines: Int) {
        var events: [Event] = []
        let begin = watch.now
        let steps = (lines + 1) * max(commits, 1)
        for index in towns.indices {
            for step in 0..<steps {
                let moment = begin + span * (step + 1) / (steps + 1)
                if commits > 0, step % (lines + 1) == lines {
                    events.append(try towns[index].renew(step / (lines + 1), moment))
                } else {
                    events.append(try towns[index].say(step, moment))
                }
            }
        }
        watch.advance(by: span)
        try await publish(events)
        return (events.count, events.count - commits * towns.count)
    }

    private func publish(_ events: [Event]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, event) in events.enumerated() {
                if number >= 128 { try await group.next() }
                group.addTask {
                    let outcome = await pool.publish(event, to: relay, deadline: .seconds(20))
                    guard case .accepted = outcome else { throw Late(description: "the relay says \(outcome)") }
                }
            }
            try await group.waitForAll()
        }
    }

    private func ask(_ filter: Filter) async throws -> [Event] {
        var found: [Event] = []
        for await update in await pool.fetch([relay: [filter]], deadline: .seconds(20)) {
            if case .events(let events, _) = update { found += events }
        }
        return found
    }
}
