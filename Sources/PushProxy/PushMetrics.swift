internal import AsyncPrimitives
internal import NostrCore
internal import Synchronization

/// What a push proxy counts; numbers only, nothing of whom it wakes.
public final class PushMetrics: Sendable {
    /// One thing that is counted.
    enum Count: String, CaseIterable {
        case events, woken
        case notARequest, stale, repeated, unregistered, limited, claimedElsewhere
        case delivered, failed, refused, retried, pruned, gone410, bad400, later, crowded
        case registered, withdrawn, paired, unpaired, unauthorized, tooMany, registryFailures
    }

    private struct State {
        var counts: [Count: Int] = [:]
        var lastEvent: Timestamp?
        var apnsSince: Timestamp?
        var slowest: Duration = .zero
    }

    private let state = Mutex(State())
    /// Rings after ``count(_:_:)``.
    let changes = Doorbell()

    /// Counts from zero.
    public init() {}

    /// Counts something once more, or several times.
    func count(_ count: Count, _ times: Int = 1) {
        guard times > 0 else { return }
        state.withLock { $0.counts[count, default: 0] += times }
        changes.ring()
    }

    /// How often something happened.
    func value(_ count: Count) -> Int {
        state.withLock { $0.counts[count] ?? 0 }
    }

    /// Notes when an event came.
    func received(_ events: Int, at moment: Timestamp) {
        state.withLock { state in
            state.counts[.events, default: 0] += events
            state.lastEvent = moment
        }
    }

    /// When the last event came.
    var lastEvent: Timestamp? { state.withLock { $0.lastEvent } }

    /// Since when Apple's push service answers without a break; `nil` when it did not answer last.
    var apnsSince: Timestamp? { state.withLock { $0.apnsSince } }

    /// Notes whether Apple's push service answered.
    func apnsAnswered(_ answered: Bool, at moment: Timestamp) {
        state.withLock { $0.apnsSince = answered ? $0.apnsSince ?? moment : nil }
    }

    /// How long after its event the last push was handed over, at worst since this was asked before.
    func takeSlowest() -> Duration {
        state.withLock { state in
            defer { state.slowest = .zero }
            return state.slowest
        }
    }

    /// Notes how long a request took from its event to the push service's answer.
    func answered(within span: Duration) {
        state.withLock { $0.slowest = max($0.slowest, span) }
    }

    /// The Prometheus text format.
    ///
    /// - Parameter gauges: further numbers of the moment, by name, with a help text.
    func text(gauges: [(name: String, help: String, value: Double)]) -> String {
        let counts = state.withLock { $0.counts }
        var text = "# HELP linnet_push_total What the push proxy did, by kind.\n# TYPE linnet_push_total counter\n"
        for count in Count.allCases {
            text += "linnet_push_total{what=\"\(count.rawValue)\"} \(counts[count] ?? 0)\n"
        }
        for gauge in gauges {
            text += "# HELP \(gauge.name) \(gauge.help)\n# TYPE \(gauge.name) gauge\n\(gauge.name) \(gauge.value)\n"
        }
        return text
    }
}
