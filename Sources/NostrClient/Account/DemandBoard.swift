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
        /// Where the people of a conversation receive messages.
        case inboxes(ChatRoom)
    }

    /// Small pieces that are collected for a moment and asked together.
    struct Parts: Sendable {
        /// People without a profile.
        var people: Set<PublicKey> = []
        /// Events that notes name, and the notes that name them.
        var events: [EventID: (pointer: EventPointer, neededBy: Set<EventID>)] = [:]
        /// Notes on screen, whose answers and reactions should be up to date.
        var engagement: Set<EventID> = []
        /// Verified events from inside reposts.
        var adopted: [EventID: Event] = [:]

        var isEmpty: Bool { people.isEmpty && events.isEmpty && engagement.isEmpty && adopted.isEmpty }

        mutating func merge(_ other: Parts) {
            people.formUnion(other.people)
            engagement.formUnion(other.engagement)
            adopted.merge(other.adopted) { old, _ in old }
            events.merge(other.events) { old, new in (old.pointer, old.neededBy.union(new.neededBy)) }
        }
    }

    private struct State {
        var jobs: [Job] = []
        var running: Set<Job> = []
        var parts = Parts()
    }

    private static let mostWaiting = 512
    private let state = Mutex(State())
    let jobsSignal = Signal()
    let partsSignal = Signal()

    /// Whether a job waits or runs.
    func isPending(_ job: Job) -> Bool {
        state.withLock { $0.running.contains(job) || $0.jobs.contains(job) }
    }

    /// Whether a conversation is being asked for, with whatever hints.
    func isPending(threadOf id: EventID) -> Bool {
        state.withLock { state in
            (state.jobs + state.running).contains { if case .thread(id, _) = $0 { true } else { false } }
        }
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

    /// How many jobs run.
    var running: Int { state.withLock { $0.running.count } }

    /// Adds small parts.
    func demand(_ parts: Parts) {
        guard !parts.isEmpty else { return }
        state.withLock { $0.parts.merge(parts) }
        partsSignal.ring()
    }

    /// Takes all small parts.
    func takeParts() -> Parts {
        state.withLock { state in
            let parts = state.parts
            state.parts = Parts()
            return parts
        }
    }
}
