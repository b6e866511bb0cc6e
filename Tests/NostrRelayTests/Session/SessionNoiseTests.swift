import NostrCore
import NostrTesting
import Testing

@testable import NostrRelay

@Suite("Relay session under noise")
struct SessionNoiseTests {
    /// What must hold whatever happens.
    private struct Ledger {
        var isConnected = false
        var opened: Set<QueryID> = []
        var offered: Set<PublishID> = []
        var open: Set<SubscriptionID> = []

        mutating func note(_ actions: [SessionAction], _ session: RelaySession) {
            for action in actions {
                switch action {
                case .send(.req(let id, _)):
                    #expect(open.insert(id).inserted)
                    fallthrough
                case .send, .ping, .sign, .disconnect: #expect(isConnected, "acts on a closed connection: \(action)")
                case .ended(let id, _), .counted(let id, _):
                    #expect(opened.remove(id) != nil, "ends twice")
                case .published(let id, _): #expect(offered.remove(id) != nil, "answers twice")
                case .deliver(let id, _): #expect(opened.contains(id) || session.reading.queries[id]?.mode == .standing)
                case .connect, .live, .interrupted: break
                }
            }
            let openAsks = session.reading.asks.values.count { $0.isOpen }
            #expect(openAsks <= max(session.limits.subscriptions, 1))
            if session.nextDeadline == nil { #expect(opened.isEmpty && offered.isEmpty) }
        }
    }

    @Test("any order of inputs keeps every promise", arguments: 0..<20 as Range<UInt64>)
    func inputs(seed: UInt64) throws {
        var run = try Run(seed: seed)
        for _ in 0..<3000 {
            try run.step()
        }
        run.bench.pass(.seconds(100))
        run.note(run.bench.session.tick(now: run.bench.now))
        #expect(run.ledger.opened.isEmpty && run.ledger.offered.isEmpty, "everything ends by its deadline")
    }

    private struct Run {
        var bench: SessionBench
        var ledger = Ledger()
        var random: SeededRandom
        var number: UInt64 = 20
        let events = (0..<8).map {
            TestPerson.bob.event("\($0)", kind: Kind(UInt16($0 % 2)), at: 1_700_000_000 - Int64($0 / 2))
        }

        init(seed: UInt64) throws {
            random = SeededRandom(seed: seed)
            let consents = [AuthenticationConsent.never, .ask, .allow]
            var settings = PoolSettings()
            // Half of the sessions distrust their relay now and then.
            settings.tolerance.fewest = seed % 2 == 0 ? .max : 5
            settings.tolerance.pause = .seconds(20)
            settings.tolerance.longestPause = .seconds(60)
            bench = try SessionBench(settings: settings, consent: consents[Int(seed % 3)])
            bench.session.limits.limit = seed % 2 == 0 ? 2 : nil
            bench.session.limits.subscriptions = Int(seed % 5) + 1
        }

        mutating func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &random) == 0 }

        mutating func note(_ actions: [SessionAction]) { ledger.note(actions, bench.session) }

        mutating func step() throws {
            number += 1
            switch Int.random(in: 0..<5, using: &random) {
            case 0: ask()
            case 1: askMore()
            case 2: link()
            case 3: try receive()
            default: note(bench.tick(after: .milliseconds(Int.random(in: 0..<3000, using: &random))))
            }
        }

        mutating func ask() {
            let query = QueryID(number: number)
            let filters = [Filter(kinds: [1]), Filter(kinds: [0])]
            switch Int.random(in: 0..<3, using: &random) {
            case 0: note(bench.subscribe(filters, as: query))
            case 1:
                ledger.opened.insert(query)
                note(bench.fetch(filters, as: query))
            default:
                ledger.opened.insert(query)
                note(bench.session.open(query, filters, .count(until: bench.now.uptime + .seconds(5)), now: bench.now))
            }
        }

        mutating func askMore() {
            let query = QueryID(number: UInt64.random(in: number - 20...number, using: &random))
            switch Int.random(in: 0..<3, using: &random) {
            case 0 where bench.session.reading.queries[query]?.mode == .standing:
                note(bench.session.change(query, [Filter(kinds: [Kind(UInt16(number % 3))])], now: bench.now))
            case 1:
                ledger.opened.remove(query)
                note(bench.session.cancel(query, now: bench.now))
            default:
                ledger.offered.insert(PublishID(number: number))
                let event = events[Int(number % 8)]
                let deadline = bench.now.uptime + .seconds(7)
                note(bench.session.publish(PublishID(number: number), event, until: deadline, now: bench.now))
            }
        }

        mutating func link() {
            if bench.session.link == .queued {
                guard bench.session.startConnecting() else { return }
                if chance(4) { return note(bench.session.didFailToConnect(.refused, now: bench.now)) }
                ledger.isConnected = true
                ledger.open = []
                note(bench.session.didConnect(now: bench.now))
            } else if ledger.isConnected, chance(8) {
                ledger.isConnected = false
                note(bench.session.didDisconnect(chance(2) ? nil : .io("x"), now: bench.now))
            } else {
                note(bench.session.didSign(chance(2) ? events[0] : nil, challenge: "c", now: bench.now))
            }
        }

        mutating func receive() throws {
            guard ledger.isConnected else { return }
            let name = Int.random(in: 0...bench.session.reading.askCount + 1, using: &random)
            let subscription = try #require(SubscriptionID("\(name)"))
            let event = events[Int.random(in: 0..<8, using: &random)]
            let reason = Reason(Reason.Prefix.allCases.randomElement(using: &random), "")
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1: note(bench.receive(event, subscription))
            case 2: note(bench.receive(.eose(subscription)))
            case 3:
                ledger.open.remove(subscription)
                note(bench.receive(.closed(subscription, reason)))
            case 4: note(bench.receive(.ok(event.id, accepted: chance(2), reason)))
            default:
                note(bench.receive(chance(2) ? .auth(challenge: "c") : .count(subscription, 5, approximate: false)))
            }
        }
    }
}
