import ArgumentParser
import AsyncPrimitives
import NostrCore
import RelayServer

/// What `linnet relay` lets whom do, and how it says so.
struct RelayRules: ParsableArguments {
    @Option(
        name: .customLong("allow"),
        help: ArgumentHelp(
            "Somebody who may write here; may be given again. With this or --follows-of nobody else may, but for private messages to them.",
            valueName: "npub"))
    var allowed: [String] = []
    @Option(
        name: .customLong("follows-of"),
        help: ArgumentHelp(
            "Somebody who may write here with everybody they follow, as their follow list on this relay says.",
            valueName: "npub"))
    var follower: String?
    @Flag(inversion: .prefixedNo, help: "Limit how fast one client may publish and ask.") var rateLimits = true

    /// How fast one client may publish what is kept.
    private static let stored = TokenRate(burst: 1000, refill: .milliseconds(10))
    /// How fast one client may send what only passes through, such as requests to a signer and their answers.
    private static let passing = TokenRate(burst: 4000, refill: .milliseconds(1))
    /// How fast one client may ask.
    private static let questions = TokenRate(burst: 400, refill: .milliseconds(50))

    /// Who may write; `nil` for everybody.
    func writers() throws -> Writers? {
        if allowed.isEmpty, follower == nil { return nil }
        return Writers(Set(try allowed.map(Reading.key)), followedBy: try follower.map(Reading.key))
    }

    /// The rules as functions.
    func policies(_ writers: Writers?) -> RelayPolicies {
        var policies = RelayPolicies.privateMessagesForPartiesOnly
        if rateLimits {
            let start = ContinuousClock.now
            let elapsed: @Sendable () -> Duration = { ContinuousClock.now - start }
            policies.publish += [
                limitEvents(to: Self.stored, elapsed: elapsed) { $0.kind.retention != .ephemeral },
                limitEvents(to: Self.passing, elapsed: elapsed) { $0.kind.retention == .ephemeral },
            ]
            policies.ask.insert(limitQuestions(to: Self.questions, elapsed: elapsed), at: 0)
        }
        if let writers { policies.publish.append(writers.policy) }
        return policies
    }

    /// The rules in words, a line each.
    var lines: [String] {
        var writers = allowed.isEmpty ? [] : ["\(Set(allowed).count) named"]
        if follower != nil { writers.append("one person and whom they follow") }
        let limits =
            rateLimits
            ? "limits: each client \(Self.stored.words("events")), \(Self.questions.words("questions")), \(Self.passing.words("passing events"))"
            : "limits: no limit to how fast a client may publish and ask"
        return [
            writers.isEmpty
                ? "writing: everybody"
                : "writing: \(writers.joined(separator: ", and ")); private messages to them, everybody",
            "reading: everybody; private messages only their parties", limits,
        ]
    }
}

extension TokenRate {
    fileprivate func words(_ things: String) -> String {
        "\(burst) \(things) at once and then \(Int(.seconds(1) / refill)) a second"
    }
}
