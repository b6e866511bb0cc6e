import ArgumentParser
import Foundation
import NostrCore

/// A file of events, one JSON text a line, or standard input.
struct EventFile: ParsableArguments {
    @Argument(help: "A file of events, one JSON text a line; - reads standard input.")
    var file = "-"

    /// Opens it.
    ///
    /// - Throws: a ``CommandFailure``.
    func open() throws -> LineReader {
        if file == "-" { return LineReader(.standardInput) }
        return LineReader(try Reading.open(file, "a file of events"), of: file)
    }
}

/// A line that holds no event to believe, and why.
struct BadLine: Sendable, Equatable {
    let number: Int
    let reason: String

    /// How it is reported: `LINE: reason`.
    var report: String { "\(number): \(reason)\n" }
}

/// The lines of one block, parsed and checked.
struct CheckedLines: Sendable {
    /// The events to believe, with their line numbers.
    var events: [(line: Int, event: Event)] = []
    /// All other lines.
    var bad: [BadLine] = []

    /// Parses and checks every line of a block.
    init(_ block: LineBlock) {
        if block.isOverlong {
            bad = [BadLine(number: block.firstLine, reason: "longer than any event may be")]
        }
        for line in block.lines {
            do throws(EventLineError) {
                events.append((line.number, try checkedEvent(line.bytes)))
            } catch {
                bad.append(BadLine(number: line.number, reason: error.reason))
            }
        }
    }
}

private func checkedEvent(_ line: ArraySlice<UInt8>) throws(EventLineError) -> Event {
    let raw: UnverifiedEvent
    do throws(ParseError) { raw = try UnverifiedEvent(json: line.span) } catch { throw .malformed(error) }
    do throws(EventRejection) { return try Event(verifying: raw) } catch { throw .rejected(error) }
}

/// Works through the blocks of a file on all cores, a bounded number at a time, and reports in the order of the lines.
///
/// - Parameters:
///   - window: how many blocks may be in work; each holds about half a megabyte of text and what was made of it.
///   - work: what is done with a block.
///   - report: called in order, by one task at a time.
/// - Throws: what reading or `work` throws; blocks before the failed one have been reported.
func forEachBlock<Output: Sendable>(
    of reader: LineReader, window: Int, work: @escaping @Sendable (LineBlock) async throws -> Output,
    report: (Output) -> Void
) async throws {
    try await withThrowingTaskGroup(of: (Int, Output).self) { group in
        var finished: [Int: Output] = [:]
        var started = 0
        var reported = 0
        func collectOne() async throws -> Bool {
            guard let (index, output) = try await group.next() else { return false }
            finished[index] = output
            while let next = finished.removeValue(forKey: reported) {
                report(next)
                reported += 1
            }
            return true
        }
        while let block = try await reader.next() {
            let index = started
            started += 1
            group.addTask { (index, try await work(block)) }
            if started - reported >= window { _ = try await collectOne() }
        }
        while try await collectOne() {}
    }
}
