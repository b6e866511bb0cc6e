import Circles
import NostrClient
import NostrCore
import NostrRelay
import ScreenTesting
import Testing

@testable import ViewModels

/// What pages say of a relay in a private network.
struct NearRelayWordsTests {
    private func near() throws -> RelayURL { try RelayURL("ws://192.168.1.5:7777") }

    @Test("a search says why the one relay was not asked, and counts it as silent among others")
    func search() throws {
        let (near, far) = (try near(), try RelayURL("wss://far.example"))
        #expect(
            SearchWords.progress([SearchedRelay(near, .notChosen)])
                == "192.168.1.5:7777 is in a private network and was not asked. Linnet asks it once you allow that.")
        #expect(
            SearchWords.progress([SearchedRelay(near, .notChosen), SearchedRelay(far, .answered)])
                == "1 of 2 relays answered.")
        #expect(SearchWords.progress([SearchedRelay(far, .failed)]) == "None of 1 relay answered.")
    }

    @Test("an invitation all of whose relays are in private networks is asked about")
    func invitation() throws {
        let (near, far) = (try near(), try RelayURL("ws://10.0.0.1"))
        var asked = AskedCircle(
            id: try #require(CircleID([1])), name: "The weir", inviter: Person(key: FakeAuthor(1).key),
            askedAt: Timestamp(seconds: 0))
        #expect(WaitingCircleItem(asked).relayQuestion == nil)
        asked.unchosenRelays = [near]
        let one = WaitingCircleItem(asked)
        #expect(one.unchosenRelays == ["ws://192.168.1.5:7777"])
        #expect(
            one.relayQuestion
                == "The only relay that the invitation names, ws://192.168.1.5:7777, is in a private network. Linnet asks there once you allow it."
        )
        asked.unchosenRelays = [near, far]
        #expect(
            WaitingCircleItem(asked).relayQuestion
                == "All relays that the invitation names are in private networks. Linnet asks at each once you allow it."
        )
    }

    private func item(_ state: RelayStatistics.State, awaits: Bool, isOwn: Bool = false) throws -> RelayItem {
        var statistics = RelayStatistics()
        statistics.state = state
        statistics.awaitsPermission = awaits
        statistics.lastProblem = .failure(awaits ? .privateAddress : .refused)
        return RelayItem(
            RelayReport(
                relay: try near(), statistics: statistics, authors: [], isOwnRead: isOwn, isOwnWrite: false))
    }

    @Test("a relay that waits to be allowed says so instead of failing, also while its name is looked up again")
    func standing() throws {
        for state in [RelayStatistics.State.waiting(retryAfter: .seconds(60)), .idle, .connecting] {
            let relay = try item(state, awaits: true)
            #expect(relay.health == .awaitsPermission && relay.awaitsPermission)
            #expect(relay.health.words == "Needs permission")
            #expect(relay.problem == "in a private network; not asked until you allow it")
        }
        let blocked = try item(.blocked, awaits: true)
        #expect(blocked.health == .blocked && !blocked.awaitsPermission)
        let failing = try item(.waiting(retryAfter: .seconds(60)), awaits: false)
        #expect(failing.health == .failing)
        #expect(failing.problem == "the relay refused the connection")
        let own = try item(.idle, awaits: true, isOwn: true)
        #expect(own.health == .resting && !own.awaitsPermission)
    }

    @Test("what a person wrote there was not asked for, which is another thing than not reachable")
    func coverage() throws {
        let far = try RelayURL("wss://far.example")
        for ending in [RelayEnding.failed(.privateAddress), .notAsked(.failedBefore(.privateAddress))] {
            let coverage = AuthorCoverage(
                person: Person(key: FakeAuthor(1).key), asked: [try near(): ending, far: .failed(.refused)],
                received: [:], basis: .relayList)
            #expect(
                CoverageItem(coverage).answers.map(\.ending)
                    == ["in a private network; not asked until you allow it", "not reachable"])
        }
    }

    @Test("the page of drafts says which typed relay could not be searched, and why")
    func drafts() throws {
        let (near, far) = (try near(), try RelayURL("wss://far.example"))
        var relays = DraftRelays(kept: [], offered: [], isDeclined: true, searched: [near, far])
        #expect(DraftsPage.Places(relays).unreached == [])
        relays.unreached = [near: .failed(.refused), far: .deadline]
        #expect(
            DraftsPage.Places(relays).unreached == [
                "192.168.1.5:7777 could not be searched: the relay refused the connection.",
                "far.example could not be searched: the relay did not answer in time.",
            ])
    }
}
