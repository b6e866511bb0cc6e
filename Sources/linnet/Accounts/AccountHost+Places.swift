internal import Circles
internal import Location
import NostrClient
import NostrCore

// Where this machine is.
extension AccountHost {
    /// Has every account, those opened later too, read its own place from a source of its own.
    func readPlaces(from source: @escaping @Sendable (LiveAccount) async -> (any LocationSource)?) async {
        placeReading = (placeReading.count + 1, source)
        for open in atWork.values { await givePlaceSource(to: open) }
    }

    /// Has an account ask once more what it reads its place from.
    func readPlaceAnew(for key: PublicKey) async {
        placeReading.count += 1
        if let open = atWork[key] { await givePlaceSource(to: open) }
    }

    /// Gives an account what it reads its place from.
    func givePlaceSource(to open: AccountAtWork) async {
        var given: Int
        // Chosen anew meanwhile, the newest counts.
        repeat {
            given = placeReading.count
            open.places.set(await placeReading.source?(open.account))
        } while given != placeReading.count
    }
}
