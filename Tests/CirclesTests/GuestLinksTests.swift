import NostrClient
import NostrCore
import Testing

@testable import Circles

@Suite("which guest links there are, and when they are over")
struct GuestLinksTests {
    private let circle: CircleID
    private static let start = Timestamp(seconds: 1_700_000_000)

    init() throws { circle = try #require(CircleID(Array(repeating: 7, count: 32))) }

    private func record(_ id: String, hours: Int = 1) -> GuestLinkRecord {
        GuestLinkRecord(
            id: id, circle: circle.hex, secret: String(repeating: "1a", count: 32),
            signing: String(repeating: "03", count: 32), relays: ["wss://one.example", "wss://two.example"],
            madeAt: Self.start.seconds, endsAt: (Self.start + .seconds(hours * 3600)).seconds, note: "", page: "")
    }

    private func after(_ seconds: Int) -> Timestamp { Self.start + .seconds(seconds) }

    @Test("a link is live until its end and not in the second of it; the one that ends first is the first")
    func live() throws {
        var links = GuestLinks()
        try links.add(record("b", hours: 2), at: Self.start)
        try links.add(record("a", hours: 1), at: Self.start)
        #expect(links.live(in: circle, at: after(3599)).map(\.id) == ["a", "b"])
        #expect(links.live(in: circle, at: after(3600)).map(\.id) == ["b"])
        #expect(links.nextEnd(after: after(3600)) == after(7200))
        #expect(links.drawMoment(for: "a", at: after(3600)) == nil)
        let other = try #require(CircleID(Array(repeating: 8, count: 32)))
        #expect(links.live(in: other, at: Self.start).isEmpty)
    }

    @Test("each event of a link is later than the one before it, also within a second and on a clock put back")
    func moments() throws {
        var links = GuestLinks()
        try links.add(record("a"), at: Self.start)
        let drawn = [after(10), after(10), after(5), after(60)].map { links.drawMoment(for: "a", at: $0) }
        #expect(drawn == [after(10), after(11), after(12), after(60)])
    }

    @Test("a circle has eight live links at most; one that is over makes room")
    func most() throws {
        var links = GuestLinks()
        for number in 0..<8 { try links.add(record("\(number)"), at: Self.start) }
        #expect(throws: CircleError(.tooManyGuestLinks)) { try links.add(record("x"), at: Self.start) }
        links.revoke("3", at: Self.start)
        try links.add(record("x"), at: Self.start)
        #expect(links.live(in: circle, at: Self.start).count == 8)
    }

    @Test("a link taken back tells nothing at once, and stays until every relay has answered that it is deleted")
    func revoked() throws {
        var links = GuestLinks()
        try links.add(record("a"), at: Self.start)
        _ = links.drawMoment(for: "a", at: after(30))
        links.revoke("a", at: after(20))
        #expect(links.live(in: circle, at: after(20)).isEmpty)
        #expect(links.drawMoment(for: "a", at: after(40)) == nil)
        #expect(links.shown(in: circle, at: after(40)).map(\.id) == ["a"])
        let over = try #require(links.close(at: after(40)) { _ in true }.first)
        let link = try #require(over.link)
        let drafts = try over.closingDrafts(of: link, now: after(40), nonce: Array(repeating: 1, count: 12))
        // The deletion covers all that was told; what says that it was taken back is later, or it would go, too.
        #expect(drafts.map(\.kind) == [30_078, 5])
        #expect(drafts.map(\.createdAt) == [after(31), after(30)])
        links.noteClosed("a", at: ["wss://one.example"])
        #expect(links.close(at: after(100)) { _ in true }.first?.unanswered == ["wss://two.example"])
        links.noteClosed("a", at: ["wss://two.example"])
        #expect(links.records.isEmpty)
    }

    @Test("a link whose time is over is deleted at relays without a last word, and forgotten a day later at the latest")
    func ended() throws {
        var links = GuestLinks()
        try links.add(record("a"), at: Self.start)
        #expect(links.close(at: after(3599)) { _ in true }.isEmpty)
        let over = try #require(links.close(at: after(3600)) { _ in true }.first)
        let link = try #require(over.link)
        let drafts = try over.closingDrafts(of: link, now: after(3600), nonce: Array(repeating: 1, count: 12))
        #expect(drafts.map(\.kind) == [5] && drafts.map(\.createdAt) == [after(3600)])
        #expect(links.shown(in: circle, at: after(3600)).isEmpty)
        #expect(links.close(at: after(3600 + 86_399)) { _ in true }.count == 1)
        #expect(links.close(at: after(3600 + 86_400)) { _ in true }.isEmpty && links.records.isEmpty)
    }

    @Test("with a circle that is left all its links end")
    func circleGone() throws {
        var links = GuestLinks()
        try links.add(record("a"), at: Self.start)
        try links.add(record("b"), at: Self.start)
        #expect(links.close(at: after(5)) { _ in false }.map(\.revokedAt) == [after(5).seconds, after(5).seconds])
    }

    @Test("a record that was damaged is no link")
    func damaged() {
        for damage: (inout GuestLinkRecord) -> Void in [
            { $0.secret = "zz" }, { $0.signing = String(repeating: "0", count: 64) }, { $0.relays = ["nonsense"] },
            { $0.endsAt = -1 },
        ] {
            var broken = record("a")
            damage(&broken)
            #expect(broken.link == nil && GuestLinkState(broken) == nil)
        }
        #expect("\(record("a"))" == "a guest link")
    }
}
