import NIOCore

/// Runs tasks on an event loop, so that nothing passes from thread to thread between a connection and what answers it.
///
/// For answers that compute little and never block: while a task runs, the loop's other connections wait.
final class EventLoopTasks: TaskExecutor {
    private let loop: any EventLoop

    init(_ loop: any EventLoop) {
        self.loop = loop
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // A job runs once, here, and the closure keeps this executor until it did.
        loop.execute { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
