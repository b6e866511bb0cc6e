internal import Marmot
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// Circles as screens see them: reading.
extension LiveAccount: CircleKeeping {
    /// One's private circles; `nil` for an account without a key.
    public nonisolated var circles: (any CircleKeeping)? { canSign ? self : nil }

    public func circles() async throws -> CirclesOverview {
        let opened = try await openedCircles()
        var summaries: [CircleSummary] = []
        for seat in opened.seats.values { summaries.append(try await summary(of: seat, in: opened)) }
        summaries.sort { Self.order($0) > Self.order($1) }
        var asked: [AskedCircle] = []
        for (id, record) in opened.asked {
            let inviter = try await person(record.inviter)
            asked.append(
                AskedCircle(
                    id: id, name: record.name, inviter: inviter, askedAt: Timestamp(seconds: record.askedAt)))
        }
        var invitations: [CircleInvitation] = []
        for (id, record) in opened.invitations {
            invitations.append(
                CircleInvitation(
                    id: id, name: record.name, inviter: try await person(record.inviter),
                    arrivedAt: Timestamp(seconds: record.arrivedAt)))
        }
        return CirclesOverview(
            circles: summaries, asked: asked.sorted { $0.askedAt > $1.askedAt },
            invitations: invitations.sorted { $0.arrivedAt > $1.arrivedAt }, isInvitable: !opened.keyPackages.isEmpty)
    }

    private static func order(_ circle: CircleSummary) -> (Int, Int64, String) {
        let isHere = circle.standing.isInside
        return (isHere ? 1 : 0, circle.newest?.createdAt.seconds ?? 0, circle.id.hex)
    }

    public func circle(_ id: CircleID, before cursor: MessageCursor?, limit: Int) async throws -> CirclePage {
        let opened = try await openedCircles()
        guard let seat = opened.seats[id] else { throw CircleError.unknownCircle }
        let circle = OpenCircle(try await circleKeeper.lines(of: id))
        let (stretch, hasMore) = circle.stretch(before: cursor, limit: min(max(limit, 1), 500))
        let data = seat.session?.roster.data
        let requests = try await requests(at: seat, in: opened)
        return CirclePage(
            summary: try await summary(of: seat, in: opened), about: data?.description ?? "",
            relays: data?.relayURLs ?? [], members: try await members(of: seat, in: opened), requests: requests,
            lines: try await shown(Array(stretch), of: circle), older: hasMore ? stretch.first?.place : nil,
            warning: Self.warning(of: seat, isDamaged: opened.damaged.contains(id)))
    }

    public func health(of id: CircleID) async throws -> CircleHealth {
        let opened = try await openedCircles()
        guard let seat = opened.seats[id] else { throw CircleError.unknownCircle }
        guard let session = seat.session else { throw CircleError.notMember }
        let relays = session.roster.data.relayURLs.map { ($0, circleDesk.connected.contains($0)) }
        let unsent = circleDesk.homes.filter { $0.value == id }.keys
            .count { circleDesk.outbox.delivery(of: $0).map { $0.accepted.isEmpty && !$0.isSettled } ?? true }
        return CircleHealth(
            epoch: session.epoch, isOutOfStep: session.isOutOfStep, isCaughtUp: session.isCaughtUp,
            fingerprint: Self.fingerprint(session.epochAuthenticator), waiting: session.waitingCount,
            unsent: unsent, pending: session.pendingCount, undelivered: try await undelivered(),
            relays: Dictionary(relays) { first, _ in first },
            troubles: seat.record.troubles.reversed().compactMap { trouble in
                GroupNotice(rawValue: trouble.notice).map {
                    CircleHealth.Trouble(sentence: $0.sentence, at: Timestamp(seconds: trouble.at))
                }
            })
    }

    public func undelivered() async throws -> Int {
        let records = try await openedCircles().records
        let unwrapped = try await records.values(in: CircleTable.welcomes) { _ in true }
        return unwrapped.count
            + (await mail?.waiting() ?? 0)
    }

    /// Four groups of four digits: enough to compare by voice, and no use to anybody else.
    private static func fingerprint(_ authenticator: [UInt8]) -> String {
        let digits = Array(encodeHex(Array(authenticator.prefix(8))))
        return stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
            .joined(separator: " ")
    }

