internal import NostrCore
internal import NostrSigner
package import NostrStore

/// An order over sealed records, so that a stretch of them can be read without opening all.
///
/// Names on the disk tell nothing, so records cannot be ordered there. The index is a sealed directory of sealed blocks
/// of entries; an entry is a key, compared byte by byte, and a few bytes that say what to read. What shows on the disk is
/// how many blocks there are. It is a value: a change is made in a copy, ``changes()`` become durable together with the
/// records they are about, and then the copy replaces the original. Everything in it can be worked out again from the
/// records; see `docs/decisions/0013-message-index.md`.
package struct SealedIndex: Sendable {
    /// One thing in the order.
    package struct Entry: Hashable, Sendable {
        /// Where it stands; unique, at most 255 bytes.
        package let key: [UInt8]
        /// What a reader needs to know before it opens the record; at most 255 bytes.
        package let value: [UInt8]

        package init(key: [UInt8], value: [UInt8]) {
            self.key = key
            self.value = value
        }
    }

    /// The index cannot be read: it is to be made anew from the records.
    package struct Damaged: Error {
        /// Whose index it is.
        package let group: String
    }

    /// How many entries a block holds at most: a new entry writes one block, a page reads one or two.
    static let blockSize = 128
    /// How many blocks that were read stay in memory.
    ///
    /// What comes is dated over two days (NIP-59), so that of a busy conversation many blocks change at once.
    private static let mostCached = 32

    private struct Block {
        /// Every key of the block is at least this; empty for the first.
        var first: [UInt8]
        let number: UInt32
    }

    private let records: SealedRecords
    private let table: String
    private let group: String
    private var directory: [Block]
    private var nextNumber: UInt32
    private var cached: [UInt32: [Entry]] = [:]
    /// Blocks to be written.
    private var dirty: Set<UInt32> = []
    private var removed: Set<UInt32> = []
    private var isDirectoryDirty = false
    /// Whether what is on the disk is to be dropped first.
    private var replacesAll = false

    /// Reads the directory; `nil` when there is no index yet.
    ///
    /// - Throws: ``Damaged``, and what the store throws.
    package init?(_ records: SealedRecords, table: String, group: String) async throws {
        let found: [UInt8]?
        do { found = try await records.value(.init(table, group: group, "directory")) } catch let error {
            throw error is SealingKey.Failure ? Damaged(group: group) : error
        }
        guard let found else { return nil }
        guard let (next, blocks) = Self.directory(found) else { throw Damaged(group: group) }
        (self.records, self.table, self.group) = (records, table, group)
        (directory, nextNumber) = (blocks, next)
    }

    /// A new index over entries in order; takes the place of any other.
    package init(_ records: SealedRecords, table: String, group: String, sorted entries: [Entry]) {
        (self.records, self.table, self.group) = (records, table, group)
        directory = []
        nextNumber = 0
        replacesAll = true
        isDirectoryDirty = true
        var start = 0
        repeat {
            let end = min(start + Self.blockSize, entries.count)
            directory.append(Block(first: start == 0 ? [] : entries[start].key, number: nextNumber))
            cached[nextNumber] = Array(entries[start..<end])
            dirty.insert(nextNumber)
            nextNumber += 1
            start = end
        } while start < entries.count
    }

    // MARK: Reading

    /// Up to `limit` entries before a key, or at the end: the last one first.
    package mutating func entries(before key: [UInt8]?, limit: Int) async throws -> [Entry] {
        var found: [Entry] = []
        var position = key.map { self.position(of: $0) } ?? directory.count - 1
        while position >= 0, found.count < limit {
            let block = try await entries(ofBlockAt: position)
            let end = key.map { Self.index(of: $0, in: block) } ?? block.count
            found += block[..<end].suffix(limit - found.count).reversed()
            position -= 1
        }
        return found
    }

    /// Goes through all entries, the first one first; what it reads does not stay in memory.
    package func forEach(_ body: (Entry) throws -> Void) async throws {
        for block in directory {
            for entry in try await read(block.number) { try body(entry) }
        }
    }

    /// What stands at a key, or `nil`.
    package mutating func value(at key: [UInt8]) async throws -> [UInt8]? {
        let block = try await entries(ofBlockAt: position(of: key))
        let index = Self.index(of: key, in: block)
        return index < block.count && block[index].key == key ? block[index].value : nil
    }

    // MARK: Changing

    /// Puts an entry in its place, or changes what stands there.
    package mutating func put(_ entry: Entry) async throws {
        precondition(entry.key.count <= 255 && entry.value.count <= 255, "an entry of the index is small")
        let position = position(of: entry.key)
        var block = try await entries(ofBlockAt: position)
        let index = Self.index(of: entry.key, in: block)
        if index < block.count, block[index].key == entry.key {
            block[index] = entry
        } else {
            block.insert(entry, at: index)
        }
        let number = directory[position].number
        if block.count > Self.blockSize {
            // What comes at the end, as most does, leaves full blocks behind it.
            let isAtEnd = position == directory.count - 1 && index == block.count - 1
            let cut = isAtEnd ? block.count - 1 : block.count / 2
            directory.insert(Block(first: block[cut].key, number: nextNumber), at: position + 1)
            cached[nextNumber] = Array(block[cut...])
            dirty.insert(nextNumber)
            nextNumber += 1
            isDirectoryDirty = true
            block.removeSubrange(cut...)
        }
        cached[number] = block
        dirty.insert(number)
    }

    /// Takes an entry out; returns whether there was one.
    @discardableResult
    package mutating func remove(_ key: [UInt8]) async throws -> Bool {
        let position = position(of: key)
        var block = try await entries(ofBlockAt: position)
        let index = Self.index(of: key, in: block)
        guard index < block.count, block[index].key == key else { return false }
        block.remove(at: index)
        let number = directory[position].number
        if block.isEmpty, directory.count > 1 {
            directory.remove(at: position)
            directory[0].first = []
            cached[number] = nil
            dirty.remove(number)
            removed.insert(number)
            isDirectoryDirty = true
        } else {
            cached[number] = block
            dirty.insert(number)
        }
        return true
    }

    /// The changes that make this index durable.
    package func changes() throws -> [RecordChange] {
        var changes: [RecordChange] = replacesAll ? [records.removeAll(in: table, group: group)] : []
        for number in removed.sorted() { changes.append(records.remove(name(number))) }
        for number in dirty.sorted() {
            changes.append(try records.put(Self.bytes(cached[number] ?? []), at: name(number)))
        }
        if isDirectoryDirty {
            changes.append(try records.put(directoryBytes, at: .init(table, group: group, "directory")))
        }
        return changes
    }

    /// The changes are on the disk.
    package mutating func didSave() {
        dirty = []
        removed = []
        isDirectoryDirty = false
        replacesAll = false
        trim(to: Self.mostCached)
    }

    /// Lets go of what was read but for the last block, to which most new entries come.
    package mutating func shrink() { trim(to: 1) }

    // MARK: Blocks

    /// Which block a key belongs to.
    private func position(of key: [UInt8]) -> Int {
        var (low, high) = (0, directory.count)
        while low < high {
            let middle = (low + high) / 2
            if key.lexicographicallyPrecedes(directory[middle].first) { high = middle } else { low = middle + 1 }
        }
        return max(0, low - 1)
    }

    /// Where a key stands in a block, or would.
    private static func index(of key: [UInt8], in block: [Entry]) -> Int {
        var (low, high) = (0, block.count)
        while low < high {
            let middle = (low + high) / 2
            if block[middle].key.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func entries(ofBlockAt position: Int) async throws -> [Entry] {
        let number = directory[position].number
        if let known = cached[number] { return known }
        let block = try await read(number)
        trim(to: Self.mostCached - 1)
        cached[number] = block
        return block
    }

    private func read(_ number: UInt32) async throws -> [Entry] {
        if let known = cached[number] { return known }
        let bytes: [UInt8]?
        do { bytes = try await records.value(name(number)) } catch let error {
            throw error is SealingKey.Failure ? Damaged(group: group) : error
        }
        guard let block = bytes.flatMap(Self.entries) else { throw Damaged(group: group) }
        return block
    }

    /// Lets go of blocks that were read, the oldest ones of the order first.
    private mutating func trim(to most: Int) {
        guard cached.count > most else { return }
        for block in directory.dropLast() where !dirty.contains(block.number) {
            guard cached.count > most else { return }
            cached[block.number] = nil
        }
    }

    private func name(_ number: UInt32) -> SealedRecords.Address { .init(table, group: group, "block \(number)") }
}

// MARK: - The bytes before sealing

extension SealedIndex {
    private static let version: UInt8 = 1

    /// A byte for the version; then per entry its key and its value, each behind a byte for its length.
    private static func bytes(_ entries: [Entry]) -> [UInt8] {
        var out = [version]
        out.reserveCapacity(entries.reduce(1) { $0 + 2 + $1.key.count + $1.value.count })
        for entry in entries {
            out.append(UInt8(entry.key.count))
            out.append(contentsOf: entry.key)
            out.append(UInt8(entry.value.count))
            out.append(contentsOf: entry.value)
        }
        return out
    }

    private static func entries(_ bytes: [UInt8]) -> [Entry]? {
        var reader = ByteReader(bytes)
        guard reader.byte() == version else { return nil }
        var entries: [Entry] = []
        while !reader.rest.isEmpty {
            guard let key = reader.short(), let value = reader.short() else { return nil }
            entries.append(Entry(key: key, value: value))
        }
        return entries
    }

    /// A byte for the version, the number the next block gets (8 bytes); then per block its number (8 bytes) and its
    /// first key behind a byte for the length.
    private var directoryBytes: [UInt8] {
        var out = [Self.version]
        out.append(bigEndian: Int64(nextNumber))
        for block in directory {
            out.append(bigEndian: Int64(block.number))
            out += [UInt8(block.first.count)] + block.first
        }
        return out
    }

    private static func directory(_ bytes: [UInt8]) -> (next: UInt32, blocks: [Block])? {
        var reader = ByteReader(bytes)
        guard reader.byte() == version, let next = reader.integer().flatMap(UInt32.init(exactly:)) else { return nil }
        var blocks: [Block] = []
        while !reader.rest.isEmpty {
            guard let number = reader.integer().flatMap(UInt32.init(exactly:)), let first = reader.short() else {
                return nil
            }
            blocks.append(Block(first: first, number: number))
        }
        return blocks.isEmpty ? nil : (next, blocks)
    }
}
