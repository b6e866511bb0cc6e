internal import Circles
public import NostrClient
internal import NostrCore

/// The circles of an account, and what waits for an answer.
public struct CirclesView: Equatable, Sendable {
    /// Whether what is private can be read.
    public let access: MessageAccess
    /// The circles.
    public private(set) var circles: [CircleItem] = []
    /// Circles the account asked to join.
    public private(set) var asked: [WaitingCircleItem] = []
    /// Whether others can invite the account to their circles.
    public private(set) var isInvitable = true
    /// Circles the account is invited to; of those with a muted name only that there is one.
    public private(set) var invitations: [WaitingCircleItem] = []
    /// Why there is nothing to show.
    public private(set) var trouble: Trouble?

    private init(access: MessageAccess) { self.access = access }

    /// Reads the circles of an account; what fails is told in ``trouble``.
    public static func load(of account: any Account) async -> CirclesView {
        var view = CirclesView(access: MessageAccess(await account.messagingState()))
        guard view.access == .open else { return view }
        do {
            let overview = try await openCircles(account).reader.overview()
            let own = account.publicKey
            view.circles = overview.circles.map { CircleItem($0, own: own) }
            view.isInvitable = overview.isInvitable
            view.asked = overview.asked.map { WaitingCircleItem($0) }
            view.invitations = overview.invitations.map { WaitingCircleItem($0) }
        } catch {
            view.trouble = Trouble(error)
        }
        return view
    }

    /// An invitation with its name, also where that is muted; `nil` for one that is not here.
    public static func unveiledInvitation(to word: String, of account: any Account) async throws -> WaitingCircleItem? {
        let invitations = try await openCircles(account).reader.overview().invitations
        return invitations.first { $0.id.hex == word }.map { WaitingCircleItem($0, isUnveiled: true) }
    }

    /// Whether there is nothing at all.
    public var isEmpty: Bool { circles.isEmpty && asked.isEmpty && invitations.isEmpty }
}

/// The circles of an account that has a key.
func openCircles(_ account: any Account) async throws -> AccountCircles {
    guard account.canSign else { throw Trouble(ConversationWords.noKey, canRetry: false) }
    return try await account.openCircles()
}
