import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

extension RelaysCommand {
    /// `linnet relays heard`.
    struct Heard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print how complete is what others send you, or what people you follow write: lines of JSON.",
            discussion: """
                For private messages at your inbox relays, and for what names you at the relays you read: whether the relay \
                gave all it holds, until when it did (Unix seconds), and how many events came from there so far. With \
                --people a line for each person you follow instead: how many of the relays where they are read gave all \
                they hold, from when on it was asked for, and, where some have not answered since the start, until when all \
                was here. Waits up to half a minute for the relays.
                """)

        @Flag(help: "Of the people you follow.") var people = false

        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { [people] account in
                if people { return try await Self.printPeople(account.network) }
                // Relays that have not answered by then are told as they stand.
                _ = try await isTrue(within: .seconds(30)) {
                    let found = try await account.network.inbound()
                    return !found.isEmpty && !found.contains { $0.standing == .asking || $0.standing == .notAsked }
                }
                for coverage in try await account.network.inbound() { Output.line(text(of: coverage)) }
            }
        }

        private static func printPeople(_ network: any NetworkReporting) async throws {
            _ = try await isTrue(within: .seconds(30)) {
                let found = try await network.coverage()
                // Whom nobody was asked for yet is still to be looked up.
                return !found.isEmpty && found.allSatisfy { !$0.asked.isEmpty && !$0.asked.values.contains(nil) }
            }
            for coverage in try await network.coverage() { Output.line(line(of: coverage)) }
        }

        private static func line(of coverage: AuthorCoverage) -> String {
            let relays = CoverageItem(coverage)
            let item = CompletenessItem(coverage)
            return JSONValue.object([
                JSONMember("person", .string(coverage.person.key.hex)),
                JSONMember("relays", .number("\(relays.asked)")),
                JSONMember("complete", .number("\(relays.complete)")),
                JSONMember("since", item?.since.map { .number("\($0.seconds)") } ?? .null),
                JSONMember("until", item?.heardUntil.map { .number("\($0.seconds)") } ?? .null),
            ]).text
        }

        private func text(of coverage: InboundCoverage) -> String {
            JSONValue.object([
                JSONMember("relay", .string(coverage.relay.text)),
                JSONMember("of", .string(coverage.sort.rawValue)),
                JSONMember("standing", .string(word(for: coverage.standing))),
                JSONMember("until", coverage.heardUntil.map { .number("\($0.seconds)") } ?? .null),
                JSONMember("events", .number("\(coverage.received)")),
            ]).text
        }

        private func word(for standing: InboundCoverage.Standing) -> String {
            switch standing {
            case .notAsked: "not asked"
            case .asking: "asking"
            case .complete: "complete"
            case .failed: "failed"
            }
        }
    }
}
