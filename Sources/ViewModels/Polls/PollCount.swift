public import NostrClient
public import NostrCore
internal import NostrNIPs

/// How a poll stands by the votes of some, for its own page.
///
/// Source: NIP-88, "Curation".
public struct PollCount: Hashable, Sendable {
    /// A choice of whose votes are counted.
    public struct Entry: Hashable, Sendable {
        /// The choice.
        public let choice: PollVotersChoice
        /// What it is called, on one line.
        public let title: String
        /// Whether it is the one that is shown.
        public let isCurrent: Bool
    }

    /// So many sets of people are offered.
    static let mostSets = 30
    /// Of so many people of a set votes are counted.
    static let mostPeople = 2_000

    /// Everybody, the people the account follows, its sets of people, and work.
    public let entries: [Entry]
    /// How many chose what.
    public let results: PollItem.Results
    /// Who counts, or why nobody does; `nil` where the name of the choice says it.
    public let explanation: String?
    private let endsAt: Timestamp?

    /// Counts the votes of some.
    ///
    /// Where the private part of a set is locked, only those of its public part count, and ``explanation`` says so.
    public static func load(
        _ poll: PollItem, by choice: PollVotersChoice, of account: any Account
    ) async throws(Trouble) -> PollCount {
        // A page is not to fail because its lists cannot be read.
        let sets = (try? await account.lists?.headings(of: [.followSets])) ?? []
        let (voters, explanation) = try await whoCounts(choice, account)
        let tally = try await troubled { try await account.polls?.tally(of: poll.id, by: voters) ?? PollTally() }
        return PollCount(
            entries: entries(at: choice, sets), results: PollItem.Results(tally, of: poll.poll),
            explanation: explanation, endsAt: poll.endsAt)
    }

    /// How many voted, or how many of the votes count here, and until when votes do.
    public func standingWords(now: Timestamp) -> String {
        let isOfAll = entries.contains { $0.isCurrent && $0.choice == .everyone }
        let words = isOfAll ? PollWords.voters(results.voters) : PollWords.counting(results.voters)
        return words + " · " + PollWords.end(endsAt, now: now)
    }

    private static func entries(at open: PollVotersChoice, _ sets: [ListHeading]) -> [Entry] {
        var choices: [(PollVotersChoice, String)] = [
            (.everyone, PollWords.everyone), (.followed, PollWords.followed),
        ]
        choices += sets.prefix(mostSets).map { set -> (PollVotersChoice, String) in
            let title = oneLine(set.title.isEmpty ? set.address.identifier : set.title, limit: 60)
            return (.list(identifier: set.address.identifier), title.isEmpty ? PollWords.unnamedSet : title)
        }
        choices += PollVotersChoice.offeredWork.map { (PollVotersChoice.work(bits: $0), PollWords.work($0)) }
        // What the address of the page says stands there, too.
        if !choices.contains(where: { $0.0 == open }) { choices.append((open, title(of: open))) }
        return choices.map { Entry(choice: $0, title: $1, isCurrent: $0 == open) }
    }

    private static func title(of choice: PollVotersChoice) -> String {
        switch choice {
        case .everyone: PollWords.everyone
        case .followed: PollWords.followed
        case .work(let bits): PollWords.work(bits)
        case .list(let identifier):
            identifier.isEmpty ? PollWords.unnamedSet : oneLine(identifier, limit: 60)
        }
    }

    private static func whoCounts(
        _ choice: PollVotersChoice, _ account: any Account
    ) async throws(Trouble) -> (PollVoters, explanation: String?) {
        switch choice {
        case .everyone: return (.everyone, nil)
        case .followed: return (.followed, nil)
        case .work(let bits): return (.work(bits: bits), PollWords.aboutWork(bits))
        case .list(let identifier):
            guard let lists = account.lists else { return (.people([]), PollWords.noSet) }
            let list = try await troubled { try await lists.list(.followSets, identifier: identifier) }
            let people = (list.publicItems + list.privateItems).compactMap { item in
                if case .person(let pointer, _) = item { pointer.key } else { nil }
            }
            let explanation: String? =
                switch list.privatePart {
                case .locked: PollWords.lockedSet
                case .unreadable: PollWords.unreadableSet
                case .none, .open: people.isEmpty ? PollWords.noSet : nil
                }
            return (.people(Set(people.prefix(mostPeople))), explanation)
        }
    }
}
