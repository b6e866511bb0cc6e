public import NostrClient
public import NostrCore
import Synchronization

/// Apps for kinds that are not shown, as a test put them in.
public final class FakeApps: AppOffering {
    private let offers = Mutex<[EventID: [AppOffer]]>([:])
    private let asked = Mutex<[EventID]>([])

    /// No apps yet.
    public init() {}

    /// Has apps open a note.
    public func put(_ apps: [AppOffer], opening id: EventID) { offers.withLock { $0[id] = apps } }

    /// For which notes apps were looked for, in order.
    public var questions: [EventID] { asked.withLock { $0 } }

    public func apps(opening id: EventID) async throws -> [AppOffer] {
        asked.withLock { $0.append(id) }
        return offers.withLock { $0[id] } ?? []
    }
}
