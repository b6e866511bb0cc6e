internal import MLS
internal import Marmot
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Coming in: our key packages, Welcomes, and people who ask.
extension CircleKeeper {
    // MARK: - Our key packages

    /// A key package that is still good to be published; nil if a new one is due.
    func currentKeyPackage() throws -> KeyPackageRecord? {
        let newest = try current().keyPackages.max { $0.event.createdAt < $1.event.createdAt }
        guard let newest, newest.usedAt == nil, newest.event.createdAt + Self.keyPackageLife > now() else { return nil }
        return newest
    }

    /// How long one key package is offered.
    static let keyPackageLife: Duration = .seconds(30 * 86_400)
    /// How long the keys of one that is offered no more are kept, for a Welcome that is late.
    static let keyPackageMemory: Duration = .seconds(90 * 86_400)
    private static let mostKeyPackages = 12

    /// A new key package, and the draft that publishes it; keep it before it is published.
    func newKeyPackage(at relays: [RelayURL]) throws -> (own: OwnKeyPackage, draft: EventDraft) {
        let now = self.now()
        // A slot of ours was written by us.
        let slot = try current().keyPackages.first?.event.tags.firstValue("d").flatMap { text in
            (try? decodeHex(text, byteCount: 32)).flatMap { try? Bytes32($0.span) }
        }
        return try inWords {
            let own = try profile.newKeyPackage(for: account, now: now, using: &random)
            let publication = KeyPackagePublication(
                slot: slot ?? drawBytes32(), relays: relays, now: now, client: "Linnet")
            return (own, try profile.draft(of: own.keyPackage, publication))
        }
    }

    /// Keeps a key package with the event that will publish it, and forgets those that nobody can use any more.
    func keep(_ package: KeyPackageRecord) async throws {
        try await turns.take {
            let opened = try current()
            let table = CircleTable.keyPackages
            let limit = now() - Self.keyPackageMemory
            let newest = (opened.keyPackages + [package]).sorted { $0.event.createdAt > $1.event.createdAt }
            let kept = newest.prefix(Self.mostKeyPackages).filter { $0.event.createdAt > limit }
            let gone = newest.filter { one in !kept.contains { $0.name == one.name } }
            var changes = [try opened.records.put(package.bytes, at: .init(table, package.name))]
            changes += gone.map { opened.records.remove(.init(table, $0.name)) }
            try await keep(changes) { $0.keyPackages = Array(kept) }
        }
    }

    // MARK: - Welcomes

    /// What became of a Welcome.
    enum Welcomed: Sendable {
        /// We are in.
        case joined(CircleID, [CircleTask])
        /// A person must say whether they want that.
        case asks(CircleID)
        /// It cannot be used, or is old news.
        case dropped
    }

    /// Takes a Welcome in: joins where we asked to, and asks the person otherwise.
    ///
    /// - Parameter clearing: becomes durable with it.
    func take(_ gift: Gift, clearing: [RecordChange]) async throws -> Welcomed {
        try await turns.take {
            let opened = try current()
            guard let invitation = invitation(gift, opened), let id = CircleID(invitation.groupID) else {
                try await keep(clearing) { _ in }
                return .dropped
            }
            if let seat = opened.seats[id], seat.session?.isMember == true {
                // We are in it. Only an admin of it who sees us out of step, or a state that we lost, is a reason to
                // come in again.
                let isOut = seat.session?.convergence.state.isOutOfStep ?? true
                let isAdmin = seat.session?.group.roster.isAdmin(invitation.rumor.inviter) ?? false
                guard isOut, isAdmin else {
                    try await keep(clearing) { _ in }
                    return .dropped
                }
                return try await enter(invitation, gift, id, opened, clearing)
            }
            let isAsked = opened.asked[id].map { $0.inviter == invitation.rumor.inviter.hex } ?? false
            if isAsked || opened.damaged.contains(id) { return try await enter(invitation, gift, id, opened, clearing) }
            let record = InvitationRecord(
                rumor: gift.rumor.json, circle: id.hex, name: invitation.data.name,
                inviter: invitation.rumor.inviter.hex, members: invitation.data.admins.count,
                arrivedAt: now().seconds)
            let place = SealedRecords.Place(CircleTable.invitations, id.hex)
            try await keep(clearing + [try opened.records.put(try record.recordBytes(), at: place)]) {
                $0.invitations[id] = record
            }
            return .asks(id)
        }
    }

    private func invitation(_ gift: Gift, _ opened: Opened) -> Invitation? {
        // What does not read is somebody's mistake or junk; there is nobody to tell.
        guard let rumor = try? WelcomeRumor(gift),
            let package = opened.keyPackages.first(where: { $0.event.id == rumor.keyPackageEvent })
        else { return nil }
        return try? Invitation(rumor, with: package.own, publishedAs: [package.event.id], profile: profile)
    }

    private func enter(
        _ invitation: Invitation, _ gift: Gift, _ id: CircleID, _ opened: Opened, _ clearing: [RecordChange]
    ) async throws -> Welcomed {
        let group: MarmotGroup
        do { group = try invitation.join(policy: policy) } catch {
            try await keep(clearing) { _ in }
            return .dropped
        }
        let session = GroupSession(group, now: now(), hasFreshKeys: false)
        var changes = clearing
        changes.append(opened.records.remove(.init(CircleTable.asked, id.hex)))
        changes.append(opened.records.remove(.init(CircleTable.invitations, id.hex)))
        var packages = opened.keyPackages
        if let index = packages.firstIndex(where: { $0.event.id == invitation.rumor.keyPackageEvent }) {
            packages[index].usedAt = packages[index].usedAt ?? now()
            let place = SealedRecords.Place(CircleTable.keyPackages, packages[index].name)
            changes.append(try opened.records.put(packages[index].bytes, at: place))
        }
        let kept = packages
        _ = try await seat(session, in: opened, clearing: changes) {
            $0.keyPackages = kept
            $0.asked[id] = nil
            $0.invitations[id] = nil
        }
        return .joined(id, [.subscribe, .show(id)])
    }

    /// Comes in by a Welcome that waited for consent.
    func accept(_ id: CircleID) async throws -> Welcomed {
        try await turns.take {
            let opened = try current()
            guard let record = opened.invitations[id], let rumor = try? Rumor(json: record.rumor) else {
                throw CircleError.unusable
            }
            let gift = Gift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
            guard let invitation = invitation(gift, opened) else { throw CircleError.unusable }
            let clearing = [opened.records.remove(.init(CircleTable.invitations, id.hex))]
            return try await enter(invitation, gift, id, opened, clearing)
        }
    }

    /// Says no to a Welcome; nobody is told.
    func decline(_ id: CircleID) async throws {
        try await turns.take {
            let records = try current().records
            try await keep([records.remove(.init(CircleTable.invitations, id.hex))]) { $0.invitations[id] = nil }
        }
    }
}
