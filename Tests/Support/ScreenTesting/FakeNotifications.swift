public import NostrClient
public import NostrCore
import Synchronization

/// What concerns an account, as a test put it in.
public final class FakeNotifications: NotificationReading {
    private struct State {
        var all: [AccountNotification] = []
        var targets: [EventID: Event] = [:]
        var people: [PublicKey: Person] = [:]
        var shown = Set(NotificationFilter.allCases)
        var readThrough = Timestamp(seconds: 0)
        var waking = NotificationWaking()
    }

    private let state = Mutex(State())

    /// Nothing happened yet.
    public init() {}

    /// Puts in what happened, the newest first, with what it is about and who did it.
    public func put(_ all: [AccountNotification], about targets: [Event] = [], by people: [PublicKey: Person] = [:]) {
        state.withLock { state in
            state.all = all
            state.targets = Dictionary(targets.map { ($0.id, $0) }) { first, _ in first }
            state.people = people
        }
    }

    /// Up to when all was marked as read.
    public var readThrough: Timestamp { state.withLock { $0.readThrough } }

    public var isChecking: Bool { false }

    public func page(
        _ sorts: Set<AccountNotification.Sort>?, before cursor: TimelineCursor?, since: Timestamp?, limit: Int
    ) async throws -> NotificationPage {
        state.withLock { state in
            let wanted: Set<AccountNotification.Sort> =
                sorts ?? state.shown.reduce(into: []) { $0.formUnion($1.sorts) }
            let below = state.all.filter { one in
                wanted.contains(one.sort) && cursor.map { one.moment < $0.createdAt } ?? true
            }
            let page = Array(below.prefix(limit))
            let last = below.count > limit ? page.last : nil
            return NotificationPage(
                groups: NotificationGroup.groups(of: page),
                unread: Set(page.filter { $0.moment > state.readThrough }.map(\.id)), targets: state.targets,
                people: state.people, next: last.map { TimelineCursor(createdAt: $0.moment, id: $0.id) },
                readThrough: state.all.first?.moment ?? Timestamp(seconds: 0))
        }
    }

    public func unread() async throws -> Int {
        state.withLock { state in min(100, state.all.count { $0.moment > state.readThrough }) }
    }

    public func summary(since moment: Timestamp) async throws -> NotificationSummary {
        state.withLock { NotificationSummary($0.all) }
    }

    public func shown() async throws -> Set<NotificationFilter> { state.withLock { $0.shown } }

    public func show(_ filters: Set<NotificationFilter>) async throws { state.withLock { $0.shown = filters } }

    public func waking() async throws -> NotificationWaking { state.withLock { $0.waking } }

    public func setWaking(_ waking: NotificationWaking) async throws { state.withLock { $0.waking = waking } }

    public func markRead(through moment: Timestamp?) async throws {
        state.withLock { $0.readThrough = moment ?? Timestamp(seconds: .max) }
    }
}
