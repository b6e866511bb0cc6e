internal import AsyncPrimitives
internal import NostrCore
internal import NostrStore
internal import Synchronization

/// Previews of pages that notes link to, fetched by this machine and kept.
///
/// Sites learn by it that somebody here sees a link to them, so nothing is asked but for what a page shows, and whose
/// links are previewed is decided there. Kept for each account by itself. A class over one lock, since every page looks.
public final class LinkPreviews: LinkPreviewing {
    /// How many sites are asked at the same time, and how many more may wait.
    private static let width = 4, mostWaiting = 64
    private static let deadline: Duration = .seconds(7)
    private static let mostInMemory = 200, mostOnDisk = 2000
    private static let pages: Set = ["text/html", "application/xhtml+xml"]

    private struct State {
        var kept = RecentPreviews(most: LinkPreviews.mostInMemory)
        var running: Set<String> = []
        var isLoaded = false
        /// How many were put on the disk since it was last looked through.
        var written = 0
    }

    private let context: AccountContext
    private let state = Mutex(State())
    private let places = AsyncSemaphore(
        permits: LinkPreviews.width, longestQueue: LinkPreviews.mostWaiting)
    /// Tells which address was answered for.
    private let ended = Broadcast<String>()

    init(_ context: AccountContext) {
        self.context = context
    }

    public func known(_ address: String) -> KnownPreview {
        guard let page = PreviewAddress(address), context.pages != nil else { return .nothing }
        let now = context.time.now()
        guard let record = state.withLock({ $0.kept[page.text] }), record.isFresh(now) else { return .unknown }
        return record.preview.map(KnownPreview.preview) ?? .nothing
    }

    public func preview(of address: String) async -> LinkPreview? {
        guard let page = PreviewAddress(address), let pages = context.pages else { return nil }
        await load()
        if let record = await kept(page) { return record.preview }
        let others = ended.listen()
        guard state.withLock({ $0.running.insert(page.text).inserted }) else {
            // Another page asks already; the deadline bounds how long that takes.
            _ = await withDeadline(Self.deadline, on: context.time.clock) {
                for await done in others where done == page.text { return }
            }
            return await kept(page)?.preview
        }
        let outcome = await fetch(page, pages)
        if let outcome { await keep(PreviewRecord(outcome, at: context.time.now()), of: page) }
        state.withLock { _ = $0.running.remove(page.text) }
        ended.send(page.text)
        if case .preview(let preview)? = outcome { return preview }
        return nil
    }

    /// Reads what was kept and drops what counts no more; does nothing the second time.
    func load() async {
        guard context.pages != nil, !state.withLock({ $0.isLoaded }) else { return }
        await lookThroughDisk()
        state.withLock { $0.isLoaded = true }
    }

    // MARK: - Asking

    /// What a site has; `nil` when nothing was found out: too many wait, or whoever asked has gone.
    private func fetch(_ page: PreviewAddress, _ pages: any PageFetching) async -> PreviewRecord.Outcome? {
        do {
            return try await places.withPermit {
                let late = DeadlinePassed(after: Self.deadline)
                return try await withDeadline(Self.deadline, on: context.time.clock, throwing: late) {
                    try await Self.outcome(page, pages)
                }
            }
        } catch is CancellationError {
            return nil
        } catch is AsyncSemaphore.Refusal {
            return nil
        } catch {
            return error is NoPage ? .nothing : .unreachable
        }
    }

    private static func outcome(
        _ page: PreviewAddress, _ pages: any PageFetching
    ) async throws -> PreviewRecord.Outcome {
        if let film = page.film {
            let answer = try await pages.page(at: film.text, types: ["application/json"])
            return LinkPreview(film: answer.bytes).map { .preview($0) } ?? .nothing
        }
        let answer = try await pages.page(at: page.text, types: Self.pages)
        return LinkPreview(page: answer).map { .preview($0) } ?? .nothing
    }

    // MARK: - Keeping

    /// What is kept of a page and still counts.
    private func kept(_ page: PreviewAddress) async -> PreviewRecord? {
        let now = context.time.now()
        if let record = state.withLock({ $0.kept[page.text] }) { return record.isFresh(now) ? record : nil }
        do {
            guard let bytes = try await context.records.value(page.text, in: PreviewRecord.table),
                let record = PreviewRecord(record: bytes), record.isFresh(now)
            else { return nil }
            state.withLock { $0.kept[page.text] = record }
            return record
        } catch {
            context.report("a link preview could not be read from disk", error)
            return nil
        }
    }

    private func keep(_ record: PreviewRecord, of page: PreviewAddress) async {
        let written = state.withLock { state in
            state.kept[page.text] = record
            state.written += 1
            return state.written
        }
        do {
            try await context.records.put(record.record, for: page.text, in: PreviewRecord.table)
        } catch {
            context.report("a link preview could not be kept", error)
        }
        if written >= Self.mostOnDisk / 4 { await lookThroughDisk() }
    }

    /// Drops from the disk what counts no more and the oldest of too many; the newest are at hand afterwards.
    private func lookThroughDisk() async {
        state.withLock { $0.written = 0 }
        let now = context.time.now()
        do {
            let all = try await context.records.records(in: PreviewRecord.table, prefix: "")
            let read = all.compactMap { kept in PreviewRecord(record: kept.value).map { (key: kept.key, record: $0) } }
            let fresh = read.filter { $0.record.isFresh(now) }.sorted { $0.record.askedAt > $1.record.askedAt }
                .prefix(Self.mostOnDisk)
            let keys = Set(fresh.map(\.key))
            let gone = all.filter { !keys.contains($0.key) }
            try await context.records.apply(gone.map { .remove(table: PreviewRecord.table, key: $0.key) })
            state.withLock { state in
                for kept in fresh.prefix(Self.mostInMemory).reversed() where state.kept[kept.key] == nil {
                    state.kept[kept.key] = kept.record
                }
            }
        } catch {
            context.report("link previews could not be read from disk", error)
        }
    }
}

/// The previews that were put in last, so many at most.
struct RecentPreviews: Sendable {
    private let most: Int
    private var records: [String: PreviewRecord] = [:]
    /// The addresses, the oldest first.
    private var order: [String] = []

    init(most: Int) {
        self.most = most
    }

    subscript(_ address: String) -> PreviewRecord? {
        get { records[address] }
        set {
            order.removeAll { $0 == address }
            records[address] = newValue
            guard newValue != nil else { return }
            order.append(address)
            if order.count > most { records[order.removeFirst()] = nil }
        }
    }
}
