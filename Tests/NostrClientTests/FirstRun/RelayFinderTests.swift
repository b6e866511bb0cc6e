import AccountTesting
import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import Testing

@testable import NostrClient

/// Choosing relays by what others name.
struct RelayTallyTests {
    private func tally(_ names: [String: Int]) -> RelayTally {
        var tally = RelayTally()
        for number in 0..<(names.values.max() ?? 0) {
            let tags = names.filter { $0.value > number }.keys.sorted().map {
                NostrCore.Tag(["r", "wss://\($0).example"])
            }
            tally.count(stranger(number).event(kind: 10_002, tags: tags))
        }
        return tally
    }

    @Test(
        "the five most named are left out, those named less than three times too, and the most named come first",
        arguments: [
            (["a": 9, "b": 8, "c": 8, "d": 7, "e": 6, "f": 5, "g": 4, "h": 3, "i": 2], ["f", "g", "h"]),
            (["a": 9, "b": 9, "c": 9, "d": 9, "e": 9], []), ([:], []),
            (["a": 9, "b": 9, "c": 9, "d": 9, "e": 9, "g": 3, "f": 3], ["f", "g"]),
        ] as [([String: Int], [String])])
    func candidates(names: [String: Int], expected: [String]) {
        let found = tally(names).candidates { _ in true }
        #expect(found.map(\.relay) == expected.map { relay($0) })
    }

    @Test("no more than fifteen are tried, and only those that may be contacted")
    func limits() {
        let many = Dictionary(uniqueKeysWithValues: (0..<40).map { ("r\($0)", 5) })
        #expect(tally(many).candidates { _ in true }.count == RelayTally.mostCandidates)
        let forbidden = relay("f")
        let names = ["a": 9, "b": 8, "c": 8, "d": 7, "e": 6, "f": 5, "g": 4]
        #expect(tally(names).candidates { $0 != forbidden }.map(\.relay) == [relay("g")])
    }

    @Test("of one person the newest list counts, once, and no more of it than somebody chose")
    func onePerson() {
        var tally = RelayTally()
        let bob = TestPerson.bob
        tally.count(bob.event(kind: 10_002, tags: [["r", "wss://old.example"]], at: 10))
        tally.count(bob.event(kind: 10_002, tags: [["r", "wss://new.example"]], at: 20))
        tally.count(bob.event(kind: 10_002, tags: [["r", "wss://old.example"]], at: 10))
        tally.count(bob.event(kind: 1, tags: [["r", "wss://note.example"]], at: 30))
        #expect(tally.people == 1)
        #expect(tally.candidates { _ in true }.isEmpty)
    }
}

/// Trying relays without the person's key.
@Suite(.timeLimit(.minutes(5)))
struct RelayFinderTests {
    private let clock = ManualClock()
    private let network: ScriptedNetwork

    init() { network = ScriptedNetwork(clock: clock) }

    private func finder(_ sources: FirstRunSources) -> RelayFinder {
        let clock = clock
        return RelayFinder(
            network: network, sources: sources,
            time: Time(clock: clock, now: { Timestamp(seconds: 1_700_000_000) + clock.now.offset }),
            random: RandomSource(SeededRandom(seed: 7))
        ) { !$0.isPrivate }
    }

    private var sources: FirstRunSources {
        var sources = FirstRunSources()
        sources.relayLists = [relay("one"), relay("two")]
        sources.usualRelays = [relay("usual")]
        return sources
    }

    /// Nine people name nine relays, five of which everybody names.
    private func layOutLists() {
        for number in 0..<9 {
            let names = ["a", "b", "c", "d", "e", "quick", "paid", "shut", "gone"]
            network.put(
                [
                    stranger(number).event(
                        kind: 10_002, tags: names.map { NostrCore.Tag(["r", "wss://\($0).example"]) })
                ],
                on: number < 5 ? relay("one") : relay("two"))
        }
        // Ranked by address where equally named, so that a to e are the five left out.
        network.set(relay("paid"), .readOnly(Reason(.blocked, "members only")))
        network.set(relay("shut"), .refuses(Reason(.authRequired, "who are you")))
        network.set(relay("gone"), .dead)
    }

    @Test("relays that others name are tried, and what each does is told apart")
    func found() async {
        layOutLists()
        let search = await finder(sources).find()
        #expect(search.phase == .over)
        #expect(search.lists == 9)
        #expect(search.candidates.map(\.relay) == [relay("quick"), relay("paid"), relay("shut"), relay("gone")])
        #expect(search.candidates.map(\.takesEvents) == [true, false, false, false])
        #expect(search.candidates.map(\.answer).suffix(2) == [.refused, .unreachable])
        #expect(search.choice == [relay("quick")])
        #expect(search.candidates.first?.names == 9)
    }

    @Test("every relay is shown another key, which is nobody's")
    func keys() async {
        layOutLists()
        network.set(relay("paid"), .answers)
        _ = await finder(sources).find()
        let offers = network.offers
        #expect(Set(offers.map(\.relay)) == [relay("quick"), relay("paid")])
        #expect(Set(offers.map(\.event.pubkey)).count == 2)
        #expect(offers.allSatisfy { $0.event.kind.retention == .ephemeral && $0.event.content.isEmpty })
        #expect(network.questions.allSatisfy { $0.filters.allSatisfy { $0.authors == nil } })
    }

