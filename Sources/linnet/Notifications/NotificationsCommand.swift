import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs

/// `linnet notifications`: what concerns your account.
struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "Print who answered, mentioned, quoted, zapped or began to follow you, reposted you, or voted.",
        discussion: """
            Prints a line of JSON for each, the newest first. What you muted, and payments that your own wallet did not \
            sign for, are not among them.
            """,
        subcommands: [List.self, Summary.self, Read.self], defaultSubcommand: List.self)

    /// `linnet notifications list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what concerns you, the newest first, one line of JSON each.")

        @Option(
            help: ArgumentHelp(
                "Nothing older: a moment in seconds since 1970, or a span such as 90m, 24h or 7d.", valueName: "moment")
        )
        var since: String?
        @Option(name: .shortAndLong, help: "How many at most.") var limit = 100
        @Option(
            help: ArgumentHelp(
                "Which: replies, mentions, reactions, reposts, zaps, votes, chats, followers; several with commas between them.",
                valueName: "kinds"))
        var kinds: String?
        @Flag(help: "Only what is not marked as read.") var unread = false
        @Flag(help: "Print what is here without asking relays.") var offline = false
        @Option(help: ArgumentHelp("How long relays are asked before, in seconds.", valueName: "seconds")) var wait = 10
        @OptionGroup var session: AccountSession

        func validate() throws {
            if limit < 1 { throw ValidationError("--limit takes a number above 0.") }
            try Waiting.check(wait)
            _ = try sorts()
            if let since, NotificationMoment(since) == nil {
                throw ValidationError("--since takes seconds since 1970, or a span such as 24h.")
            }
        }

        func run() async throws {
            let sorts = try sorts()
            let since = since.flatMap(NotificationMoment.init)?.moment
            try await session.run { [limit, unread, offline, wait] account in
                let reader = try account.openNotifications()
                if !offline { try await account.gatherNotifications(for: wait) }
                var left = limit
                var place: TimelineCursor?
                repeat {
                    let page = try await reader.checkedPage(sorts, before: place, since: since, limit: min(left, 500))
                    let all = page.groups.flatMap(\.members).sorted { $0.isAbove($1) }
                    for one in all where !unread || page.unread.contains(one.id) {
                        Output.line(NotificationLine.text(of: one, isUnread: page.unread.contains(one.id)))
                    }
                    left -= all.count
                    place = page.next
                } while left > 0 && place != nil
            }
        }

        private func sorts() throws -> Set<AccountNotification.Sort>? {
            guard let kinds else { return nil }
            var sorts: Set<AccountNotification.Sort> = []
            for name in kinds.split(separator: ",") {
                guard let filter = NotificationFilter(rawValue: String(name)), !filter.sorts.isEmpty else {
                    let all = NotificationFilter.allCases.filter { !$0.sorts.isEmpty }.map(\.rawValue)
                    throw ValidationError("--kinds takes \(all.joined(separator: ", ")).")
                }
                sorts.formUnion(filter.sorts)
            }
            return sorts
        }
    }

    /// `linnet notifications summary`.
    struct Summary: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what happened within a day, in numbers, as a line of JSON.")

        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { account in
                let reader = try account.openNotifications()
                let summary = try await reader.summary(since: Timestamp.current - .seconds(86_400))
                let unread = try await reader.unread()
                var members = AccountNotification.Sort.allCases.map {
                    JSONMember($0.rawValue, .number("\(summary.counts[$0] ?? 0)"))
                }
                members.append(JSONMember("msats", .number("\(summary.millisatoshis)")))
                members.append(JSONMember("unread", .number("\(unread)")))
                Output.line(JSONValue.object(members).text)
            }
        }
    }

    /// `linnet notifications read`.
    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Mark everything as read.")

        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { account in
                try await account.openNotifications().markRead(through: nil)
            }
        }
    }
}

/// A moment as it is given in arguments.
struct NotificationMoment: Equatable {
    let moment: Timestamp

    /// Reads seconds since 1970, or a span before now: a number and `s`, `m`, `h` or `d`.
    init?(_ text: String) { self.init(text, now: .current) }

    init?(_ text: String, now: Timestamp) {
        if let seconds = Int64(text) {
            moment = Timestamp(seconds: seconds)
            return
        }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let letter = text.last, let unit = units[letter], let count = Int64(text.dropLast()), count >= 0,
            count <= 100_000_000
        else { return nil }
        moment = now - .seconds(count * unit)
    }
}

/// What concerns an account as a line of JSON.
enum NotificationLine {
    static func text(of notification: AccountNotification, isUnread: Bool) -> String {
        var members = [
            JSONMember("type", .string(notification.sort.rawValue)), JSONMember("id", .string(notification.id.hex)),
            JSONMember("created_at", .number("\(notification.moment.seconds)")),
        ]
        if let person = notification.person { members.append(JSONMember("pubkey", .string(person.hex))) }
        if let target = notification.target { members.append(JSONMember("target", .string(target.hex))) }
        if let zap = notification.zap {
            members.append(JSONMember("msats", .number("\(zap.millisatoshis)")))
            members.append(JSONMember("content", .string(zap.comment)))
        } else if ![.repost, .vote].contains(notification.sort), let event = notification.event {
            members.append(JSONMember("content", .string(event.content)))
        }
        if notification.sort == .vote, let event = notification.event {
            let chosen = event.tags.named("response").prefix(64).compactMap(\.value)
            members.append(JSONMember("responses", .array(chosen.map { .string($0) })))
        }
        if let line = notification.event.flatMap({ LiveChatMessage($0) }) {
            members.append(JSONMember("stream", .string(line.activity.address.description)))
        }
        if isUnread { members.append(JSONMember("unread", .bool(true))) }
        return JSONValue.object(members).text
    }
}

extension AccountNotification {
    /// Whether it stands above another where the newest come first.
    fileprivate func isAbove(_ other: AccountNotification) -> Bool {
        moment != other.moment ? moment > other.moment : id < other.id
    }
}

extension NotificationReading {
    /// A page once receipts that it asked for are checked; a silent place of payment is not waited for long.
    fileprivate func checkedPage(
        _ sorts: Set<AccountNotification.Sort>?, before place: TimelineCursor?, since: Timestamp?, limit: Int
    ) async throws -> NotificationPage {
        let page = try await page(sorts, before: place, since: since, limit: limit)
        guard isChecking else { return page }
        _ = try await isTrue(within: .seconds(10)) { !isChecking }
        return try await self.page(sorts, before: place, since: since, limit: limit)
    }
}

extension Account {
    /// The account's notifications.
    ///
    /// - Throws: a ``CommandFailure``.
    fileprivate func openNotifications() throws -> any NotificationReading {
        guard let notifications else { throw CommandFailure("This account has no notifications.") }
        return notifications
    }

    /// Lets relays tell what came meanwhile, for as long as was asked for.
    fileprivate func gatherNotifications(for seconds: Int) async throws {
        _ = try await isTrue(within: .seconds(max(0, seconds))) { false }
    }
}
