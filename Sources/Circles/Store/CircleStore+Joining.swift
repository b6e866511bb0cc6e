internal import AsyncPrimitives
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Coming in: our key packages, Welcomes, and people who ask.
extension CircleStore {
    // MARK: - Our key packages

    /// A key package that is still good to be published; nil if a new one is due.
    func currentKeyPackage() throws -> KeptKeyPackage? {
        let newest = try current().newestKeyPackage
        guard let newest, newest.usedAt == nil, newest.event.createdAt + Self.keyPackageLife > now() else { return nil }
        return newest
    }

    /// How long one key package is offered.
    static let keyPackageLife: Duration = .seconds(30 * 86_400)
    /// How long the keys of one that is offered no more are kept, for a Welcome that is late.
    static let keyPackageMemory: Duration = .seconds(90 * 86_400)
    private static let mostKeyPackages = 12
    /// How many of them are on relays at once.
    private static let slots = 4

    /// A new key package; keep it before it is published.
    func newKeyPackage(at relays: [RelayURL]) throws -> UnsignedKeyPackage {
        let now = self.now()
        // Those before it stay on relays for a while: by them members know the leaves that came with them.
        let known = try current().keyPackages.sorted { $0.event.createdAt > $1.event.createdAt }
            .compactMap { $0.event.tags.firstValue("d") }.uniqued()
        // A slot of ours was written by us.
        let slot = known.count < Self.slots ? nil : known[Self.slots - 1].slot
        return try throughMarmot {
            let publication = KeyPackagePublication(
                slot: slot ?? drawBytes32(), relays: relays, now: now, client: "Linnet")
            return try UnsignedKeyPackage(for: account, publication, profile: profile, using: &random)
        }
    }

    /// Keeps a key package with the event that will publish it, and forgets those that nobody can use any more.
    func save(_ package: KeptKeyPackage) async throws {
        try await gate.run {
            let state = try current()
            let table = CircleTable.keyPackages
            let limit = now() - Self.keyPackageMemory
            let newest = (state.keyPackages + [package]).sorted { $0.event.createdAt > $1.event.createdAt }
            let kept = newest.prefix(Self.mostKeyPackages).filter { $0.event.createdAt > limit }
            let gone = newest.filter { one in !kept.contains { $0.name == one.name } }
            var changes = [try state.records.put(package.bytes, at: .init(table, package.name))]
            changes += gone.map { state.records.remove(.init(table, $0.name)) }
            try await save(changes) { $0.keyPackages = Array(kept) }
        }
    }

    // MARK: - Welcomes

    /// What became of a Welcome.
    enum Welcomed: Sendable {
        /// We are in.
        case joined(CircleID, [CircleEffect])
        /// A person must say whether they want that.
        case asks(CircleID)
        /// It cannot be used, is old news, or is kept in case it is needed.
        case dropped
    }

    /// Takes a Welcome in: joins where we asked to, and asks the person otherwise.
    ///
    /// - Parameters:
    ///   - clearing: becomes durable with it.
    ///   - follows: whose invitations are kept before those of others; anybody can send one.
    func receive(
        welcome gift: UnwrappedGift, clearing: [RecordChange], follows: Set<PublicKey> = []
    ) async throws -> Welcomed {
        try await gate.run {
            let state = try current()
            guard let invitation = invitation(gift, state), let id = CircleID(invitation.groupID) else {
                try await save(clearing) { _ in }
                return .dropped
            }
            if let circle = state.circles[id], let session = circle.session, circle.record.standing != .left {
                let isOver = circle.record.standing.isOver
                switch isOver ? .drop : session.judge(invitation.rumor, enteredBy: circle.record.entry) {
                case .enter where !session.isLeaving: return try await enter(invitation, gift, id, state, clearing)
                case .keep where session.isMember: return try await spare(gift.rumor, id, state, clearing)
                case _ where session.isMember:
                    try await save(clearing) { _ in }
                    return .dropped
                default: break
                }
            }
            let isAsked = state.asked[id].map { $0.inviter == invitation.rumor.inviter.hex } ?? false
            if isAsked || state.damaged.contains(id) { return try await enter(invitation, gift, id, state, clearing) }
            return try await ask(invitation, gift, id, state, clearing, follows)
        }
    }

    /// Keeps an invitation for the person to decide, within ``InvitationLimits``.
    private func ask(
        _ invitation: Invitation, _ gift: UnwrappedGift, _ id: CircleID, _ state: State, _ clearing: [RecordChange],
        _ follows: Set<PublicKey>
    ) async throws -> Welcomed {
        let inviter = invitation.rumor.inviter
        let friends = Set(follows.map(\.hex))
        let record = InvitationRecord(
            rumor: gift.rumor.json, circle: id.hex, name: invitation.data.name, inviter: inviter.hex,
            members: invitation.data.admins.count, arrivedAt: now().seconds)
        var kept = state.invitations
        // The id of a circle is no secret to who was in it: another's invitation takes nobody else's place.
        let mayReplace = kept[id].map { $0.inviter == inviter.hex || friends.contains(inviter.hex) } ?? true
        if mayReplace { kept[id] = record }
        let gone = InvitationLimits.surplus(of: kept, follows: friends)
        for one in gone { kept[one] = nil }
        var changes = clearing
        changes += gone.filter { state.invitations[$0] != nil }
            .map { state.records.remove(.init(CircleTable.invitations, $0.hex)) }
        if mayReplace, kept[id] != nil {
            changes.append(try state.records.put(try record.recordBytes(), at: .init(CircleTable.invitations, id.hex)))
        }
        let left = kept
        try await save(changes) { $0.invitations = left }
        return mayReplace && left[id] != nil ? .asks(id) : .dropped
    }

