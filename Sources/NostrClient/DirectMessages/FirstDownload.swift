internal import NostrCore

/// The pages of a first download on their way to the disk: which are read together, and how far it has come without a gap.
///
/// A wrap is dated anywhere in two days (NIP-59), so that each page changes most of the newest blocks of each
/// conversation's index. Pages that are read together write those once. The first is read alone, so that the newest
/// messages show at once; then two, then four.
struct FirstDownload {
    /// Pages that are read together.
    struct Batch: Sendable {
        let number: Int
        let wraps: [Event]
    }

    private struct Open {
        /// How far the download has come with it.
        let progress: InboxProgress
        let bytes: Int
        var isRead = false
    }

    /// How many pages one batch has at most.
    static let mostPages = 4
    /// From how many bytes on a batch is read, however few pages it has.
    static let mostBytes = 4 << 20
    /// How many batches may be open, one of which is opened while another is written; fewer where they are large.
    static let mostOpen = 3

    /// How far it has come: this and all before it is on the disk.
    private(set) var reached: InboxProgress
    private var asked: InboxProgress
    private var wraps: [Event] = []
    private var bytes = 0
    private var pages = 0
    private var pagesWanted = 1
    private var open: [Open] = []
    /// The number of the first that is open.
    private var first = 0

    init(from progress: InboxProgress) {
        (reached, asked) = (progress, progress)
    }

    /// What to ask next; `nil` when all was asked.
    var question: InboxProgress.Question? { asked.question }

    /// Whether nothing more is fetched before a batch is read.
    var isFull: Bool {
        open.count >= Self.mostOpen || open.reduce(0) { $0 + $1.bytes } >= Self.mostOpen * Self.mostBytes
    }

    /// A question was answered whole.
    mutating func add(_ page: [Event]) {
        asked.answered(count: page.count, oldest: page.map(\.createdAt).min(), oldestNew: nil)
        wraps += page
        bytes += page.reduce(0) { $0 + $1.length }
        pages += 1
    }

    /// What is to be read now: when enough came, or at the end.
    mutating func batch(atEnd: Bool = false) -> Batch? {
        guard pages > 0, atEnd || pages >= pagesWanted || bytes >= Self.mostBytes else { return nil }
        defer { (wraps, bytes, pages, pagesWanted) = ([], 0, 0, min(pagesWanted * 2, Self.mostPages)) }
        open.append(Open(progress: asked, bytes: bytes))
        return Batch(number: first + open.count - 1, wraps: wraps)
    }

    /// A batch is on the disk; whether the download has come further with it.
    mutating func didRead(_ number: Int) -> Bool {
        guard open.indices.contains(number - first) else { return false }
        open[number - first].isRead = true
        guard let last = open.prefix(while: \.isRead).last else { return false }
        let done = open.prefix(while: \.isRead).count
        reached = last.progress
        open.removeFirst(done)
        first += done
        return true
    }
}

extension Event {
    /// About how much room it takes, in bytes.
    fileprivate var length: Int {
        tags.reduce(content.utf8.count + 300) { sum, tag in tag.elements.reduce(sum + 16) { $0 + $1.utf8.count + 16 } }
    }
}
