public import NostrClient

/// What was found of an account whose key was brought, while it is looked for.
public struct ArrivalPage: Equatable, Sendable {
    /// One thing that is looked for.
    public struct Row: Equatable, Sendable {
        /// How it stands.
        public enum Standing: String, Equatable, Sendable {
            case looking, found, missing
        }

        /// What.
        public let title: String
        /// How it stands, in a few words.
        public let words: String
        /// How it stands.
        public let standing: Standing
    }

    /// The private messages that were found, of an account that is unlocked.
    struct Messages: Equatable, Sendable {
        /// How many conversations are here.
        var conversations: Int
        /// Whether a relay is still being asked for what it holds.
        var isAsking: Bool
    }

    /// What is looked for, in the order it is found.
    public let rows: [Row]
    /// How many people's relay lists were looked for, of how many; `nil` while nobody is followed.
    public let progress: (done: Int, all: Int)?
    /// Whether all is found that can be; messages may come for long, and are not waited for.
    public let isOver: Bool
    private let awaitsMessages: Bool
    /// Whether the page shows more in a while.
    public var isWaiting: Bool { !isOver || awaitsMessages }

    /// How it stands, in a sentence.
    public var summary: String {
        let lists = rows.first { $0.title == FirstRunWords.theirRelays }?.words
        if !isOver { return FirstRunWords.arriving(lists) }
        return awaitsMessages ? FirstRunWords.arrivedButMessages : FirstRunWords.arrived
    }

    /// Reads what was found.
    ///
    /// - Parameter messages: `nil` where they cannot be read.
    init(_ report: ArrivalReport, messages: Messages? = nil) {
        func row(_ title: String, _ isFound: Bool) -> Row {
            if isFound { return Row(title: title, words: FirstRunWords.found, standing: .found) }
            return report.isLookedUp
                ? Row(title: title, words: FirstRunWords.notFound, standing: .missing)
                : Row(title: title, words: FirstRunWords.looking, standing: .looking)
        }
        var rows = [
            row(FirstRunWords.yourRelays, report.hasRelays), row(FirstRunWords.yourProfile, report.hasProfile),
            row(FirstRunWords.yourInbox, report.hasInbox),
        ]
        let isKnown = report.follows > 0
        rows.append(
            isKnown
                ? Row(title: FirstRunWords.yourFollows, words: FirstRunWords.people(report.follows), standing: .found)
                : row(FirstRunWords.yourFollows, false))
        if isKnown {
            rows.append(
                Row(
                    title: FirstRunWords.theirRelays,
                    words: FirstRunWords.relayLists(report.relayLists, of: report.follows),
                    standing: report.isOver ? .found : .looking))
        }
        if report.lists > 0 {
            rows.append(
                Row(title: FirstRunWords.yourLists, words: FirstRunWords.lists(report.lists), standing: .found))
        }
        if report.notes > 0 || report.isLookedUp && report.awaitsNotes { rows.append(Row(notesOf: report)) }
        if let messages { rows.append(Row(messages, isLookedUp: report.isLookedUp)) }
        self.rows = rows
        awaitsMessages = messages?.isAsking ?? false
        progress = isKnown ? (report.isOver ? report.follows : report.relayLists, report.follows) : nil
        isOver = report.isOver
    }

    /// What was found of an account so far.
    ///
    /// - Returns: `nil` where nothing is looked for.
    /// - Throws: ``Trouble``.
    public static func load(of account: any Account) async throws(Trouble) -> ArrivalPage? {
        guard let run = account.firstRun else { return nil }
        return try await troubled {
            ArrivalPage(try await run.arrival(), messages: try await Self.messages(of: account))
        }
    }

    private static func messages(of account: any Account) async throws -> Messages? {
        guard let messages = account.messages, await account.messagingState()?.vault == .open else { return nil }
        let relays = try await account.network.inbound().filter { $0.sort == .messages }
        return Messages(
            conversations: try await messages.conversationCount(),
            isAsking: relays.contains { $0.standing == .asking })
    }

    public static func == (a: ArrivalPage, b: ArrivalPage) -> Bool {
        a.rows == b.rows && a.summary == b.summary && a.isOver == b.isOver && a.progress?.done == b.progress?.done
            && a.progress?.all == b.progress?.all
    }
}

extension ArrivalPage.Row {
    /// What the person wrote of late.
    fileprivate init(notesOf report: ArrivalReport) {
        let words = report.notes > 0 ? FirstRunWords.notes(report.notes, soFar: report.awaitsNotes) : nil
        self.init(
            title: FirstRunWords.yourNotes, words: words ?? FirstRunWords.looking,
            standing: report.awaitsNotes ? .looking : .found)
    }

    /// Private messages, which come for as long as a relay gives some.
    fileprivate init(_ messages: ArrivalPage.Messages, isLookedUp: Bool) {
        let isLooking = messages.isAsking || !isLookedUp
        if messages.conversations > 0 {
            self.init(
                title: FirstRunWords.yourMessages,
                words: FirstRunWords.conversations(messages.conversations, soFar: isLooking),
                standing: isLooking ? .looking : .found)
        } else {
            self.init(
                title: FirstRunWords.yourMessages, words: isLooking ? FirstRunWords.looking : FirstRunWords.notFound,
                standing: isLooking ? .looking : .missing)
        }
    }
}
