internal import Circles
public import NostrClient
internal import NostrCore

/// Something about a circle that a person wants to hear of while they look elsewhere.
public struct CircleAlert: Hashable, Sendable, Identifiable {
    /// The same for the same thing, however often it is read.
    public let id: String
    /// The circle's name in addresses.
    public let word: String
    /// Whether it is about letting somebody in or go, so that there is something to decide.
    public let asksForDecision: Bool
    /// What, in one sentence.
    public let sentence: String

    /// How many of what Linnet noticed about places and batteries are looked at, per circle.
    private static let mostNotices = 8

    /// What is to be heard of all circles of an account.
    ///
    /// Who came to a place or left it, whose battery is low, who wants to be let go, who asks to join; nothing of who
    /// is muted. Nothing while it is locked, or where it cannot be read.
    public static func load(of account: any Account) async -> [CircleAlert] {
        // Notices are no reason to trouble anybody about a disk: the circle's own page says what is wrong.
        (try? await read(account)) ?? []
    }

    private static func read(_ account: any Account) async throws -> [CircleAlert] {
        let circles = try await openCircles(account)
        var alerts: [CircleAlert] = []
        for circle in try await circles.reader.overview().circles where circle.standing == .member {
            let (word, name) = (circle.id.hex, oneLine(circle.name, limit: 40))
            for notice in try await circles.places.notices(in: circle.id).prefix(mostNotices) {
                let item = CircleNoticeItem(notice, own: account.publicKey)
                alerts.append(
                    CircleAlert(
                        id: "\(word) \(item.at.seconds) \(item.sentence)", word: word, asksForDecision: false,
                        sentence: item.sentence))
            }
            guard circle.isAdmin else { continue }
            let page = try await circles.reader.page(of: circle.id, before: nil, limit: 1)
            for member in page.members
            where member.isLeaving && !member.person.isMuted && member.id != account.publicKey {
                let who = member.nickname.map { oneLine($0, limit: 50) } ?? PersonItem(member.person).name
                alerts.append(
                    CircleAlert(
                        id: "\(word) leaving \(member.id.hex)", word: word, asksForDecision: true,
                        sentence: CircleWords.wantsToLeave(who, name)))
            }
            for request in page.requests where !request.person.isMuted {
                alerts.append(
                    CircleAlert(
                        id: "\(word) \(request.arrivedAt.seconds) \(request.id.hex)", word: word, asksForDecision: true,
                        sentence: CircleWords.asksToJoin(PersonItem(request.person).name, name)))
            }
        }
        return alerts
    }
}
