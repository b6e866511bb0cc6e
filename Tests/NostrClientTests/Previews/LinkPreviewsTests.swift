import AsyncPrimitives
import NostrCore
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import NostrClient

/// Previews that an account keeps.
@Suite("previews of links", .timeLimit(.minutes(10)))
struct LinkPreviewsTests {
    /// Sites that answer what a test wants.
    final class Sites: PageFetching {
        struct Silence: Error {}

        private let pages: [String: String]
        private let gone: Set<String>
        private let asked = Mutex<[String]>([])
        /// What was asked for, in order.
        var questions: [String] { asked.withLock { $0 } }

        init(_ pages: [String: String], gone: Set<String> = []) {
            (self.pages, self.gone) = (pages, gone)
        }

        func page(at address: String, types: Set<String>) async throws -> FetchedPage {
            asked.withLock { $0.append(address) }
            if gone.contains(address) { throw NoPage() }
            guard let text = pages[address] else { throw Silence() }
            return FetchedPage(address: address, type: "text/html", bytes: Array(text.utf8))
        }
    }

    private let start = Timestamp(seconds: 1_700_000_000)

    private func previews(
        _ sites: Sites?, records: any RecordStore = MemoryRecordStore(), after span: Duration = .zero
    ) throws -> LinkPreviews {
        let now = start + span
        let clock = ManualClock()
        return LinkPreviews(
            AccountContext(
                publicKey: TestPerson.alice.publicKey, store: MemoryEventStore(now: { now }), records: records,
                network: ScriptedNetwork(clock: clock), pages: sites,
                configuration: AccountConfiguration(
                    routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: []),
                time: Time(clock: clock, now: { now })))
    }

    private let page = "<title>Tides</title>"

    @Test("a site is asked once, and what it said is at hand from then on")
    func once() async throws {
        let sites = Sites(["https://a.example/": page])
        let previews = try previews(sites)
        #expect(previews.known("https://a.example") == .unknown)
        #expect(await previews.preview(of: "https://a.example") == LinkPreview(title: "Tides"))
        #expect(previews.known("https://A.example/#part") == .preview(LinkPreview(title: "Tides")))
        #expect(await previews.preview(of: "https://a.example/") == LinkPreview(title: "Tides"))
        #expect(sites.questions == ["https://a.example/"])
    }

    @Test(
        "what was said counts for a week over a restart, that there is nothing for a day, silence for a quarter of an hour",
        arguments: [
            ("https://a.example/", Duration.seconds(7 * 86_400 - 1), 0),
            ("https://a.example/", .seconds(7 * 86_400), 1),
            ("https://gone.example/", .seconds(86_399), 0), ("https://gone.example/", .seconds(86_400), 1),
            ("https://silent.example/", .seconds(899), 0), ("https://silent.example/", .seconds(900), 1),
        ])
    func lifetime(address: String, span: Duration, questions: Int) async throws {
        let records = MemoryRecordStore()
        let (first, second) = (
            Sites(["https://a.example/": page], gone: ["https://gone.example/"]),
            Sites(["https://a.example/": page], gone: ["https://gone.example/"])
        )
        let earlier = try previews(first, records: records)
        _ = await earlier.preview(of: address)
        #expect(first.questions.count == 1)
        let later = try previews(second, records: records, after: span)
        await later.load()
        #expect((later.known(address) == .unknown) == (questions == 1))
        _ = await later.preview(of: address)
        #expect(second.questions.count == questions)
    }

    @Test("nobody is asked for what is no page of the web, and nobody at all where none is fetched")
    func refused() async throws {
        let sites = Sites([:])
        let previews = try previews(sites)
        for address in ["http://a.example/", "https://127.0.0.1:80/", "javascript:alert(1)", "", "https://localhost/"] {
            #expect(previews.known(address) == .nothing)
            #expect(await previews.preview(of: address) == nil)
        }
        #expect(sites.questions.isEmpty)
        let none = try self.previews(nil)
        #expect(none.known("https://a.example/") == .nothing)
        #expect(await none.preview(of: "https://a.example/") == nil)
    }

    @Test("so many are at hand at most, the last ones")
    func bounded() {
        var recent = RecentPreviews(most: 3)
        for number in 0..<10 {
            recent["\(number)"] = PreviewRecord(.nothing, at: start)
            recent["7"] = recent["7"]
        }
        #expect((0..<10).filter { recent["\($0)"] != nil } == [7, 8, 9])
    }

    @Test("what is on the disk is read again as it was, and what is none is nothing")
    func records() {
        let outcomes: [PreviewRecord.Outcome] = [
            .nothing, .unreachable,
            .preview(LinkPreview(title: "a\"b\n", summary: "s", site: "x", picture: "https://p")),
        ]
        for outcome in outcomes {
            let record = PreviewRecord(outcome, at: start)
            #expect(PreviewRecord(record: record.record) == record)
        }
        for wrong in ["", "{}", #"{"at":"x","came":"nothing"}"#, #"{"at":"1","came":"else"}"#] {
            #expect(PreviewRecord(record: Array(wrong.utf8)) == nil)
        }
    }
}
