internal import NostrCore

/// The last of a row of ids, bounded; what is put in too early is forgotten first.
///
/// It is kept in stretches of ids, so that a new one does not write all of them once more.
struct Recent: Sendable {
    /// How many ids lie together.
    static let stretch: UInt64 = 64

    /// The first 16 bytes of an id.
    ///
    /// All ids are SHA-256 hashes: to find one that begins like a given one takes 2^128 tries. A hundred circles remember
    /// tens of thousands of them.
    private struct Half: Hashable {
        private let words: (UInt64, UInt64)

        init(_ id: Bytes32) { words = (id.bigEndianWord(0), id.bigEndianWord(1)) }

        static func == (one: Self, other: Self) -> Bool { one.words == other.words }

        func hash(into hasher: inout Hasher) {
            hasher.combine(words.0)
            hasher.combine(words.1)
        }
    }

    /// A ring: the id number n is at n − ``base``, modulo the limit.
    private var ids: [Bytes32] = []
    private var known: Set<Half> = []
    private var base: UInt64 = 0
    /// The number of the next id.
    private var total: UInt64 = 0
    private let limit: Int
    /// The stretches that are not on the disk as they are.
    private(set) var changed: Set<UInt64> = []

    init(limit: Int, _ ids: [Bytes32] = []) {
        self.limit = max(limit, 1)
        for id in ids { insert(id) }
    }

    /// Puts together what lies in stretches; of such that do not follow each other, the last.
    init(limit: Int, stretches: [(first: UInt64, ids: [Bytes32])]) {
        self.limit = max(limit, 1)
        let most = min(self.limit, stretches.reduce(0) { $0 + $1.ids.count })
        ids.reserveCapacity(most)
        known.reserveCapacity(most)
        for (first, ids) in stretches.sorted(by: { $0.first < $1.first }) {
            if first != total {
                self.ids.removeAll(keepingCapacity: true)
                known.removeAll(keepingCapacity: true)
                (base, total) = (first, first)
            }
            for id in ids where total < .max { append(id) }
        }
    }

    func contains(_ id: Bytes32) -> Bool { known.contains(Half(id)) }

    /// Remembers an id; says whether it was new.
    @discardableResult
    mutating func insert(_ id: Bytes32) -> Bool {
        guard append(id) else { return false }
        changed.insert((total - 1) / Self.stretch)
        return true
    }

    /// The same for what is on the disk already.
    @discardableResult
    private mutating func append(_ id: Bytes32) -> Bool {
        guard known.insert(Half(id)).inserted else { return false }
        if ids.count < limit {
            ids.append(id)
        } else {
            let place = Int((total - base) % UInt64(limit))
            known.remove(Half(ids[place]))
            ids[place] = id
        }
        total += 1
        return true
    }

    /// All, the oldest first.
    var inOrder: [Bytes32] { numbers.map { self[$0] } }

    private var numbers: Range<UInt64> { total - UInt64(ids.count)..<total }

    private subscript(_ number: UInt64) -> Bytes32 { ids[Int((number - base) % UInt64(limit))] }

    // MARK: - Stretches

    /// Where a stretch is written: over one whose ids are forgotten.
    func slot(of stretch: UInt64) -> UInt16 {
        UInt16(truncatingIfNeeded: stretch % (UInt64(limit) / Self.stretch + 2))
    }

    /// What is remembered of a stretch, and the number of its first id.
    subscript(stretch stretch: UInt64) -> (first: UInt64, ids: [Bytes32]) {
        let end = stretch.addingReportingOverflow(1).partialValue.multipliedReportingOverflow(by: Self.stretch)
        let all = stretch * Self.stretch..<(end.overflow ? .max : end.partialValue)
        let kept = all.clamped(to: numbers)
        return (kept.lowerBound, kept.map { self[$0] })
    }

    /// What changed is on the disk.
    mutating func wereSaved() { changed = [] }
}

extension Recent: Hashable {
    static func == (one: Recent, other: Recent) -> Bool { one.inOrder == other.inOrder }

    func hash(into hasher: inout Hasher) { hasher.combine(inOrder) }
}