    private func invitation(_ gift: UnwrappedGift, _ state: State) -> Invitation? {
        // What does not read is somebody's mistake or junk; there is nobody to tell.
        guard let rumor = try? WelcomeRumor(gift),
            let package = state.keyPackages.first(where: { $0.event.id == rumor.keyPackageEvent })
        else { return nil }
        return try? Invitation(rumor, with: package.own, publishedAs: [package.event.id], profile: profile)
    }

    private func enter(
        _ invitation: Invitation, _ gift: UnwrappedGift, _ id: CircleID, _ state: State, _ clearing: [RecordChange]
    ) async throws -> Welcomed {
        let group: MarmotGroup
        do { group = try invitation.join(policy: policy) } catch {
            try await save(clearing) { _ in }
            return .dropped
        }
        let since = min(now(), invitation.rumor.createdAt)
        var session = GroupSession(group, now: since, hasFreshKeys: false)
        session.keepBindings(of: state.circles[id]?.session)
        session.prove(by: invitation)
        let unread = state.circles[id]?.session?.unread ?? []
        let spent = (state.keptWelcomes[id] ?? []).filter { $0.createdAt <= gift.rumor.createdAt }
        var changes = clearing + spent.map { state.records.remove(Self.address(of: $0, id)) }
        changes.append(state.records.remove(.init(CircleTable.asked, id.hex)))
        changes.append(state.records.remove(.init(CircleTable.invitations, id.hex)))
        var packages = state.keyPackages
        if let index = packages.firstIndex(where: { $0.event.id == invitation.rumor.keyPackageEvent }) {
            packages[index].usedAt = packages[index].usedAt ?? now()
            let address = SealedRecords.Address(CircleTable.keyPackages, packages[index].name)
            changes.append(try state.records.put(packages[index].bytes, at: address))
        }
        let kept = packages
        let entry = GroupEntry(invitation.rumor)
        _ = try await add(session, in: state, by: entry, clearing: changes) {
            $0.keyPackages = kept
            $0.asked[id] = nil
            $0.invitations[id] = nil
            $0.keptWelcomes[id]?.removeAll { spent.contains($0) }
        }
        // What the session before could not read; relays have it too, if this does not become durable.
        let tasks = try await step(id) { session, now, random in
            unread.flatMap { session.receive(.event($0), now: now, using: &random) }
        }
        let refetch = session.filter.since.map { CircleEffect.session(.refetch(since: $0, everywhere: false), in: id) }
        return .joined(
            id,
            [.session(.subscribe, in: id), .changed(id), .verifyMembers(of: id)] + tasks + [refetch].compactMap(\.self))
    }

    // MARK: - Second Welcomes

    private static let mostKeptWelcomes = 4

    private static func address(of rumor: Rumor, _ id: CircleID) -> SealedRecords.Address {
        .init(CircleTable.keptWelcomes, group: id.hex, rumor.id.hex)
    }

    /// Keeps a Welcome that may lead to where the others are.
    private func spare(
        _ rumor: Rumor, _ id: CircleID, _ state: State, _ clearing: [RecordChange]
    ) async throws -> Welcomed {
        var keptWelcomes = (state.keptWelcomes[id] ?? []).filter { $0.id != rumor.id } + [rumor]
        keptWelcomes.sort { $0.createdAt < $1.createdAt }
        let dropped = keptWelcomes.prefix(max(0, keptWelcomes.count - Self.mostKeptWelcomes))
        keptWelcomes.removeFirst(dropped.count)
        var changes = clearing + dropped.map { state.records.remove(Self.address(of: $0, id)) }
        changes.append(try state.records.put(Array(rumor.json.utf8), at: Self.address(of: rumor, id)))
        let kept = keptWelcomes
        try await save(changes) { $0.keptWelcomes[id] = kept }
        let tasks = try await enterByKeptWelcome(id)
        return tasks.isEmpty ? .dropped : .joined(id, tasks)
    }

    /// Comes in by a Welcome that was kept, if it leads to what waits here in vain; for who has the turn already.
    func enterByKeptWelcome(_ id: CircleID) async throws -> [CircleEffect] {
        let state = try current()
        guard let keptWelcomes = state.keptWelcomes[id], !keptWelcomes.isEmpty,
            let circle = state.circles[id], let session = circle.session,
            !circle.record.standing.isOver
        else { return [] }
        for rumor in keptWelcomes {
            let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
            guard let invitation = invitation(gift, state), session.roster.isAdmin(invitation.rumor.inviter),
                let group = try? invitation.join(policy: policy), session.isOvertaken(by: group, now: now())
            else { continue }
            guard case .joined(_, let tasks) = try await enter(invitation, gift, id, state, []) else { continue }
            return tasks
        }
        return []
    }

    /// Comes in by a Welcome that waited for consent.
    func accept(_ id: CircleID) async throws -> Welcomed {
        try await gate.run {
            let state = try current()
            guard let record = state.invitations[id], let rumor = try? Rumor(json: record.rumor) else {
                throw CircleError.unusable
            }
            let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
            guard let invitation = invitation(gift, state) else { throw CircleError.unusable }
            let clearing = [state.records.remove(.init(CircleTable.invitations, id.hex))]
            return try await enter(invitation, gift, id, state, clearing)
        }
    }

    /// Says no to a Welcome; nobody is told.
    func decline(_ id: CircleID) async throws {
        try await gate.run {
            let records = try current().records
            try await save([records.remove(.init(CircleTable.invitations, id.hex))]) { $0.invitations[id] = nil }
        }
    }
}

extension String {
    /// The slot of a key package that was published by us.
    fileprivate var slot: Bytes32? { (try? decodeHex(self, byteCount: 32)).flatMap { try? Bytes32($0.span) } }
}
