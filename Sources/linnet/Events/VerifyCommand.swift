import ArgumentParser
import Foundation
import NostrCore

/// `linnet verify`: checks ids and signatures of events in a file.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the ids and signatures of events.",
        discussion: """
            Reports each bad line as LINE: reason on standard error, then prints one line of JSON. Ends with 0 only when \
            every event was good.
            """)

    @OptionGroup var input: EventFile

    func run() async throws {
        let tally = try await Tally(checking: try input.open()) { Output.error($0) }
        Output.line(tally.json)
        if tally.invalid > 0 { throw ExitCode.failure }
    }

    /// What was found.
    struct Tally: Sendable, Equatable {
        private(set) var valid = 0
        private(set) var invalid = 0
        private(set) var seconds = 0.0

        /// Checks every line a reader gives.
        ///
        /// - Parameter complain: takes the reports of bad lines, in order.
        init(checking reader: LineReader, complain: (String) -> Void) async throws {
            let start = ContinuousClock.now
            try await forEachBlock(of: reader, window: 16) { block in
                let checked = CheckedLines(block)
                return (valid: checked.events.count, bad: checked.bad)
            } report: { block in
                valid += block.valid
                invalid += block.bad.count
                for line in block.bad { complain(line.report) }
            }
            seconds = start.duration(to: .now).inSeconds
        }

        var json: String {
            #"{"events":\#(valid + invalid),"valid":\#(valid),"invalid":\#(invalid),"seconds":\#(seconds)}"#
        }
    }
}

extension Duration {
    /// Seconds, to the millisecond.
    var inSeconds: Double {
        ((self / .milliseconds(1)).rounded()) / 1000
    }
}