    private static func warning(of seat: CircleKeeper.Seat, isDamaged: Bool) -> String? {
        if isDamaged { return CircleError.damaged.sentence }
        switch seat.record.standing {
        case .removed: return "You were removed from this circle. What was said before is still here."
        case .left: return "You left this circle. What was said before is still here."
        case .leaving: return "You asked to leave. You are in the circle until somebody else's program lets you go."
        case .ending:
            return "You are ending this circle. It is wiped here as soon as a relay has it that everybody else is out."
        case .vanishing:
            return "This circle is wiped here. It goes from this list when somebody else's program has let you go."
        case .member, .replaced: break
        }
        guard seat.session?.isOutOfStep == true else { return nil }
        return
            "You are out of step with this circle and cannot read what others say now. An admin was asked to let you "
            + "in again."
    }
}

extension LiveAccount {
    /// What is open.
    ///
    /// - Throws: ``CircleError``, by name where the vault cannot be read.
    func openedCircles() async throws -> CircleKeeper.Opened {
        if vault == .damaged { throw CircleError(.damaged, VaultState.damage) }
        try await load()
        return try await circleKeeper.current()
    }

    private func person(_ hex: String) async throws -> Person {
        guard let key = try? PublicKey(hex: hex) else { throw CircleError.unusable }
        return try await persons([key])[key] ?? Person(key: key)
    }

    private func summary(of seat: CircleKeeper.Seat, in opened: CircleKeeper.Opened) async throws -> CircleSummary {
        let standing: CircleSummary.Standing =
            switch seat.record.standing {
            case _ where opened.damaged.contains(seat.id): .damaged
            case .member, .replaced: .member
            case .leaving: .leaving
            case .left: .left
            case .removed: .removed
            case .ending: .ending
            case .vanishing: .vanishing
            }
        var summary = CircleSummary(id: seat.id, name: seat.record.name, standing: standing)
        summary.unread = seat.record.unread
        if let newest = seat.record.newest.flatMap(OpenCircle.Line.init) {
            summary.newest = try await shown([newest], of: OpenCircle([])).first
        }
        summary.picture = seat.record.picture(of: nil)
        guard let session = seat.session else { return summary }
        let roster = session.roster
        for key in roster.people { summary.avatars[key] = seat.record.picture(of: key) }
        summary.isAdmin = roster.isAdmin(publicKey)
        let people = try await persons(roster.people)
        summary.people = roster.people.sorted().map { people[$0] ?? Person(key: $0) }
        summary.requests = summary.isAdmin ? opened.requests[seat.id]?.count ?? 0 : 0
        summary.isOutOfStep = session.isOutOfStep
        return summary
    }

    private func requests(
        at seat: CircleKeeper.Seat, in opened: CircleKeeper.Opened
    ) async throws -> [CircleRequest] {
        guard seat.session?.roster.isAdmin(publicKey) == true else { return [] }
        var requests: [CircleRequest] = []
        for record in opened.requests[seat.id] ?? [] {
            requests.append(
                CircleRequest(
                    person: try await person(record.person), name: record.name,
                    arrivedAt: Timestamp(seconds: record.arrivedAt), isReadmission: record.isReadmission))
        }
        return requests.sorted { $0.arrivedAt < $1.arrivedAt }
    }
}

extension GroupNotice {
    /// What happened, in one plain sentence.
    var sentence: String {
        switch self {
        case .commitRefused: "All relays of the circle refused your change; it was not made. Choose other relays."
        case .commitNotAccepted: "No relay said that it took your change; it counts if it turns up."
        case .commitNotFound: "No relay gave your change back; it counts if it turns up."
        case .commitNotMerged: "Your change could not be made; try again."
        case .commitOvertaken: "Somebody else's change came first; yours is made once more."
        case .removed: "You are not in the circle any more."
        case .relaysSilent: "The relays of the circle do not answer; what is missing is asked for again and again."
        case .outOfStep: "What others send cannot be read: you or they are out of step. An admin lets them in again."
        case .backInStep: "You are in step again."
        }
    }
}
