internal import Dispatch

#if canImport(Glibc)
    internal import Glibc
#endif

/// Threads for work that no page is to wait for, beside those on which tasks run otherwise.
///
/// A lower priority moves no work away: a task of a group is as urgent as the task that waits for the group. There are as
/// many of the usual threads as cores, so that on a small machine two long turns hold up every step of every page. Tasks
/// that prefer these threads, with all tasks below them and the turns of actors they wait for, leave the usual ones alone.
/// Only names: the system has these threads anyway.
package final class BackgroundThreads: TaskExecutor {
    /// For what goes on for long: the work of an account, of which gathering notes is most.
    ///
    /// To the system they count less than those of pages, but not for nothing, so that whoever holds a lock here that a page
    /// wants is not left standing with it.
    package static let behindPages = BackgroundThreads(.utility)

    /// For what computes and holds no lock: checking what came, choosing relays.
    ///
    /// Everything else on the machine goes before it.
    static let givingWay = BackgroundThreads(leastUrgent)

    /// Where a task that works behind pages has something computed; `nil` for others, for whom somebody may be waiting.
    static var beneathCaller: BackgroundThreads? { isBehindPages ? givingWay : nil }

    /// Whether the task that asks works behind pages.
    package static var isBehindPages: Bool {
        unsafe withUnsafeCurrentTask { task in
            unsafe task?.unownedTaskExecutor == behindPages.asUnownedTaskExecutor()
        }
    }

    #if os(Linux)
        private static let leastUrgent = DispatchQoS.QoSClass.background
    #else
        // What is of the lowest class there may be put off for as long as a battery lasts.
        private static let leastUrgent = DispatchQoS.QoSClass.utility
    #endif

    private let urgency: DispatchQoS.QoSClass

    private init(_ urgency: DispatchQoS.QoSClass) {
        self.urgency = urgency
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A job runs once, here, and the closure keeps this executor until it did.
        DispatchQueue.global(qos: urgency).async {
            Self.stepBack()
            unsafe job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }

    /// Has a thread of these count a third of one of pages where both want a processor.
    ///
    /// By itself Dispatch makes it two thirds of one on Linux (a niceness of 2; of 10 for its lowest class, which is a tenth).
    /// Its threads of these classes do nothing else here.
    private static func stepBack() {
        #if canImport(Glibc)
            let process = Int32(bitPattern: PRIO_PROCESS.rawValue)
            // To Linux each thread is a process, and 0 the one that calls.
            if getpriority(process, 0) < niceness { _ = setpriority(process, 0, niceness) }
        #endif
    }

    private static let niceness: Int32 = 5
}

extension TaskGroup {
    /// Adds a task that computes on some threads; without any, on those of the caller.
    mutating func addTask(on threads: BackgroundThreads?, _ body: @escaping @Sendable () -> ChildTaskResult) {
        if let threads {
            addTask(executorPreference: threads) { body() }
        } else {
            // With no preference at all it would leave the caller's threads.
            addTask { body() }
        }
    }
}
