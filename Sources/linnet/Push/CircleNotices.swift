import AsyncPrimitives
internal import Circles
import NostrClient
import NostrCore
import ViewModels

/// The accounts in whose circles something may happen.
protocol OpenAccounts: Sendable {
    /// Those at work.
    func openAccounts() async -> [PublicKey: any Account]
}

/// The same, by somebody who tells of those that come and go.
protocol ChangingAccounts: OpenAccounts {
    /// Now, and whenever an account begins to work or ends.
    func accountsComeAndGo() async -> AsyncStream<Void>
}

extension AccountHost: ChangingAccounts {
    func openAccounts() -> [PublicKey: any Account] { atWork.mapValues { $0.account } }
    func accountsComeAndGo() -> AsyncStream<Void> { comings.listen(startingWith: ()) }
}

/// Has browsers told that something happened while no page is open.
///
/// In circles: what was said, who mentions the account, who came to a place or left it, whose battery is low, who wants
/// to leave, who asks to join, and invitations by people whom it follows. And what else concerns the account, all of it
/// as far as its person chose, and nothing of who or what is muted.
///
/// What is told is that there is something, by the proxy that wakes browsers for requests. Neither it nor a push service
/// learns what or where: docs/decisions/0022-notices-without-a-page.md.
struct CircleNotices: Sendable {
    /// How often it is looked whether what could not be read can be read now.
    private static let look: Duration = .seconds(5)
    /// What happens at once is told once.
    private static let gathering: Duration = .seconds(2)
    /// How often it is looked whether quiet hours are over, while something is to be told then.
    private static let lookWhileQuiet: Duration = .seconds(300)
    /// The least time between two notices of an account.
    private static let rest: Duration = .seconds(60)

    let accounts: any ChangingAccounts
    let registrar: PushRegistrar
    private let time: Time<Timestamp>
    /// The minute of the day, for the hours in which nobody is told anything.
    private let minuteOfDay: @Sendable () -> Int

    init(
        accounts: any ChangingAccounts, registrar: PushRegistrar,
        time: Time<Timestamp> = Time(clock: ContinuousClock(), now: { .current }),
        minuteOfDay: @escaping @Sendable () -> Int = { Timestamp.minuteOfDay }
    ) {
        (self.accounts, self.registrar, self.time, self.minuteOfDay) = (accounts, registrar, time, minuteOfDay)
    }

    /// Works until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            var watched: [PublicKey: ObjectIdentifier] = [:]
            for await _ in await accounts.accountsComeAndGo() {
                let open = await accounts.openAccounts()
                // An account that is closed and opened again is another.
                for (key, account) in open where watched[key] != ObjectIdentifier(account) {
                    group.addTask { await self.watch(account) }
                }
                watched = open.mapValues { ObjectIdentifier($0) }
            }
        }
    }

    /// Tells the browsers of one account, until it is closed.
    private func watch(_ account: any Account) async {
        let bell = Doorbell()
        let changes = await account.changes()
        let additions = registrar.additions()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await change in changes where change.mayBeNews { bell.ring() }
            }
            group.addTask {
                for await key in additions where key == account.publicKey { bell.ring() }
            }
            group.addTask { await self.announceNews(account, when: bell) }
            group.addTask { await self.waitUntilClosed(account) }
            // The account was closed, or the program ends.
            await group.next()
            group.cancelAll()
        }
    }

    private func waitUntilClosed(_ account: any Account) async {
        for await _ in await accounts.accountsComeAndGo() {
            guard let open = await accounts.openAccounts()[account.publicKey], open === account else { return }
        }
    }

    private func announceNews(_ account: any Account, when bell: Doorbell) async {
        var seen = SeenAlerts()
        var isWoken = false
        bell.ring()
        while !Task.isCancelled {
            // What could not be read becomes readable without any change, and quiet hours end without one.
            let most =
                !isWoken ? nil : seen.isEmpty ? Self.look : seen.owesNotice ? Self.lookWhileQuiet : nil
            if let most { await bell.wait(atMost: most, on: time.clock) } else { await bell.wait() }
            // What is there at first is no news, and all that comes later is: it is looked at without delay.
            if isWoken { await time.pause(for: Self.gathering) }
            isWoken = await registrar.hasBrowsers(account.publicKey)
            if await look(at: account, &seen) { await time.pause(for: Self.rest) }
        }
    }

    /// Looks at what there is, and has browsers told where something of it is new.
    ///
    /// What comes in quiet hours is told once they are over, unless it was read meanwhile.
    ///
    /// - Returns: whether they were told.
    func look(at account: any Account, _ seen: inout SeenAlerts) async -> Bool {
        guard await registrar.hasBrowsers(account.publicKey) else {
            seen = SeenAlerts()
            return false
        }
        guard account.circles != nil else {
            seen.lock()
            return false
        }
        let waking = await waking(of: account)
        let isQuiet = waking.quiet?.contains(minuteOfDay()) == true
        guard let news = await news(of: account, waking),
            seen.note(news.names, talks: news.talks, isQuiet: isQuiet)
        else { return false }
        await registrar.notify(account.publicKey)
        return true
    }
}

