internal import NostrCore
internal import NostrNIPs
internal import Synchronization

/// What screens lack, waiting to be asked of relays; ``LiveAccount/run()`` takes it from here.
final class DemandBoard: Sendable {
    /// A piece of work that stands alone.
    enum Job: Hashable, Sendable {
        case older(TimelineSource)
        case thread(EventID, hints: [RelayURL])
        case search(String)
        case person(PublicKey)
    }

    private struct State {
        var jobs: [Job] = []
        var running: Set<Job> = []
        var people: Set<PublicKey> = []
        var events: [EventID: EventPointer] = [:]
        var engagement: Set<EventID> = []
    }

    private static let mostWaiting = 512
    private let state = Mutex(State())
    let jobsSignal = Signal()
    let partsSignal = Signal()

    /// Whether a job waits or runs.
    func isPending(_ job: Job) -> Bool {
        state.withLock { $0.running.contains(job) || $0.jobs.contains(job) }
    }

    /// Adds a job unless it is there.
    func demand(_ job: Job) {
        let isNew = state.withLock { state in
            guard !state.running.contains(job), !state.jobs.contains(job) else { return false }
            // The newest demands are what is on screen now.
            if state.jobs.count >= Self.mostWaiting { state.jobs.removeFirst() }
            state.jobs.append(job)
            return true
        }
        if isNew { jobsSignal.ring() }
    }

    /// Takes the oldest job; it runs until ``finish(_:)``.
    func take() -> Job? {
        state.withLock { state in
            guard !state.jobs.isEmpty else { return nil }
            let job = state.jobs.removeFirst()
            state.running.insert(job)
            return job
        }
    }

    func finish(_ job: Job) {
        state.withLock { _ = $0.running.remove(job) }
        jobsSignal.ring()
    }

    /// Adds small parts, which are collected and asked together.
    func demand(people: Set<PublicKey> = [], events: [EventPointer] = [], engagement: Set<EventID> = []) {
        guard !people.isEmpty || !events.isEmpty || !engagement.isEmpty else { return }
        state.withLock { state in
            state.people.formUnion(people)
            for event in events { state.events[event.id] = event }
            state.engagement.formUnion(engagement)
        }
        partsSignal.ring()
    }

    /// Takes all small parts.
    func takeParts() -> (people: Set<PublicKey>, events: [EventPointer], engagement: Set<EventID>) {
        state.withLock { state in
            let parts = (state.people, Array(state.events.values), state.engagement)
            state.people = []
            state.events = [:]
            state.engagement = []
            return parts
        }
    }
}
