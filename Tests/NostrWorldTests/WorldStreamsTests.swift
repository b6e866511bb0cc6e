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

    @Test("what is live comes in pieces that are all there, each behind the one before it")
    func pieces() throws {
        let world = try world()
        let pictures = WorldPictures(world)
        let streams = world.events.compactMap(LiveActivity.init).filter { $0.status(now: now) == .live }
        for address in try streams.map({ try #require($0.streaming) }) {
            let list = try #require(pictures.file(at: address))
            #expect(list.type == "application/vnd.apple.mpegurl")
            let lines = String(decoding: list.bytes, as: UTF8.self).split(separator: "\n")
            #expect(lines.first == "#EXTM3U" && lines.last == "#EXT-X-ENDLIST")
            let folder = address.prefix(through: try #require(address.lastIndex(of: "/")))
            let begins = try #require(lines.first { $0.contains("init.mp4") }?.split(separator: "\"")[1])
            let beginning = try #require(pictures.file(at: "\(folder)\(begins)"))
            #expect(WorldMediaTests.boxes(beginning.bytes) == ["ftyp", "moov"])
            let names = lines.filter { !$0.hasPrefix("#") }
            #expect(names.count == StreamPieces.count)
            for (number, name) in [(0, names.first), (1, names.dropFirst().first), (599, names.last)] {
                let address = "\(folder)\(try #require(name))"
                let piece = try #require(pictures.file(at: address)).bytes
                #expect(WorldMediaTests.boxes(piece) == ["moof", "mdat"] && piece.count < 20_000)
                // Two stills a second for six seconds are before each.
                let mark = try #require(piece.firstRange(of: Array("tfdt".utf8)))
                let moment = piece[(mark.upperBound + 4)..<(mark.upperBound + 12)].reduce(0) { $0 << 8 | Int($1) }
                #expect(moment == number * 12)
            }
        }
        for path in ["/streams/0/600.m4s", "/streams/x.m3u8", "/streams/0/0.ts", "/streams/0/1/2.m4s", "/streams"] {
            #expect(StreamPieces(path: path) == nil)
        }
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
