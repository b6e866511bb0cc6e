import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet search`: people and what was written, here and on relays (NIP-50).
struct SearchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search people, notes and articles, here and on relays (NIP-50).",
        discussion: """
            Words are looked for in the store of this machine and on search relays: the first few of your own list (kind \
            10007), or well-known ones. from:npub1…, since:2025-03-01 and until:2025-03-31 narrow it; language:, domain:, \
            include:spam, nsfw: and sentiment: are passed on to relays that know them. Prints a line of JSON for each \
            person ("pubkey", "name", "nip05", "followed"), then the events, newest first. Waits for the relays, at most \
            six seconds; with --here none is asked. Ends with 1 when nothing was found.
            """)

    @Argument(help: ArgumentHelp("What to search for.", valueName: "word")) var words: [String]
    @Option(help: "people, notes, articles or all.") var kind = "all"
    @Option(help: "Ask this relay alone.") var relay: String?
    @Flag(help: "Ask every relay on your list of search relays, not only the first few.") var listed = false
    @Flag(help: "Search this machine alone.") var here = false
    @Option(name: [.customShort("l"), .long], help: "So many events at most.") var limit = 30
    @OptionGroup var session: AccountSession

    func validate() throws {
        guard SearchQuestion.Sort(rawValue: kind) != nil else {
            throw ValidationError("--kind takes people, notes, articles or all.")
        }
        guard (1...200).contains(limit) else { throw ValidationError("--limit takes 1 to 200.") }
        guard [relay != nil, listed, here].count(where: \.self) <= 1 else {
            throw ValidationError("--relay, --listed and --here exclude each other.")
        }
    }

    func run() async throws {
        try Secrets.refuse(in: words)
        let text = words.joined(separator: " ")
        if SearchRequest(text).secretWarning != nil {
            throw CommandFailure(
                "That holds a secret, or an address that lets in whoever has it; it was not searched for.")
        }
        let scope = try scope()
        let question = SearchQuestion(text, sort: SearchQuestion.Sort(rawValue: kind) ?? .all, scope: scope)
        if let unread = question.unread.first {
            throw CommandFailure("\(Shown.text(unread)) cannot be read: from: takes an npub, since: and until: a day.")
        }
        guard !question.isTooShort else { throw CommandFailure("Give at least two letters to search for.") }
        var named: Set<RelayURL> = []
        if case .relay(let relay) = scope { named = [relay] }
        let found = try await session.run(naming: named) { [limit] account in
            try await Self.search(question, of: account, limit: limit)
        }
        for person in found.people { Output.line(Self.text(of: person)) }
        for note in found.notes.notes { Output.line(String(decoding: note.event.json, as: UTF8.self)) }
        if found.people.isEmpty, found.notes.notes.isEmpty { throw ExitCode.failure }
    }

    private func scope() throws -> SearchQuestion.Scope {
        guard let relay else { return here ? .here : listed ? .listed : .usual }
        do { return .relay(try RelayURL(relay)) } catch {
            throw CommandFailure("\(Shown.text(relay)) is not a relay's address.")
        }
    }

    /// Searches until relays have said what they have.
    private static func search(
        _ question: SearchQuestion, of account: any Account, limit: Int
    ) async throws -> SearchResult {
        var found = try await account.timeline.search(question, before: nil, limit: limit)
        guard found.notes.isLoadingOlder else { return found }
        _ = try await isTrue(within: .seconds(6)) {
            found = try await account.timeline.search(question, before: nil, limit: limit)
            return !found.notes.isLoadingOlder
        }
        return found
    }

    private static func text(of person: Person) -> String {
        JSONValue.object([
            JSONMember("pubkey", .string(person.key.hex)), JSONMember("name", .string(PersonItem(person).name)),
            JSONMember("nip05", person.fields["nip05"].map { .string($0) } ?? .null),
            JSONMember("followed", .bool(person.isFollowed)),
        ]).text
    }
}
