import NIOCore
import NIOPosix
import Testing

@testable import linnet

@Suite("tasks on an event loop", .timeLimit(.minutes(1)))
struct EventLoopTasksTests {
    @Test("all of a task runs on the loop, its children, too, and again after it waited for another thread")
    func staysOnLoop() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let places = try await withTaskExecutorPreference(EventLoopTasks(loop)) {
            var places = [loop.inEventLoop]
            try await NIOThreadPool.singleton.runIfActive {}
            places.append(loop.inEventLoop)
            async let child = loop.inEventLoop
            places.append(await child)
            return places
        }
        #expect(places == [true, true, true])
        #expect(!loop.inEventLoop)
    }
}
