internal import Logging
internal import NostrCore
internal import NostrStore
internal import Synchronization

/// Hands requests to push services, many at a time, and remembers what they say of a device.
///
/// Services that are slow, also those that strangers set up to be slow, take only their share (``DeliveryPermits``).
final class Deliveries: Sendable {
    private struct State {
        var permits = DeliveryPermits()
        var resting: Set<String> = []
    }

    private let senders: Senders
    private let registry: any PushRegistry
    private let metrics: PushMetrics
    private let clock: any Clock<Duration>
    private let log: Logger
    private let state = Mutex(State())
    private let rests: AsyncStream<Rest>
    private let resting: AsyncStream<Rest>.Continuation

    /// A device that is left alone for a while, and what it is told then.
    private struct Rest: Sendable {
        let request: WakeRequest
        let device: PushDevice
        let sender: any PushSender
        let wait: Duration
    }

    init(
        senders: Senders, registry: any PushRegistry, metrics: PushMetrics, clock: any Clock<Duration>, log: Logger
    ) {
        self.senders = senders
        self.registry = registry
        self.metrics = metrics
        self.clock = clock
        self.log = log
        (rests, resting) = AsyncStream.makeStream(of: Rest.self)
    }

    /// Waits out the rests that services ask for, until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await rest in rests { group.addTask { await self.waitOut(rest) } }
            group.cancelAll()
        }
    }

    /// Reserves a slot for a device; `nil` when its service has none left, or it wants to rest.
    func slot(for device: PushDevice) -> Slot? {
        guard let sender = senders.sender(for: device.address) else { return nil }
        let service = DeliveryPermits.Service(device.address)
        let permit = state.withLock { state in
            state.resting.contains(device.address.identity) ? nil : state.permits.acquire(for: service)
        }
        guard let permit else {
            metrics.count(.crowded)
            return nil
        }
        return Slot(sender: sender, permit: permit)
    }

    /// A permit for one message, and who sends it.
    struct Slot: Sendable {
        let sender: any PushSender
        let permit: DeliveryPermits.Permit

        /// For logs: a host may be one person's.
        var kind: String { permit.service == .apple ? "apns" : "web" }
    }

    /// Delivers one request to one device; ends within seconds, and says whether the push service took it.
    @discardableResult
    func deliver(_ request: WakeRequest, to device: PushDevice, in slot: Slot) async -> Bool {
        let outcome = await slot.sender.send(request, to: device.address)
        let isDelivered = if case .delivered = outcome { true } else { false }
        state.withLock { $0.permits.giveBack(slot.permit, delivered: isDelivered) }
        await note(outcome, of: request, to: device, in: slot)
        return isDelivered
    }

    /// Tells one device of something that is no request; what is not delivered now is not tried again.
    ///
    /// - Returns: whether the push service took it.
    func notify(_ device: PushDevice, in slot: Slot) async -> Bool {
        let outcome = await slot.sender.notify(device.address)
        let isDelivered = if case .delivered = outcome { true } else { false }
        state.withLock { $0.permits.giveBack(slot.permit, delivered: isDelivered) }
        switch outcome {
        case .delivered: metrics.count(.delivered)
        case .gone(let moment): await forget(device, seenBefore: moment)
        case .later: metrics.count(.later)
        case .refused: metrics.count(.refused)
        case .failed: metrics.count(.failed)
        }
        return isDelivered
    }

    private func note(
        _ outcome: PushOutcome, of request: WakeRequest, to device: PushDevice, in slot: Slot
    ) async {
        switch outcome {
        case .delivered: metrics.count(.delivered)
        case .gone(let moment): await forget(device, seenBefore: moment)
        case .later(let wait):
            metrics.count(.later)
            let isFirst = state.withLock { state in
                // Beyond so many a service is in trouble as a whole, and none is tried again.
                state.resting.count < 10_000 && state.resting.insert(device.address.identity).inserted
            }
            guard isFirst else { return }
            resting.yield(Rest(request: request, device: device, sender: slot.sender, wait: wait))
        case .refused(let status, let reason):
            metrics.count(.refused)
            log.error(
                "a push service refused a message",
                metadata: ["service": "\(slot.kind)", "status": "\(status)", "reason": "\(reason)"])
        case .failed(let why):
            metrics.count(.failed)
            log.warning("a push service gave no answer", metadata: ["service": "\(slot.kind)", "why": "\(why)"])
        }
    }

    private func forget(_ device: PushDevice, seenBefore moment: Int64?) async {
        do {
            // A registration of the same second is not older than the answer.
            try await registry.prune(
                device.address.identity, seenBefore: moment.map { Timestamp(seconds: $0) })
            metrics.count(.pruned)
        } catch {
            metrics.count(.registryFailures)
            log.warning("a device that is gone could not be forgotten")
        }
    }

    /// Leaves a device alone, then tries the first request once more; the app then finds the others by itself.
    private func waitOut(_ rest: Rest) async {
        // Cancelled means that the program ends.
        try? await clock.sleep(for: rest.wait)
        _ = state.withLock { $0.resting.remove(rest.device.address.identity) }
        guard !Task.isCancelled, rest.wait <= Self.longestRetry else { return }
        switch await rest.sender.send(rest.request, to: rest.device.address) {
        case .delivered: metrics.count(.delivered)
        case .gone(let moment): await forget(rest.device, seenBefore: moment)
        case .later, .refused, .failed: metrics.count(.failed)
        }
    }

    /// Later nobody waits for the answer to a request any more.
    private static let longestRetry: Duration = .seconds(60)
}

/// Who sends to which kind of address.
struct Senders: Sendable {
    let apns: (any PushSender)?
    let web: (any PushSender)?

    func sender(for address: PushAddress) -> (any PushSender)? {
        switch address {
        case .apns: apns
        case .webPush, .unifiedPush: web
        }
    }

    func close() async {
        await apns?.close()
        await web?.close()
    }
}
