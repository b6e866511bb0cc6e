import Circles
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("the chat of a circle")
struct CirclePagesTests {
    @Test(
        "says how much is not read yet, and nothing of it once all is",
        arguments: [
            (CircleProgress.catchingUp(toRead: 26), "Catching up, 26 to read"), (.catchingUp(toRead: 0), "Catching up"),
            (.unreachable, "No relay of this circle is connected"), (.upToDate, ""), (.outOfStep, ""),
        ])
    func progress(of progress: CircleProgress, words: String) throws {
        let own = FakeAuthor(1).key
        var summary = CircleSummary(id: try #require(CircleID([1])), name: "The weir", standing: .member)
        summary.progress = progress
        let page = CirclePage(
            summary: summary, about: "", relays: [], members: [], requests: [], lines: [], older: nil, warning: nil)
        var state = CircleState(summary.id, own: own)
        _ = state.apply(.read(page))
        let style = NoteStyle(now: Timestamp(seconds: 0), media: .never, pictureHosts: [], canSign: true)
        let log = circleLog(state, ownPictures: [], FormToken(secret: "token"), style).text
        #expect(log.contains("role=\"status\" data-talk-state>\(words)</p>"))
        // In the list of circles it stands where there is nothing else to tell.
        #expect(state.item?.state == (words.isEmpty ? nil : words))
    }

    @Test("asks about the relays that somebody else chose in a private network, and says which are allowed")
    func unchosenRelays() throws {
        let summary = CircleSummary(id: try #require(CircleID([1])), name: "The weir", standing: .member)
        func notice(_ relays: [String], allowed: Set<String> = []) throws -> String {
            var page = CirclePage(
                summary: summary, about: "", relays: [], members: [], requests: [], lines: [], older: nil, warning: nil)
            page.unchosenRelays = try relays.map { try RelayURL($0) }
            var state = CircleState(summary.id, own: FakeAuthor(1).key)
            _ = state.apply(.read(page))
            return circleRelaysNotice(state, allowed: allowed, FormToken(secret: "token")).text
        }
        #expect(try notice([]) == "")
        let one = try notice(["ws://192.168.1.5:7777"])
        #expect(one.contains("The only relay of this circle, ws://192.168.1.5:7777, is in a private network."))
        #expect(one.contains(">Allow ws://192.168.1.5:7777</button>") && one.contains(#"value="/circles/01""#))
        let allowed = try notice(["ws://192.168.1.5:7777"], allowed: ["ws://192.168.1.5:7777"])
        #expect(!allowed.contains("<button") && allowed.contains("is allowed; Linnet is trying to connect to it."))
        let two = try notice(["ws://10.0.0.1", "ws://10.0.0.2"], allowed: ["ws://10.0.0.1"])
        #expect(two.contains("All relays of this circle are in private networks."))
        #expect(two.contains(">Allow ws://10.0.0.2</button>") && !two.contains(">Allow ws://10.0.0.1</button>"))
    }
}
