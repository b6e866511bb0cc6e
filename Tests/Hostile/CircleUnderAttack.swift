import AccountTesting
import Circles
import Marmot
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import Testing

extension MailPerson {
    /// The account's circles.
    var circles: AccountCircles {
        get throws {
            guard let circles = account.circles else { throw CircleError(.locked) }
            return circles
        }
    }

    /// The texts of a circle, oldest first.
    func lines(_ id: CircleID) async throws -> [String] {
        try await circles.reader.page(of: id, before: nil, limit: 500).lines.compactMap { line in
            if case .text(let text) = line.body { text } else { nil }
        }
    }
}

/// Accounts with a circle, and what somebody outside can do to it: read what its relay has, and post there.
struct CircleUnderAttack {
    static let relay = AccountTesting.relay("circle")
    let bench = MailBench { _ in [AccountCircles.factory()] }

    /// A circle of Alice's with Bob in it.
    func found(_ alice: MailPerson, _ bob: MailPerson) async throws -> CircleID {
        let id = try await alice.circles.membership.create("Family", about: "", relays: [Self.relay])
        let invite = try await alice.circles.membership.invite(to: id)
        try await bob.circles.membership.ask(invite, name: nil)
        try await bench.eventually("the request is there") {
            try await alice.circles.reader.overview().circles.first { $0.id == id }?.requests ?? 0 > 0
        }
        try await alice.circles.membership.admit([bob.key], to: id)
        try await bench.eventually("bob is in") {
            try await bob.circles.reader.overview().circles.contains { $0.id == id && $0.standing == .member }
        }
        return id
    }

    /// What anybody can see of circles: the events that relays have.
    func seen() async -> [Event] {
        var found: [Event] = []
        for await update in await bench.network.fetch(
            [Self.relay: [Filter(kinds: [.groupEvent])]], deadline: .seconds(10))
        {
            if case .events(let events, _) = update { found += events }
        }
        return found
    }
}
