public import NostrClient
public import NostrCore
import Synchronization

/// What people reported, as a test put it in.
public final class FakeReports: ReportReading {
    private struct State {
        var events: [EventID: [ReportGroup]] = [:]
        var people: [PublicKey: [ReportGroup]] = [:]
    }

    private let state = Mutex(State())

    /// Nobody reported anything yet.
    public init() {}

    /// Has a note reported.
    public func put(_ groups: [ReportGroup], about id: EventID) { state.withLock { $0.events[id] = groups } }

    /// Has a person reported.
    public func put(_ groups: [ReportGroup], about person: PublicKey) {
        state.withLock { $0.people[person] = groups }
    }

    public func reports(about id: EventID, by author: PublicKey) async throws -> [ReportGroup] {
        state.withLock { $0.events[id] } ?? []
    }

    public func reports(about person: PublicKey) async throws -> [ReportGroup] {
        state.withLock { $0.people[person] } ?? []
    }
}
