internal import AsyncPrimitives
internal import Foundation
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// Finds GIFs that people published as events of their own (NIP-94), and fetches what is chosen.
///
/// What is shown comes from the store, which relays fill: the account's own are asked for their newest, search relays
/// for words. Pages show small pictures that this machine fetched, so that hosts do not learn who looks.
/// A class over one lock, since pages ask for many small pictures at once.
public final class Gifs: GifFinding {
    /// The largest GIF that is put into a note, and how long it may take to come.
    static let largest: Int64 = 16 << 20
    static let patience: Duration = .seconds(30)
    private static let largestPreview: Int64 = 4 << 20
    private static let previewPatience: Duration = .seconds(15)
    private static let mostStored = 500, mostOffered = 400, mostQuestions = 32, mostPreviews = 60
    private static let mostRelays = 4
    /// The most bytes of previews that are kept.
    private static let roomForPreviews: Int64 = 64 << 20

    private struct State {
        /// What search relays found for words, also where no index here would.
        var found: [String: Set<EventID>] = [:]
        var offered: [String: Gif] = [:]
        /// Those that were offered, the oldest first.
        var order: [String] = []
        var previews: [(id: String, preview: GifPreview, size: Int64)] = []
    }

    private let context: AccountContext
    private let gossip: Gossip
    private let mutes: MutesInForce
    private let files: Files
    private let state = Mutex(State())
    private let places = AsyncSemaphore(permits: 4, longestQueue: 64)

    init(_ context: AccountContext, gossip: Gossip, mutes: MutesInForce, files: Files) {
        self.context = context
        self.gossip = gossip
        self.mutes = mutes
        self.files = files
    }

    public func search(_ text: String, limit: Int) async throws -> [Gif] {
        try await gossip.load()
        let words = GifQuestion(text)
        if gossip.shouldAsk(.search("gif:" + words.text)) { await ask(words) }
        let mutes = await mutes.upToDate()
        let pattern = Filter(
            kinds: [FileMetadata.kind], tags: ["m": [FileMetadata.gifType]], limit: Self.mostStored)
        let found = state.withLock { $0.found[words.text] ?? [] }
        var seen: Set<String> = []
        let gifs = try await context.store.query([pattern])
            .sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
            .filter { mutes.verdict(on: $0, in: .timeline) == .shown && (found.contains($0.id) || words.fit($0)) }
            .compactMap { Gif($0) }
            .filter { seen.insert($0.file.hash ?? $0.file.url).inserted }
        let offered = Array(gifs.prefix(max(0, limit)))
        offer(offered)
        return offered
    }

    /// Small pictures of these may be asked for from now on.
    func offer(_ gifs: [Gif]) {
        state.withLock { state in
            for gif in gifs {
                if state.offered.updateValue(gif, forKey: gif.id) == nil { state.order.append(gif.id) }
            }
            let over = max(0, state.order.count - Self.mostOffered)
            for id in state.order.prefix(over) { state.offered[id] = nil }
            state.order.removeFirst(over)
        }
    }

    // MARK: - Asking relays

    private func ask(_ words: GifQuestion) async {
        let newest = Filter(kinds: [FileMetadata.kind], tags: ["m": [FileMetadata.gifType]], limit: 100)
        let own = Array(gossip.router.ownRead.prefix(Self.mostRelays))
        var requests = gossip.requests([newest], of: own)
        var searching: Set<RelayURL> = []
        if !words.text.isEmpty {
            var fitting = newest
            fitting.search = words.text
            fitting.limit = 50
            let relays = Array(gossip.searchRelays.prefix(Self.mostRelays))
            requests.merge(gossip.requests([fitting], of: relays)) { $0 + $1 }
            searching = Set(relays).subtracting(own)
        }
        await gossip.fetch(requests, deadline: context.configuration.deadlines.search) { [searching] update in
            guard case .events(let events, let relay) = update, await self.gossip.keep(events, from: relay),
                searching.contains(relay)
            else { return }
            self.note(Set(events.map(\.id)), for: words)
        }
    }

