internal import FoundationEssentials
internal import NostrCore

/// How far one relay's gift wraps have been downloaded: which stretch to ask for next, without trusting their dates.
///
/// A wrap is dated up to two days before it was sent, and may reach a relay days after that, when its sender or the relay
/// was away. So what is asked for reaches back behind the last complete download by a window, and once a day, or
/// when something older than expected shows, by a wide one. Stretches are gathered newest first; one that breaks off
/// goes on where it was, also after a restart.
struct InboxProgress: Hashable, Sendable, Codable {
    /// Two days by NIP-59, and an hour for clocks that are off.
    static let window: Duration = .seconds(2 * 86_400 + 3600)
    /// As long as a sender like this one keeps trying, and two days.
    static let wideWindow: Duration = .seconds(16 * 86_400)
    private static let widening: Duration = .seconds(86_400)
    private static let mostStretches = 3
    static let pages = 50...500

    /// A range of dates that is being gathered downwards.
    struct Stretch: Hashable, Sendable, Codable {
        /// When it was begun.
        var begun: Int64
        /// Where it ends; `nil` for the beginning of time.
        var since: Int64?
        /// How far down it is; `nil` at its start.
        var reached: Int64?
        var isWide: Bool
    }

    /// Everything that was there at this moment has come.
    private(set) var completeAt: Int64?
    private var widenedAt: Int64?
    /// The last is worked on first.
    private var stretches: [Stretch] = []
    /// Events per question; smaller for a relay that is slow.
    private(set) var page = InboxProgress.pages.upperBound

    /// What to ask next.
    struct Question: Hashable, Sendable {
        let since: Timestamp?
        let until: Timestamp?
        let limit: Int
    }

    private enum CodingKeys: String, CodingKey { case completeAt, widenedAt, stretches }

    init() {}

    init?(_ bytes: [UInt8]) {
        // What cannot be read is asked for again from the beginning.
        guard let read = try? JSONDecoder().decode(InboxProgress.self, from: Data(bytes)) else { return nil }
        self = read
    }

    /// The bytes for the record store.
    func encoded() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }

    /// Whether the next question depends on which wraps were new; at the first download all are.
    var needsToKnowWhatIsNew: Bool { completeAt != nil }

    /// Begins to catch up.
    mutating func begin(now: Timestamp) {
        let last = stretches.last.map(\.begun) ?? completeAt
        let isWide = last == nil || (widenedAt.map { $0 + Self.widening.components.seconds <= now.seconds } ?? true)
        let window = isWide ? Self.wideWindow : Self.window
        let since = last.map { $0 - window.components.seconds }
        let fresh = Stretch(begun: now.seconds, since: since, reached: nil, isWide: isWide)
        if let top = stretches.last, top.reached == nil || stretches.count >= Self.mostStretches {
            stretches[stretches.count - 1] = fresh
            stretches[stretches.count - 1].since = top.since.flatMap { top in since.map { min($0, top) } }
            if top.isWide { stretches[stretches.count - 1].isWide = true }
        } else {
            stretches.append(fresh)
        }
    }

    /// What to ask now; `nil` when all is here.
    var question: Question? {
        stretches.last.map { stretch in
            Question(
                since: stretch.since.map(Timestamp.init(seconds:)),
                until: stretch.reached.map(Timestamp.init(seconds:)),
                limit: page)
        }
    }

    /// A question was answered whole.
    ///
    /// - Parameters:
    ///   - count: how many wraps came.
    ///   - oldest: the date of the oldest.
    ///   - oldestNew: the date of the oldest of those not seen before.
    mutating func answered(count: Int, oldest: Timestamp?, oldestNew: Timestamp?) {
        guard var stretch = stretches.popLast() else { return }
        if let completeAt, let oldestNew, oldestNew.seconds < completeAt - Self.window.components.seconds + 3600,
            !stretch.isWide, let since = stretch.since
        {
            // It came later than two days after its date; there may be more of its kind.
            stretch.isWide = true
            stretch.since = since - (Self.wideWindow - Self.window).components.seconds
            stretch.reached = nil
            stretches.append(stretch)
            return
        }
        guard count >= page, let oldest else { return finish(stretch) }
        // A page of one second only: the protocol cannot reach the rest of that second.
        let next = oldest.seconds == stretch.reached ? oldest.seconds - 1 : oldest.seconds
        if let since = stretch.since, next < since { return finish(stretch) }
        stretch.reached = next
        stretches.append(stretch)
    }

    /// A question ended in something else than all there is; it stays where it was, and asks for less next time.
    mutating func failed() {
        page = max(page / 2, Self.pages.lowerBound)
    }

    private mutating func finish(_ stretch: Stretch) {
        if stretch.isWide { widenedAt = stretch.begun }
        page = Self.pages.upperBound
        if let below = stretches.indices.last {
            stretches[below].begun = max(stretches[below].begun, stretch.begun)
        } else {
            completeAt = stretch.begun
        }
    }

    /// Wraps dated before this are not asked for any more.
    var horizon: Timestamp? {
        guard let completeAt, stretches.isEmpty else { return nil }
        return Timestamp(seconds: completeAt) - Self.wideWindow
    }
}
