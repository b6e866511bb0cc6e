internal import NostrCore

/// Which files of the cache were used when, so that what was used longest ago goes first.
struct TileUsage: Sendable {
    private struct Entry {
        var size: Int
        var rank: UInt64
        var usedAt: Timestamp
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var next: UInt64 = 0
    private(set) var size = 0

    /// Nothing is used yet, of so many bytes at most.
    init(limit: Int) {
        self.limit = max(0, limit)
    }

    var count: Int { entries.count }

    /// Notes that a file was written, or found.
    ///
    /// - Returns: the files that have to go for it, itself if it does not fit at all.
    mutating func put(_ name: String, size: Int, at now: Timestamp) -> [String] {
        drop(name)
        entries[name] = Entry(size: size, rank: next, usedAt: now)
        next &+= 1
        self.size += size
        guard self.size > limit else { return [] }
        // A tenth more than needed goes, so that a full cache does not sort its files for every tile.
        let goal = limit - limit / 10
        var gone: [String] = []
        for (name, _) in entries.sorted(by: { $0.value.rank < $1.value.rank }) {
            guard self.size > goal else { break }
            drop(name)
            gone.append(name)
        }
        return gone
    }

    /// Notes that a file was used.
    mutating func use(_ name: String, at now: Timestamp) {
        guard entries[name] != nil else { return }
        entries[name]?.rank = next
        entries[name]?.usedAt = now
        next &+= 1
    }

    /// Notes that a file is gone.
    mutating func drop(_ name: String) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        size -= entry.size
    }

    /// The files that nobody used since a moment.
    func unused(since moment: Timestamp) -> [String] {
        entries.filter { $0.value.usedAt < moment }.map(\.key)
    }
}
