import AsyncPrimitives
import HTTPTypes
import Hummingbird
import NostrClient
import NostrCore
import NostrTesting
import ScreenTesting
import Synchronization
import Testing

@testable import ViewModels
@testable import WebUI

@Suite("an open page", .timeLimit(.minutes(1)))
struct LivePageTests {
    @Test("wakes for the heartbeat alone while nothing happens")
    func idle() async throws {
        try await OpenPage.test { open in
            for _ in 0..<3 {
                #expect(await open.nextSleep() == LivePage.heartbeat)
                open.clock.advance(by: LivePage.heartbeat)
                #expect(await open.nextText() == ": still here\n\n")
            }
        }
    }

    @Test("is told what changed, and what changed with it in the same words")
    func changes() async throws {
        try await OpenPage.test { open in
            #expect(await open.nextSleep() == LivePage.heartbeat)
            open.page.feed.gather(.search("heron"))
            #expect(await open.nextSleep() == LivePage.gathering)
            open.page.feed.gather(.timeline(.home))
            open.page.feed.gather(.lists)
            open.clock.advance(by: LivePage.gathering)
            #expect(
                await open.nextText()
                    == "event: older\ndata: 1\n\nevent: search\ndata: 1\n\nevent: lists\ndata: 1\n\n")
            #expect(await open.nextSleep() == LivePage.heartbeat)
        }
    }

    @Test("is not woken by what it does not show")
    func irrelevant() async throws {
        try await OpenPage.test { open in
            #expect(await open.nextSleep() == LivePage.heartbeat)
            open.page.feed.gather(.person(open.account.publicKey))
            open.clock.advance(by: LivePage.heartbeat)
            #expect(await open.nextText() == ": still here\n\n")
        }
    }

    @Test("hears from its account that the key was locked, and once only")
    func locking() async throws {
        try await OpenPage.test { open in
            #expect(await open.nextSleep() == LivePage.heartbeat)
            await open.opening.lock(open.account.publicKey)
            await open.account.announce(.lock)
            #expect(await open.nextSleep() == LivePage.gathering)
            open.clock.advance(by: LivePage.gathering)
            #expect(await open.nextText() == "event: locked\ndata: true\n\n")
            #expect(await open.nextSleep() == LivePage.heartbeat)
            await open.account.announce(.lock)
            #expect(await open.nextSleep() == LivePage.gathering)
            open.clock.advance(by: LivePage.gathering)
            #expect(await open.nextSleep() == LivePage.heartbeat)
            open.clock.advance(by: LivePage.heartbeat)
            #expect(await open.nextText() == ": still here\n\n")
        }
    }

    @Test("ends for a newer one when a browser has too many, and knows why; one that is closed does not")
    func crowding() throws {
        let ada = FakeAccount(.plain(notes: 0))
        let session = BrowserSession(openedAt: .init(seconds: 0), account: ada)
        let streams = try (0...BrowserSession.mostStreams).map { _ in
            try #require(session.beginStream(of: ada.publicKey))
        }
        #expect(streams.map { session.isOpen(stream: $0.number) } == [false] + streams.dropFirst().map { _ in true })
        #expect(session.isCrowdedOut(stream: streams[0].number))
        session.open(nil)
        #expect(!session.isOpen(stream: streams[1].number) && !session.isCrowdedOut(stream: streams[1].number))
    }

    @Test("tells pages which notes came for home, by their marks, and what a repost is of")
    func homeNotes() async throws {
        try await OpenPage.test { open in
            #expect(await open.nextSleep() == LivePage.heartbeat)
            let id = try EventID(hex: String(repeating: "ab", count: 32))
            open.page.feed.gather(
                .homeNote(id, author: open.account.publicKey, createdAt: Timestamp(seconds: 1_700_000_000)))
            #expect(await open.nextSleep() == LivePage.gathering)
            open.clock.advance(by: LivePage.gathering)
            #expect(await open.nextText() == "event: notes\ndata: 1700000000-\(id.hex)\n\n")
            #expect(await open.nextSleep() == LivePage.heartbeat)
            let repost = try EventID(hex: String(repeating: "cd", count: 32))
            open.page.feed.gather(
                .homeNote(
                    repost, author: open.account.publicKey, createdAt: Timestamp(seconds: 1_700_000_001), reposts: id))
            #expect(await open.nextSleep() == LivePage.gathering)
            open.clock.advance(by: LivePage.gathering)
            #expect(await open.nextText() == "event: notes\ndata: 1700000001-\(repost.hex)-\(id.hex)\n\n")
        }
    }

    @Test("ends as soon as its browser opens another account")
    func closing() async throws {
        let ada = FakeAccount(.plain(notes: 0))
        let session = BrowserSession(openedAt: .init(seconds: 0), account: ada)
        let stream = try #require(session.beginStream(of: ada.publicKey))
        let clock = RecordingClock()
        let page = await LivePage(
            of: ada, signer: nil, opening: FakeOpening(ada, lives: true, locked: false), clock: clock,
            bell: stream.bell)
        async let ended: Void = write(page, to: BoundedQueue(capacity: 9)) { session.isOpen(stream: stream.number) }
        #expect(await clock.sleeps.receive() == LivePage.heartbeat)
        session.open(nil)
        try await ended
    }
}

/// Runs a page until it is closed.
private func write(
    _ page: LivePage, to texts: BoundedQueue<String>, while isOpen: @escaping @Sendable () -> Bool
) async throws {
    var writer: any ResponseBodyWriter = WrittenTexts(texts: texts)
    try await page.run(to: &writer, while: isOpen)
}

/// Hands what a page writes to a test.
private struct WrittenTexts: ResponseBodyWriter {
    let texts: BoundedQueue<String>
    func write(_ buffer: ByteBuffer) async throws { await texts.send(String(buffer: buffer)) }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

/// A page that is open, with a clock a test moves, and what is written to it.
private struct OpenPage: Sendable {
    let account: FakeAccount
    let opening: FakeOpening
    let page: LivePage
    let recording: RecordingClock
    var clock: ManualClock { recording.clock }
    private let texts = BoundedQueue<String>(capacity: 100)

    /// What the page writes next.
    func nextText() async -> String? { await texts.receive() }
    /// How long the page falls asleep for next.
    func nextSleep() async -> Duration? { await recording.sleeps.receive() }

    /// Runs a test on a page that has had its first words.
    static func test(_ body: @escaping @Sendable (OpenPage) async throws -> Void) async throws {
        let account = FakeAccount(.plain(notes: 0))
        let opening = FakeOpening(account, lives: true, locked: false)
        let clock = RecordingClock()
        let page = await LivePage(
            of: account, signer: nil, opening: opening, clock: clock, bell: Doorbell())
        let open = OpenPage(account: account, opening: opening, page: page, recording: clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await write(page, to: open.texts) { true } }
            let first = try #require(await open.nextText())
            #expect(first.hasPrefix("retry: 2000\n\n") && first.hasSuffix("event: locked\ndata: false\n\n"))
            try await body(open)
            group.cancelAll()
        }
    }
}

/// A clock that a test moves, and that notes how long it is slept on.
private final class RecordingClock: Clock {
    let clock = ManualClock()
    let sleeps = BoundedQueue<Duration>(capacity: 100)

    var now: ManualClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        await sleeps.send(now.duration(to: deadline))
        try await clock.sleep(until: deadline, tolerance: tolerance)
    }
}
