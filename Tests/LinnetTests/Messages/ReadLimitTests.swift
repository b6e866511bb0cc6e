import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing

@testable import linnet

@Suite("linnet dm read --limit")
struct ReadLimitTests {
    @Test(
        "gives as many of the newest as were asked for, oldest first, however long one page may be",
        arguments: [(1, 1), (500, 500), (501, 501), (1100, 1100), (1300, 1200), (Int.max, 1200)])
    func limits(asked: Int, given: Int) async throws {
        let world = FakeWorld.plain(notes: 0)
        let messaging = FakeMessaging(own: Person(key: world.own.key), at: Timestamp(seconds: 1_700_000_000))
        let ben = Person(key: world.authors[1].key)
        var room: ChatRoom?
        for number in 1...1200 {
            room = await messaging.arrive("\(number)", from: ben, to: [Person(key: world.own.key)]).room
        }
        let read = try await DirectMessageCommand.Read.newest(asked, of: try #require(room), in: messaging)
        #expect(read.map(\.body) == (1...1200).suffix(given).map { .text("\($0)") })
    }
}
