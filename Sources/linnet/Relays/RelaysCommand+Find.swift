import ArgumentParser
import AsyncPrimitives
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import WebSocketNIO

extension RelaysCommand {
    /// `linnet relays find`.
    struct Find: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Find relays that others use and that answer, without any key.",
            discussion: """
                Reads relay lists (NIP-65) of other people from a few relays, leaves out the five that everybody names, and \
                tries fifteen of those that at least three people name, and five that monitors reached (NIP-66): each answers a question, and is offered an event \
                that nobody keeps, signed by a key used once. One line of JSON each, the best first; "chosen" are those a \
                new account begins with. Nothing is published and no account is needed.
                """)

        @OptionGroup var network: NetworkOptions
        @OptionGroup var logging: LoggingOptions

        func run() async throws {
            do {
                _ = try logging.start()
                let search = try await find(try network.configuration())
                let chosen = Set(search.choice)
                for candidate in search.candidates {
                    Output.line(text(of: candidate, isChosen: chosen.contains(candidate.relay)))
                }
                guard chosen.isEmpty else { return }
                Output.error("No relay answered. Is there a network?\n")
                throw ExitCode.failure
            } catch {
                throw CommandFailure.speaking(error)
            }
        }

        private func find(_ configuration: AccountConfiguration) async throws -> RelaySearch {
            let clock = ContinuousClock()
            let routing = configuration.routing
            let transport = NamedRelaysTransport(try WebSocketTransport()) { routing.names($0) }
            let pool = RelayPool(
                transport: transport, clock: clock, wall: { .current }, logger: Logger(label: "linnet.relays"))
            let finder = RelayFinder(
                network: pool, sources: configuration.firstRun, time: Time(clock: clock, now: { .current })
            ) { !$0.isOnion && (!$0.isPrivate || routing.allowsPrivateRelays || routing.names($0)) }
            return await withTaskGroup { group in
                group.addTask { await pool.run() }
                defer { group.cancelAll() }
                return await finder.find { search in
                    if case .reading(let answered, let count) = search.phase {
                        Output.error("\(answered) of \(count) relays asked, \(search.lists) lists read\n")
                    }
                }
            }
        }

        private func text(of candidate: RelaySearch.Candidate, isChosen: Bool) -> String {
            let milliseconds = candidate.delay.map { Int64($0 / .milliseconds(1)) }
            return JSONValue.object([
                JSONMember("relay", .string(candidate.relay.text)),
                JSONMember("named_by", .number("\(candidate.names)")),
                JSONMember("monitors", .number("\(candidate.monitors)")),
                JSONMember("answer", .string(word(for: candidate.answer))),
                JSONMember("milliseconds", milliseconds.map { .number("\($0)") } ?? .null),
                JSONMember("takes_events", .bool(candidate.takesEvents)),
                JSONMember("chosen", .bool(isChosen)),
            ]).text
        }

        private func word(for answer: RelaySearch.Candidate.Answer) -> String {
            switch answer {
            case .waiting, .unreachable: "unreachable"
            case .answered: "answered"
            case .refused: "refused"
            }
        }
    }
}
