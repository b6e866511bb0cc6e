import HTTPTypes
import Location
import NostrClient
import NostrCore
import ScreenTesting
import Synchronization
import Testing
import ViewModels

@testable import WebUI

@Suite("the page of this machine's place")
struct PlaceSettingsTests {
    @Test("a source is checked, kept and used from then on; looking says what came of it")
    func chosen() async throws {
        let place = ScriptedPlace(outcome: .failed(.sourceGone))
        let under = try FaceUnderTest(.plain(notes: 0), place: place)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/settings/place", cookie: cookie)
            #expect(page.text.contains("127.0.0.1:2947") && !page.text.contains("Look now"))
            #expect(try await browser.get("/settings", cookie: cookie).text.contains("/settings/place"))
            let saved = try await browser.post(
                "/settings/place", ["csrf": page.csrf, "source": "gpsd", "address": " 10.0.0.7:2947 "], cookie: cookie)
            #expect(saved.location == "/settings/place?saved=1")
            let source = PlaceSource.gpsd(address: "10.0.0.7:2947")
            #expect(await under.personal.placeSource == source)
            let account = under.account.publicKey
            #expect(place.changes == [account])
            let looked = try await browser.post("/settings/place/look", ["csrf": page.csrf], cookie: cookie)
            #expect(looked.text.contains("gpsd does not answer at 10.0.0.7:2947; is it running?"))
            _ = try await browser.post("/settings/place", ["csrf": page.csrf, "source": "none"], cookie: cookie)
            #expect(await under.personal.placeSource == nil)
            #expect(place.changes == [account, account])
        }
    }

    @Test("what cannot be used is said, and neither kept nor used")
    func refused() async throws {
        let place = ScriptedPlace(problem: Trouble("That is not an address of gpsd."), offersGeoClue: false)
        let under = try FaceUnderTest(.plain(notes: 0), place: place)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/settings/place", cookie: cookie)
            #expect(!page.text.contains("GeoClue"))
            let answer = try await browser.post(
                "/settings/place", ["csrf": page.csrf, "source": "gpsd", "address": "<b>"], cookie: cookie)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.text.contains("That is not an address of gpsd.") && answer.text.contains("&lt;b&gt;"))
            #expect(await under.personal == PersonalSettings())
            #expect(place.changes.isEmpty)
        }
    }

    @Test("without anything that could read a place there is no such page")
    func absent() async throws {
        try await FaceUnderTest(.plain(notes: 0)).test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get("/settings/place", cookie: cookie).status == .notFound)
            #expect(try await !browser.get("/settings", cookie: cookie).text.contains("/settings/place"))
        }
    }
}

/// Reads no place: answers as a test says.
private final class ScriptedPlace: MachinePlace {
    let offersGeoClue: Bool
    private let problem: Trouble?
    private let outcome: PlaceOutcome
    private let told = Mutex<[PublicKey]>([])

    init(problem: Trouble? = nil, outcome: PlaceOutcome = .nothing, offersGeoClue: Bool = true) {
        (self.problem, self.outcome, self.offersGeoClue) = (problem, outcome, offersGeoClue)
    }

    /// For whom another source was chosen, in order.
    var changes: [PublicKey] { told.withLock { $0 } }

    func check(_ source: PlaceSource) async throws {
        if let problem { throw problem }
    }

    func placeSourceDidChange(of account: PublicKey) async { told.withLock { $0.append(account) } }

    func look(by source: PlaceSource, for account: any Account) async -> PlaceOutcome { outcome }
}