extension CircleNotices {
    private static let mostLookedAt = 20

    /// What the account's person chose; what cannot be read was not chosen.
    private func waking(of account: any Account) async -> NotificationWaking {
        (try? await account.notifications?.waking()) ?? NotificationWaking()
    }

    /// What there is to be heard of.
    private struct News {
        /// By names that stay the same for the same thing.
        var names: Set<String> = []
        var talks: [UnreadTalk] = []
    }

    /// What there is; `nil` where it cannot be read now, and would be taken for new the next time.
    private func news(of account: any Account, _ waking: NotificationWaking) async -> News? {
        var news = News()
        if waking.filters.contains(.circles) {
            news.names.formUnion(await CircleAlert.load(of: account).map(\.id))
            let circles = await CirclesView.load(of: account)
            guard circles.trouble == nil else { return nil }
            for circle in circles.circles where circle.unread > 0 {
                news.talks.append(
                    UnreadTalk(name: "circle \(circle.word)", unread: circle.unread, moment: circle.unreadArrived))
            }
        }
        if waking.filters.contains(.messages) {
            let messages = await ConversationsView.load(of: account)
            guard messages.trouble == nil else { return nil }
            for conversation in messages.conversations where conversation.unread > 0 {
                news.talks.append(
                    UnreadTalk(
                        name: "messages \(conversation.word)", unread: conversation.unread,
                        moment: conversation.moment?.seconds ?? 0))
            }
        }
        guard let reader = account.notifications else { return news }
        guard let unread = await Self.unread(in: reader, waking) else { return nil }
        news.names.formUnion(unread)
        return news
    }

    /// What concerns the account and is not read, of the sorts its person is told of.
    ///
    /// - Returns: `nil` where that cannot be read now.
    static func unread(in reader: any NotificationReading, _ waking: NotificationWaking) async -> Set<String>? {
        guard !waking.sorts.isEmpty else { return [] }
        // A page shows what cannot be read now once it can.
        guard let page = try? await reader.page(waking.sorts, before: nil, since: nil, limit: Self.mostLookedAt) else {
            return nil
        }
        return Set(page.unread.map(\.hex))
    }
}

/// A conversation, or a circle, in which something is unread.
struct UnreadTalk: Sendable {
    let name: String
    let unread: Int
    /// Of the last that is there.
    let moment: Int64
}

/// What there was to be heard of before.
struct SeenAlerts: Sendable {
    private var known: Set<String>?
    /// What came in quiet hours and was not told.
    private var owed: Set<String> = []

    /// How a conversation stood.
    private struct Standing {
        var unread = 0
        var moment = Int64.min
        /// How often something came.
        var number = 0
    }

    private var standings: [String: Standing] = [:]

    /// Whether nothing was looked at yet, so that nothing can be new.
    var isEmpty: Bool { known == nil }

    /// Whether something is to be told once it is quiet no longer.
    var owesNotice: Bool { !owed.isEmpty }

    /// Nothing can be read for now: what is there after is no news, but what was to be told still is.
    mutating func lock() { known = nil }

    /// Notes what there is now.
    ///
    /// - Parameters:
    ///   - talks: those in which something is unread; that less is unread than before is no news.
    ///   - isQuiet: whether nothing may be told now.
    /// - Returns: whether something of it is to be told; what was there when one began to look is not.
    mutating func note(_ found: Set<String>, talks: [UnreadTalk] = [], isQuiet: Bool = false) -> Bool {
        let found = found.union(names(of: talks))
        let new = known.map { found.subtracting($0) } ?? []
        known = found
        // What was read meanwhile need not be told.
        owed = owed.intersection(found).union(new)
        guard !isQuiet, !owed.isEmpty else { return false }
        owed = []
        return true
    }

    /// A name for each, which is another when something came, and stays when something was muted, read or taken back.
    private mutating func names(of talks: [UnreadTalk]) -> Set<String> {
        let unread = Dictionary(talks.map { ($0.name, $0.unread) }) { first, _ in first }
        for name in standings.keys where unread[name] == nil { standings[name]?.unread = 0 }
        return Set(
            talks.map { talk in
                var standing = standings[talk.name] ?? Standing()
                if talk.unread > standing.unread || talk.moment > standing.moment { standing.number += 1 }
                standing.unread = talk.unread
                standing.moment = max(standing.moment, talk.moment)
                standings[talk.name] = standing
                return "\(talk.name) \(standing.number)"
            })
    }
}

extension AccountChange {
    fileprivate var mayBeNews: Bool {
        switch self {
        case .circle, .circles, .lock, .notifications, .messaging: true
        default: false
        }
    }
}
