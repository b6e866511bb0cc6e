import Foundation
import Location
import NostrClient
import Testing

@testable import ViewModels

@Suite("the source of this machine's place")
struct PlaceSourceTests {
    private static let gpsd = PlaceSource.gpsd(address: "10.0.0.7:2947")
    private static let track = PlaceSource.track(file: "/home/ada/way.gpx")

    private static let outcomes: [(PlaceSource, PlaceOutcome, String)] = [
        (gpsd, .failed(.sourceGone), "gpsd does not answer at 10.0.0.7:2947; is it running?"),
        (gpsd, .failed(.noDevice), "gpsd answers at 10.0.0.7:2947, but no receiver is attached to it."),
        (gpsd, .found(accuracy: 4.2), "A position came, exact to 5 m."),
        (gpsd, .found(accuracy: .infinity), "A position came, exact to 0 m."),
        (
            .geoClue, .failed(.notAllowed),
            "The desktop's location service says no: allow it in the desktop's privacy settings."
        ),
        (.geoClue, .failed(.noDevice), "There is no location service (GeoClue) on this machine."),
        (.geoClue, .nothing, "The desktop's location service knows no place yet."),
        (track, .failed(.sourceGone), "/home/ada/way.gpx cannot be read any more."),
        (.fixed, .failed(.notAllowed), "The entered place can be read only while the account is unlocked."),
        (.fixed, .failed(.noDevice), "No place is entered for this account yet."),
    ]

    @Test("what came of looking is said plainly", arguments: outcomes)
    func sentences(source: PlaceSource, outcome: PlaceOutcome, sentence: String) {
        #expect(PlaceWords.outcome(outcome, of: source) == sentence)
    }

    @Test("every failure of every source has a sentence of its own source")
    func complete() {
        let failures: [LocationFailure] = [.notAllowed, .noDevice, .noFix, .sourceGone]
        for outcome in failures.map(PlaceOutcome.failed) + [.nothing] {
            #expect(PlaceWords.outcome(outcome, of: Self.gpsd).contains("10.0.0.7:2947"))
            #expect(PlaceWords.outcome(outcome, of: Self.track).contains("way.gpx"))
            #expect(PlaceWords.outcome(outcome, of: PlaceSource.geoClue).contains("location service"))
        }
    }

    @Test("an account's settings are kept with it", arguments: [gpsd, .geoClue, track, .fixed, nil])
    func kept(source: PlaceSource?) throws {
        let settings = PersonalSettings(placeSource: source)
        #expect(try JSONDecoder().decode(PersonalSettings.self, from: JSONEncoder().encode(settings)) == settings)
    }
}
