internal import Circles
public import NostrClient
internal import NostrCore

/// Something about a circle that a person wants to hear of while they look elsewhere.
public struct CircleAlert: Hashable, Sendable, Identifiable {
    /// What something may be about.
    public enum Matter: Hashable, Sendable {
        /// Places and batteries.
        case place
        /// Letting somebody in or go, so that there is something to decide.
        case decision
        /// A line that names the account.
        case mention
        /// An invitation to another circle.
        case invitation
    }

    /// The same for the same thing, however often it is read.
    public let id: String
    /// The circle's name in addresses.
    public let word: String
    /// What it is about.
    public let matter: Matter
    /// What, in one sentence.
    public let sentence: String

    /// How many of what Linnet noticed about places and batteries are looked at, per circle.
    private static let mostNotices = 8
    /// How many of the newest lines are looked through for mentions, per circle with something unread.
    private static let mostLines = 50

    /// What is to be heard of all circles of an account.
    ///
    /// Who came to a place or left it, whose battery is low, who wants to be let go, who asks to join, who named the
    /// account in a line that is not read, and which of the followed invites it; nothing of who or what is muted. Nothing
    /// while it is locked, or where it cannot be read.
    public static func load(of account: any Account) async -> [CircleAlert] {
        // Notices are no reason to trouble anybody about a disk: the circle's own page says what is wrong.
        (try? await read(account)) ?? []
    }

    private static func read(_ account: any Account) async throws -> [CircleAlert] {
        let circles = try await openCircles(account)
        let overview = try await circles.reader.overview()
        var alerts = invitations(overview)
        for circle in overview.circles where circle.standing == .member {
            let word = circle.id.hex
            for notice in try await circles.places.notices(in: circle.id).prefix(mostNotices) {
                let item = CircleNoticeItem(notice, own: account.publicKey)
                alerts.append(
                    CircleAlert(
                        id: "\(word) \(item.at.seconds) \(item.sentence)", word: word, matter: .place,
                        sentence: item.sentence))
            }
            guard circle.isAdmin || circle.unread > 0 else { continue }
            let page = try await circles.reader.page(
                of: circle.id, before: nil, limit: circle.unread > 0 ? mostLines : 1)
            alerts += mentions(of: account.publicKey, on: page)
            if circle.isAdmin { alerts += decisions(on: page, own: account.publicKey) }
        }
        return alerts
    }

    /// Of people who are followed: anybody can send one, and whoever is a stranger waits on the page of circles.
    private static func invitations(_ overview: CirclesOverview) -> [CircleAlert] {
        overview.invitations.filter { $0.muted == nil && $0.inviter.isFollowed }.map { invitation in
            let word = invitation.id.hex
            return CircleAlert(
                id: "\(word) \(invitation.arrivedAt.seconds) invitation", word: word, matter: .invitation,
                sentence: CircleWords.invitesYou(
                    PersonItem(invitation.inviter).name, oneLine(invitation.name, limit: 40)))
        }
    }

    /// Lines of others that are not read and name the account; what is muted names nobody.
    private static func mentions(of own: PublicKey, on page: CirclePage) -> [CircleAlert] {
        let said = page.lines.filter { line in
            if case .change = line.body { false } else { line.author.key != own }
        }
        let (word, name) = (page.summary.id.hex, oneLine(page.summary.name, limit: 40))
        return said.suffix(page.summary.unread + page.summary.unreadHidden).compactMap { line in
            guard case .text(let text) = line.body, names(own, in: text) else { return nil }
            let who = page.members.first { $0.id == line.author.key }?.nickname.map { oneLine($0, limit: 50) }
            return CircleAlert(
                id: "\(word) mention \(line.id.hex)", word: word, matter: .mention,
                sentence: CircleWords.mentionsYou(who ?? PersonItem(line.author).name, name))
        }
    }

    private static func names(_ person: PublicKey, in text: String) -> Bool {
        contentParts(written: text, mentions: [:]).contains { part in
            if case .mention(person, _) = part { true } else { false }
        }
    }

    /// What an admin is to decide.
    private static func decisions(on page: CirclePage, own: PublicKey) -> [CircleAlert] {
        let (word, name) = (page.summary.id.hex, oneLine(page.summary.name, limit: 40))
        let leaving = page.members.filter { $0.isLeaving && !$0.person.isMuted && $0.id != own }.map { member in
            let who = member.nickname.map { oneLine($0, limit: 50) } ?? PersonItem(member.person).name
            return CircleAlert(
                id: "\(word) leaving \(member.id.hex)", word: word, matter: .decision,
                sentence: CircleWords.wantsToLeave(who, name))
        }
        let asking = page.requests.filter { !$0.person.isMuted }.map { request in
            CircleAlert(
                id: "\(word) \(request.arrivedAt.seconds) \(request.id.hex)", word: word, matter: .decision,
                sentence: CircleWords.asksToJoin(PersonItem(request.person).name, name))
        }
        return leaving + asking
    }
}
