internal import Circles
internal import Location
import NostrClient

// Where this machine is.
extension AccountHost {
    /// Has every account, those opened later too, read its own place from a source; `nil` for none.
    func readPlaces(from source: (@Sendable (LiveAccount) -> any LocationSource)?) async {
        placeReading = (placeReading.count + 1, source)
        for open in atWork.values { await givePlaceSource(to: open) }
    }

    /// Gives an account what it reads its place from.
    func givePlaceSource(to open: AccountAtWork) async {
        var given: Int
        // Chosen anew meanwhile, the newest counts.
        repeat {
            given = placeReading.count
            open.places.set(placeReading.source?(open.account))
        } while given != placeReading.count
    }
}