    private func note(_ events: Set<EventID>, for words: GifQuestion) {
        state.withLock { state in
            if state.found.count >= Self.mostQuestions, state.found[words.text] == nil { state.found = [:] }
            state.found[words.text, default: []].formUnion(events)
        }
    }

    // MARK: - Fetching

    public func preview(_ id: String) async throws -> GifPreview? {
        guard let gif = state.withLock({ $0.offered[id] }) else { return nil }
        if let kept = keptPreview(id) { return kept }
        do {
            return try await places.withPermit {
                // Another page asked for the same meanwhile.
                if let kept = keptPreview(id) { return kept }
                for address in gif.previews {
                    guard
                        let (intake, blob, sort) = try await fetch(
                            address, longest: Self.largestPreview, deadline: Self.previewPatience),
                        sort.isPicture
                    else { continue }
                    let preview = GifPreview(intake: intake, sort: sort)
                    keep(preview, of: id, size: blob.size)
                    return preview
                }
                return nil
            }
        } catch is AsyncSemaphore.Refusal {
            return nil
        }
    }

    private func keptPreview(_ id: String) -> GifPreview? {
        state.withLock { state in state.previews.first { $0.id == id }?.preview }
    }

    private func keep(_ preview: GifPreview, of id: String, size: Int64) {
        state.withLock { state in
            state.previews.removeAll { $0.id == id }
            state.previews.append((id: id, preview: preview, size: size))
            while state.previews.count > 1,
                state.previews.count > Self.mostPreviews
                    || state.previews.reduce(0, { $0 + $1.size }) > Self.roomForPreviews
            { state.previews.removeFirst() }
        }
    }

    public func download(_ gif: Gif) async throws -> FileIntake {
        let end = context.time.now() + Self.patience
        var problem = GifProblem.notThere
        for address in gif.file.addresses.prefix(3) where context.time.now() < end {
            guard
                let (intake, blob, sort) = try await fetch(
                    address, longest: Self.largest, deadline: Self.patience)
            else { continue }
            if let hash = gif.file.hash, blob.hash.hex != hash {
                problem = .otherFile
            } else if sort == .gif {
                return intake
            } else {
                problem = .notGif
            }
        }
        throw problem
    }

    /// Fetches what lies at an address; `nil` where it is not to be had.
    private func fetch(
        _ address: String, longest: Int64, deadline: Duration
    ) async throws -> (FileIntake, FetchedBlob, FileSort)? {
        guard let transfer = context.media?.transfer else { return nil }
        let intake = try await files.intake()
        do {
            let late = ServerRefusal(.timedOut)
            let blob = try await withDeadline(deadline + .seconds(1), on: context.time.clock, throwing: late) {
                try await transfer.fetch(address, into: intake.file, longest: longest, deadline: deadline)
            }
            try intake.finish()
            guard blob.size > 0, blob.size <= longest else { return nil }
            return (intake, blob, FileSort(of: try Self.beginning(of: intake.file)))
        } catch is ServerRefusal {
            return nil
        }
    }

    private static func beginning(of file: URL) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: file)
        // What cannot be closed was read all the same.
        defer { try? handle.close() }
        return [UInt8](try handle.read(upToCount: 64) ?? Data())
    }
}

/// The words of a search for GIFs.
struct GifQuestion: Hashable, Sendable {
    private static let longest = 100

    /// The words, lowercase, one space between them; empty for none.
    let text: String

    init(_ written: String) {
        // A colon would ask a relay for an extension (NIP-50).
        text = written.prefix(Self.longest).lowercased().split { $0.isWhitespace || $0 == ":" }.joined(separator: " ")
    }

    /// Whether what is said of a file holds every word, or the beginning of one that is longer.
    func fit(_ event: Event) -> Bool {
        guard !text.isEmpty else { return true }
        guard let shared = FileMetadata(event) else { return false }
        let said = [shared.text, shared.summary, shared.file.description].compactMap { $0 } + shared.topics
        let all = said.joined(separator: " ").prefix(4000).lowercased()
        return text.split(separator: " ").allSatisfy { all.contains($0) }
    }
}