    @Test("a private address that strangers name is not contacted")
    func privateAddress() async {
        for number in 0..<9 {
            network.put(
                [
                    stranger(number).event(
                        kind: 10_002,
                        tags: ["a", "b", "c", "d", "e"].map { NostrCore.Tag(["r", "wss://\($0).example"]) }
                            + [["r", "ws://192.168.1.1"]])
                ], on: relay("one"))
        }
        let search = await finder(sources).find()
        #expect(search.candidates.map(\.relay) == [relay("usual")])
        #expect(!network.questions.contains { $0.relay.isPrivate })
    }

    @Test("a usual relay that others cannot reach is not offered")
    func privateUsualRelay() async throws {
        var sources = sources
        sources.usualRelays.append(try RelayURL("ws://127.0.0.1:7777"))
        let search = await finder(sources).find()
        #expect(search.candidates.map(\.relay) == [relay("usual")])
        #expect(!network.questions.contains { $0.relay.isPrivate })
    }

    /// What a monitor says of a relay.
    private func claim(_ name: String, by number: Int, _ more: [NostrCore.Tag] = [["rtt-open", "90"]]) -> Event {
        stranger(number).event(kind: 30_166, tags: [["d", "wss://\(name).example"]] + more, at: 1_699_999_000)
    }

    @Test("a few of those that monitors reached are tried beside those that people name, not those everybody names")
    func monitors() async {
        layOutLists()
        var sources = sources
        sources.relayMonitors = [relay("two"), relay("watch")]
        let many = (0..<9).map { claim("m\($0)", by: 20) }
        let open = [claim("m8", by: 21), claim("quick", by: 20), claim("a", by: 20)]
        let closed = [
            claim("pay", by: 20, [["rtt-open", "1"], ["R", "payment"]]), claim("unreached", by: 20, []),
            claim("onion", by: 20, [["rtt-open", "1"], ["n", "tor"]]),
        ]
        network.put(many + open + closed, on: relay("watch"))
        let search = await finder(sources).find()
        let beside = search.candidates.filter { $0.names == 0 }
        #expect(Set(beside.map(\.relay)) == Set(["m8", "m0", "m1", "m2", "m3"].map { relay($0) }))
        #expect(beside.first { $0.relay == relay("m8") }?.monitors == 2)
        #expect(search.candidates.first { $0.relay == relay("quick") }?.monitors == 1)
        let unwanted = ["pay", "unreached", "onion", "a"].map { relay($0) }
        #expect(!network.questions.contains { unwanted.contains($0.relay) })
    }

    @Test("where nobody's lists were read monitors stand in for them, before the usual relays")
    func monitorsAlone() async {
        var sources = sources
        sources.relayMonitors = [relay("watch")]
        network.put((0..<4).map { claim("m\($0)", by: 20) }, on: relay("watch"))
        let search = await finder(sources).find()
        #expect(Set(search.candidates.map(\.relay)) == Set((0..<4).map { relay("m\($0)") }))
    }

    @Test("without a network the usual relays are shown as unreachable, and the search ends in time")
    func offline() async throws {
        network.set(relay("one"), .silent)
        network.set(relay("two"), .stuck)
        network.set(relay("usual"), .stuck)
        let seen = CurrentValue<[RelaySearch.Phase]>([])
        let (finder, clock) = (finder(sources), clock)
        let search = await withTaskGroup(of: RelaySearch?.self) { group in
            group.addTask { await finder.find { search in seen.set(seen.value + [search.phase]) } }
            group.addTask {
                while !Task.isCancelled {
                    clock.advance(by: .seconds(1))
                    await Task.yield()
                }
                return nil
            }
            let found = await group.first { $0 != nil } ?? nil
            group.cancelAll()
            return found
        }
        #expect(search?.candidates == [RelaySearch.Candidate(relay: relay("usual"), names: 0, answer: .unreachable)])
        #expect(search?.choice == [])
        #expect(seen.value.first == .reading(answered: 0, of: 2))
        #expect(seen.value.contains(.trying))
    }
}

/// A person nobody knows.
struct Stranger {
    let number: Int

    private var key: SecretKey {
        // A small number is a valid scalar.
        do { return try SecretKey(hex: String(repeating: "0", count: 60) + String(1000 + number)) } catch {
            preconditionFailure("not a key: \(error)")
        }
    }

    var publicKey: PublicKey { key.publicKey }

    func event(_ content: String = "", kind: Kind, tags: [NostrCore.Tag] = [], at seconds: Int64 = 1_700_000_000)
        -> Event
    {
        var random = SeededRandom(seed: UInt64(number))
        let draft = EventDraft(kind: kind, tags: tags, content: content, createdAt: Timestamp(seconds: seconds))
        return Event(signing: draft, with: key, using: &random)
    }
}

func stranger(_ number: Int) -> Stranger { Stranger(number: number) }
