import AsyncPrimitives
internal import Circles
internal import Location
import Logging
import NostrClient
import NostrCore
import ViewModels

/// Reads this machine's place for the accounts of a host, from what the person chose.
struct MachinePlaces: MachinePlace {
    let host: AccountHost
    let log: Logger
    /// How long somebody who looks waits for a position.
    private static let patience = Duration.seconds(10)

    var offersGeoClue: Bool { PlaceSource.offersGeoClue }

    func check(_ source: PlaceSource) async throws {
        _ = try source.reading(time: time) { nil }
    }

    func use(_ source: PlaceSource?) async {
        guard let source else { return await host.readPlaces(from: nil) }
        if source == .fixed {
            return await host.readPlaces { [time] account in
                KeptPlace(place: { try await account.openCircles().sharing.fixedPlace() }, time: time)
            }
        }
        do {
            let reading = try source.reading(time: time) { nil }
            await host.readPlaces { _ in reading }
        } catch {
            log.warning("what was chosen to tell this machine's place cannot be used; see its page of the settings")
            await host.readPlaces(from: nil)
        }
    }

    func look(by source: PlaceSource, for account: any Account) async -> PlaceOutcome {
        do {
            let reading = try source.reading(time: time) { try await account.circlesWithKey().sharing.fixedPlace() }
            return PlaceOutcome(await reading.first(within: Self.patience))
        } catch {
            return .failed(.sourceGone)
        }
    }

    private var time: Time<Timestamp> { Time(clock: ContinuousClock(), now: { .current }) }
}
