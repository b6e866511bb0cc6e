import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrWorld

@Suite("live streams of a world")
struct WorldStreamsTests {
    private let now = Timestamp(seconds: 1_700_000_000)

    private func world() throws -> World {
        try World(
            seed: 7, size: .hamlet, now: now, ports: WorldPorts(from: 20_000, relays: WorldSize.hamlet.relays))
    }

    @Test("two are live, one is planned, one ended with a recording, and one was forgotten")
    func streams() throws {
        let streams = try world().events.compactMap(LiveActivity.init)
        #expect(streams.count == 5 && Set(streams.map(\.address)).count == 5)
        #expect(streams.count { $0.status(now: now) == .live } == 2)
        #expect(streams.count { $0.status(now: now) == .planned } == 1)
        #expect(streams.count { $0.status(now: now) == .ended && $0.recording != nil } == 1)
        #expect(streams.count { $0.status(now: now) == .ended && $0.claimedStatus == .live } == 1)
        let all = streams.allSatisfy(\.isHostConfirmed)
        #expect(all)
        #expect(streams.contains { stream in stream.participants.contains { !stream.hasAgreed($0) } })
    }

    @Test("people chat there, some too much, and of five receipts three count")
    func chat() throws {
        let world = try world()
        let lines = world.events.compactMap(LiveChatMessage.init)
        #expect(lines.count > 25 && Set(lines.map(\.activity.address)).count == 2)
        #expect(lines.count { $0.text == WorldStreams.spam } == 6)
        let shown = try #require(world.events.first { LiveActivity($0)?.title == "Morning at the harbour" })
        let receipts = world.events.compactMap { try? ZapReceipt($0) }.filter { $0.request.address == shown.address }
        #expect(receipts.count == 5)
        #expect(receipts.allSatisfy { (try? $0.check(on: shown)) != nil })
        #expect(receipts.count { $0.issuer == world.wallet } == 3)
        let again = try self.world().events.map(\.id)
        #expect(again == world.events.map(\.id))
    }
}
