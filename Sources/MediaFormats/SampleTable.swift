/// Where the pieces of a track are in its file.
///
/// Source: ISO 14496-12, 8.7.
struct SampleTable<File: ReadableBytes> {
    private static var most: Int { 2_000_000 }

    private let file: File
    private let range: Range<Int64>

    init(_ file: File, _ range: Range<Int64>) {
        self.file = file
        self.range = range
    }

    /// The range of each chunk; `nil` when the tables make no sense.
    mutating func places() -> [Range<Int64>]? {
        guard let tables = tables() else { return nil }
        let chunks: [Int64]
        if let offsets = tables["stco"] {
            guard let read = numbers(offsets, after: 4, width: 4) else { return nil }
            chunks = read
        } else if let offsets = tables["co64"] {
            guard let read = numbers(offsets, after: 4, width: 8) else { return nil }
            chunks = read
        } else {
            return nil
        }
        guard !chunks.isEmpty else { return [] }
        guard let sizes = tables["stsz"], let runs = tables["stsc"], let lengths = lengths(sizes),
            let counts = counts(runs, chunks: chunks.count)
        else { return nil }
        return ranges(chunks, counts, lengths)
    }

    private func ranges(_ chunks: [Int64], _ counts: [Int], _ lengths: [Int64]) -> [Range<Int64>]? {
        var ranges: [Range<Int64>] = []
        var sample = 0
        for (start, count) in zip(chunks, counts) {
            guard count <= lengths.count - sample else { return nil }
            let length = lengths[sample..<sample + count].reduce(0, +)
            guard start >= 0, start <= file.byteCount, length <= file.byteCount - start else { return nil }
            if length > 0 { ranges.append(start..<start + length) }
            sample += count
        }
        return sample == lengths.count ? ranges : nil
    }

    /// Each table's content, by its name.
    private func tables() -> [String: Range<Int64>]? {
        var found: [String: Range<Int64>] = [:]
        var place = range.lowerBound
        while place < range.upperBound, found.count < 64 {
            let head = file.bytes(at: place, count: 8)
            guard let length = head.number(at: 0, 4), length >= 8, Int64(length) <= range.upperBound - place else {
                return nil
            }
            found[String(decoding: head[4..<8], as: UTF8.self)] = place + 8..<place + Int64(length)
            place += Int64(length)
        }
        return found
    }

    /// The lengths of all samples.
    private func lengths(_ table: Range<Int64>) -> [Int64]? {
        let head = file.bytes(at: table.lowerBound, count: 12)
        guard let same = head.number(at: 4, 4), let count = head.number(at: 8, 4), count <= Self.most else {
            return nil
        }
        if same > 0 { return [Int64](repeating: Int64(same), count: count) }
        return numbers(table, after: 8, width: 4)
    }

    /// How many samples each chunk has.
    private func counts(_ table: Range<Int64>, chunks: Int) -> [Int]? {
        guard let entries = numbers(table, after: 4, width: 4, perEntry: 3), !entries.isEmpty else { return nil }
        var counts: [Int] = []
        for entry in stride(from: 0, to: entries.count, by: 3) {
            let next = entry + 3 < entries.count ? Int(entries[entry + 3]) : chunks + 1
            guard Int(entries[entry]) == counts.count + 1, next > counts.count, next <= chunks + 1 else { return nil }
            counts += [Int](repeating: Int(entries[entry + 1]), count: next - 1 - counts.count)
        }
        return counts.count == chunks ? counts : nil
    }

    /// A count, and then so many numbers.
    private func numbers(_ table: Range<Int64>, after skipped: Int64, width: Int, perEntry: Int = 1) -> [Int64]? {
        let start = table.lowerBound + skipped
        guard let entries = file.bytes(at: start, count: 4).number(at: 0, 4), entries <= Self.most / perEntry,
            Int64(entries * perEntry * width) <= table.upperBound - start - 4
        else { return nil }
        let bytes = file.bytes(at: start + 4, count: entries * perEntry * width)
        var numbers: [Int64] = []
        numbers.reserveCapacity(entries * perEntry)
        for place in stride(from: 0, to: bytes.count, by: width) {
            // The highest byte of a place in a file is zero; with another it leads outside of it.
            guard let number = bytes.number(at: place + (width == 8 ? 1 : 0), min(7, width)) else { return nil }
            numbers.append(Int64(number))
        }
        return numbers.count == entries * perEntry ? numbers : nil
    }
}
