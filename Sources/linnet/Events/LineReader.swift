import Dispatch
import Foundation
import Synchronization

/// A stretch of whole lines of a file.
struct LineBlock: Sendable {
    /// The number of its first line; the first of the file is 1.
    let firstLine: Int
    /// The lines, parted by line feeds.
    let bytes: [UInt8]
    /// Whether this stands for one line longer than any event may be, whose bytes were dropped.
    var isOverlong = false

    /// The lines that are not blank, with their numbers.
    var lines: [(number: Int, bytes: ArraySlice<UInt8>)] {
        var lines: [(number: Int, bytes: ArraySlice<UInt8>)] = []
        var number = firstLine
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) { lines.append((number, line)) }
            number += 1
        }
        return lines
    }
}

/// Cuts a file into blocks of whole lines, holding one block and one line at most.
actor LineReader {
    private let input: FileHandle
    private let blockSize: Int
    private let longestLine: Int
    private let name: String
    // Reading blocks for as long as a pipe stays silent, so it has a thread of its own.
    private let queue = DispatchQueue(label: "linnet.read-lines")
    private var rest: [UInt8] = []
    private var nextLine = 1
    private var isSkipping = false
    private var isAtEnd = false
    private var isStopped = false
    /// Who waits for what is being read.
    private let waiting = Mutex<CheckedContinuation<[UInt8], any Error>?>(nil)

    /// Takes a file that is open for reading.
    ///
    /// - Parameters:
    ///   - blockSize: how much is read at once, in bytes.
    ///   - name: what to call it when it cannot be read.
    ///   - longestLine: a longer line is dropped and reported as ``LineBlock/isOverlong``.
    init(
        _ input: FileHandle, of name: String = "Standard input", blockSize: Int = 512 * 1024,
        longestLine: Int = 3 << 19
    ) {
        self.input = input
        self.name = name
        self.blockSize = blockSize
        self.longestLine = longestLine
    }

    /// The next lines, or `nil` at the end.
    ///
    /// - Throws: a ``CommandFailure`` when reading fails.
    func next() async throws -> LineBlock? {
        while !isAtEnd, !isStopped {
            let read: [UInt8]
            do { read = try await readBytes() } catch {
                throw CommandFailure("\(name) cannot be read, from line \(nextLine) on.")
            }
            if isStopped { return nil }
            if read.isEmpty { isAtEnd = true }
            if let block = append(read) { return block }
        }
        return nil
    }

    /// Reads no more: from now on the file has ended, also for who waits for more of it.
    func stop() {
        isStopped = true
        waiting.withLock { $0.take() }?.resume(returning: [])
    }

    private func append(_ read: [UInt8]) -> LineBlock? {
        var fresh = read[...]
        if isSkipping {
            guard let end = fresh.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            isSkipping = false
            fresh = fresh[(end + 1)...]
        }
        guard let lastEnd = fresh.lastIndex(of: UInt8(ascii: "\n")) else { return keepUnfinished(fresh) }
        let block = LineBlock(firstLine: nextLine, bytes: unmarked(rest + fresh[..<lastEnd]))
        rest = Array(fresh[(lastEnd + 1)...])
        nextLine += block.bytes.count { $0 == UInt8(ascii: "\n") } + 1
        return block
    }

    /// Keeps bytes without a line's end: the last line of a file, or a part of a long one.
    private func keepUnfinished(_ fresh: ArraySlice<UInt8>) -> LineBlock? {
        rest += fresh
        if rest.count > longestLine {
            rest = []
            isSkipping = !isAtEnd
            defer { nextLine += 1 }
            return LineBlock(firstLine: nextLine, bytes: [], isOverlong: true)
        }
        guard isAtEnd, !rest.isEmpty else { return nil }
        defer { rest = [] }
        return LineBlock(firstLine: nextLine, bytes: unmarked(rest))
    }

    /// Without the mark that some editors put before the first line.
    private func unmarked(_ bytes: [UInt8]) -> [UInt8] {
        nextLine == 1 && bytes.starts(with: ByteOrderMark.utf8) ? Array(bytes.dropFirst(3)) : bytes
    }

    private func readBytes() async throws -> [UInt8] {
        try await withCheckedThrowingContinuation { continuation in
            waiting.withLock { $0 = continuation }
            queue.async { [self, input, blockSize] in
                let read = Result { [UInt8](try input.read(upToCount: blockSize) ?? Data()) }
                waiting.withLock { $0.take() }?.resume(with: read)
            }
        }
    }
}
