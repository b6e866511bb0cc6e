import AsyncPrimitives
internal import Circles
internal import Location
import Logging
import NostrClient
import NostrCore
import ViewModels

/// Reads this machine's place for the accounts of a host, for each from what its person chose.
struct MachinePlaces: MachinePlace {
    let host: AccountHost
    let settings: any PersonalSettingsKeeping
    let log: Logger
    /// How long somebody who looks waits for a position.
    private static let patience = Duration.seconds(10)

    var offersGeoClue: Bool { PlaceSource.offersGeoClue }

    func check(_ source: PlaceSource) async throws {
        _ = try source.reading(time: time) { nil }
    }

    /// Reads it from now on, for accounts that are opened later too.
    func begin() async {
        await host.readPlaces { await source(for: $0) }
    }

    func placeSourceDidChange(of account: PublicKey) async {
        await host.readPlaceAnew(for: account)
    }

    func look(by source: PlaceSource, for account: any Account) async -> PlaceOutcome {
        do {
            let reading = try source.reading(time: time) { try await account.circlesWithKey().sharing.fixedPlace() }
            return PlaceOutcome(await reading.first(within: Self.patience))
        } catch {
            return .failed(.sourceGone)
        }
    }

    /// What the place is read from for an account; `nil` for nothing.
    private func source(for account: LiveAccount) async -> (any LocationSource)? {
        guard let chosen = await settings.settings(of: account.publicKey).placeSource else { return nil }
        if chosen == .fixed {
            return KeptPlace(place: { try await account.openCircles().sharing.fixedPlace() }, time: time)
        }
        do {
            return try chosen.reading(time: time) { nil }
        } catch {
            log.warning("what was chosen to tell this machine's place cannot be used; see its page of the settings")
            return nil
        }
    }

    private var time: Time<Timestamp> { Time(clock: ContinuousClock(), now: { .current }) }
}
