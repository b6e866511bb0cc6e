internal import AsyncPrimitives
internal import Location
internal import Marmot
public import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// Circles as screens show them, read from what rests encrypted on this machine.
public final class CircleReader: Sendable {
    let context: UnlockedContext
    let store: CircleStore
    let work: CircleWork
    private let sharing: PlaceSharing

    var account: AccountContext { context.account }

    init(_ context: UnlockedContext, store: CircleStore, work: CircleWork, sharing: PlaceSharing) {
        (self.context, self.store, self.work, self.sharing) = (context, store, work, sharing)
    }

    /// All circles, and what waits for an answer.
    public func overview() async throws -> CirclesOverview {
        let mutes = await context.mutes.upToDate()
        let state = try await store.current()
        // All people at once: a look for each circle's would be a query for each.
        let people = try await persons(Set(state.circles.values.flatMap(Self.people)))
        var summaries: [CircleSummary] = []
        for circle in state.circles.values {
            summaries.append(try await summary(of: circle, in: state, mutes, people))
        }
        summaries.sort { Self.order($0) > Self.order($1) }
        var asked: [AskedCircle] = []
        for (id, record) in state.asked {
            var circle = AskedCircle(
                id: id, name: record.name, inviter: try await person(record.inviter),
                askedAt: Timestamp(seconds: record.askedAt))
            circle.unchosenRelays = await unchosen(record)
            asked.append(circle)
        }
        var invitations: [CircleInvitation] = []
        let follows = Set(context.gossip.follows)
        // Nobody is asked by whom they muted.
        for (id, record) in state.invitations where !mutes.hides(person: record.inviter) {
            var invitation = CircleInvitation(
                id: id, name: record.name, inviter: try await person(record.inviter),
                arrivedAt: Timestamp(seconds: record.arrivedAt))
            if mutes.hides(text: record.name) { invitation.muted = .word }
            invitations.append(invitation)
        }
        return CirclesOverview(
            circles: summaries, asked: asked.sorted { $0.askedAt > $1.askedAt },
            invitations: invitations.sorted { one, other in
                // Of people one follows first: anybody can send one.
                let isKnown = (follows.contains(one.inviter.key), follows.contains(other.inviter.key))
                return isKnown.0 == isKnown.1 ? one.arrivedAt > other.arrivedAt : isKnown.0
            }, isInvitable: !state.keyPackages.isEmpty)
    }

    /// Who is named in what a list shows of a circle.
    private static func people(_ circle: Circle) -> [PublicKey] {
        let newest = circle.record.newest
        // What was kept by us reads.
        let author = newest.flatMap { try? PublicKey(hex: $0.author) }
        return Array(circle.session?.roster.people ?? []) + (author.map { [$0] } ?? []) + (newest?.change?.people ?? [])
    }

    private static func order(_ circle: CircleSummary) -> (Int, Int64, String) {
        (circle.standing.isInside ? 1 : 0, circle.newest?.createdAt.seconds ?? 0, circle.id.hex)
    }

    /// A circle with its members and a stretch of its chat, newest last.
    ///
    /// Of who is muted only the key is here; their lines are ``CircleLine/Body/muted(_:)``.
    public func page(of id: CircleID, before cursor: MessageCursor?, limit: Int) async throws -> CirclePage {
        let mutes = await context.mutes.upToDate()
        let state = try await store.current()
        let circle = try await store.find(id)
        let stretch = try await store.stretch(of: id, before: cursor, limit: min(max(limit, 1), 500))
        let data = circle.session?.roster.data
        let people = try await persons(Set(Self.people(circle) + stretch.lines.flatMap(\.people)))
        var page = CirclePage(
            summary: try await summary(of: circle, in: state, mutes, people), about: data?.description ?? "",
            relays: circle.session?.roster.relayURLs ?? [],
            members: await members(of: circle, in: state, mutes, people),
            requests: try await requests(at: circle, in: state),
            lines: await shown(stretch.lines, of: stretch.chat, in: circle, mutes, people),
            older: stretch.older,
            warning: Self.warning(of: circle, isDamaged: state.damaged.contains(id)))
        page.unchosenRelays = await unchosen(page.relays)
        return page
    }

    /// Relays of a circle, where none of them is contacted before the person allows it.
    private func unchosen(_ relays: [RelayURL]) async -> [RelayURL] {
        guard !relays.isEmpty else { return [] }
        let statistics = await account.network.statistics()
        return relays.allSatisfy { statistics[$0]?.awaitsPermission == true } ? relays : []
    }

    /// Relays of an invitation, where a request of ours waits and none of them is contacted before the person allows it.
    ///
    /// A relay that is in a private network by its address alone is known as one before anything was tried.
    private func unchosen(_ asked: AskedRecord) async -> [RelayURL] {
        guard let mail = context.mail, await mail.waiting() > 0 else { return [] }
        // What was kept by us reads.
        let relays = asked.relays.compactMap { try? RelayURL($0) }
        let statistics = await account.network.statistics()
        let (gossip, router) = (context.gossip, context.gossip.router)
        let isUnchosen = relays.allSatisfy { relay in
            if let known = statistics[relay], known.awaitsPermission || known.connects > 0 {
                return known.awaitsPermission
            }
            return relay.isPrivate && !router.trusts(relay) && !gossip.isChosen(relay)
        }
        return isUnchosen ? relays : []
    }

    /// Whether the circle goes on as it should, and what mends it if not.
    public func health(of id: CircleID) async throws -> CircleHealth {
        let circle = try await store.find(id)
        guard let session = circle.session else { throw CircleError.notMember }
        let connected = await work.connected
        let relays = session.roster.relayURLs.map { ($0, connected.contains($0)) }
        var health = CircleHealth(
            epoch: session.epoch, isOutOfStep: session.isOutOfStep, isCaughtUp: session.isCaughtUp,
            fingerprint: Self.fingerprint(session.epochAuthenticator), waiting: session.waitingCount,
            unsent: await work.outbox.unsent(of: id), pending: session.pendingCount,
            undelivered: try await undelivered(), relays: Dictionary(relays) { first, _ in first },
            troubles: circle.record.troubles.reversed().compactMap { trouble in
                CircleTrouble(rawValue: trouble.notice).map {
                    CircleHealth.Trouble($0, at: Timestamp(seconds: trouble.at))
                }
            })
        health.unopened = session.unopenedCount
        health.progress = await progress(of: session, id)
        return health
    }

    /// How much of a circle is here.
    private func progress(of session: GroupSession, _ id: CircleID) async -> CircleProgress {
        if session.isOutOfStep { return .outOfStep }
        let fetched = await work.fetched(of: id)
        let toRead = session.waitingCount + (fetched ?? 0)
        if session.isCaughtUp { return fetched != nil && toRead > 0 ? .catchingUp(toRead: toRead) : .upToDate }
        let relays = session.roster.relayURLs
        // Asked over and over, and never reached before the person allows one.
        if await !unchosen(relays).isEmpty { return .unreachable }
        let isReachable = !(await work.connected).isDisjoint(with: relays)
        return fetched != nil || isReachable ? .catchingUp(toRead: toRead) : .unreachable
    }

    /// How many Welcomes and requests of our own, of all circles, no relay has taken.
    public func undelivered() async throws -> Int {
        let unwrapped = try await context.sealed.values(in: CircleTable.welcomes) { _ in true }
        return unwrapped.count + (await context.mail?.waiting() ?? 0)
    }

    /// Four groups of four digits: enough to compare by voice, and no use to anybody else.
    private static func fingerprint(_ authenticator: [UInt8]) -> String {
        let digits = Array(encodeHex(Array(authenticator.prefix(8))))
        return stride(from: 0, to: digits.count, by: 4).map { String(digits[$0..<min($0 + 4, digits.count)]) }
            .joined(separator: " ")
    }

    private static func warning(of circle: Circle, isDamaged: Bool) -> CircleWarning? {
        if isDamaged { return .damaged }
        switch circle.record.standing {
        case .removed: return .removed
        case .left: return .left
        case .leaving: return .leaving
        case .ending: return .ending
        case .vanishing: return .vanishing
        case .member, .replaced: return circle.session?.isOutOfStep == true ? .outOfStep : nil
        }
    }
}

// MARK: - Parts of it

extension CircleReader {
    func persons(_ keys: Set<PublicKey>) async throws -> [PublicKey: Person] {
        try await context.people.persons(keys)
    }

    private func person(_ hex: String) async throws -> Person {
        guard let key = try? PublicKey(hex: hex) else { throw CircleError.unusable }
        return try await persons([key])[key] ?? Person(key: key)
    }

    /// - Parameter people: those of ``people(_:)``.
    private func summary(
        of circle: Circle, in state: CircleStore.State, _ mutes: Mutes, _ people: [PublicKey: Person]
    ) async throws -> CircleSummary {
        let standing: CircleSummary.Standing =
            switch circle.record.standing {
            case _ where state.damaged.contains(circle.id): .damaged
            case .member, .replaced: .member
            case .leaving: .leaving
            case .left: .left
            case .removed: .removed
            case .ending: .ending
            case .vanishing: .vanishing
            }
        var summary = CircleSummary(id: circle.id, name: circle.record.name, standing: standing)
        (summary.unread, summary.unreadHidden, summary.unreadArrived) = try await unread(of: circle, mutes)
        summary.newest = try await newest(of: circle, mutes, people)
        summary.picture = circle.picture
        guard let session = circle.session else { return summary }
        let roster = session.roster
        for key in roster.people where !mutes.hides(key) { summary.avatars[key] = circle.record.picture(of: key) }
        summary.isAdmin = roster.isAdmin(account.publicKey)
        summary.people = roster.people.sorted().map { people[$0] ?? Person(key: $0) }
        let requests = summary.isAdmin ? state.requests[circle.id] ?? [] : []
        summary.requests = requests.count { !mutes.hides(person: $0.person) }
        summary.isOutOfStep = session.isOutOfStep
        summary.progress = await progress(of: session, circle.id)
        return summary
    }

    private func requests(at circle: Circle, in state: CircleStore.State) async throws -> [CircleRequest] {
        guard circle.session?.roster.isAdmin(account.publicKey) == true else { return [] }
        var requests: [CircleRequest] = []
        for record in state.requests[circle.id] ?? [] {
            let person = try await person(record.person)
            requests.append(
                CircleRequest(
                    person: person, name: person.isMuted ? nil : record.name,
                    arrivedAt: Timestamp(seconds: record.arrivedAt), isReadmission: record.isReadmission))
        }
        return requests.sorted { $0.arrivedAt < $1.arrivedAt }
    }

    /// Ourselves first, then the others by name.
    private func members(
        of circle: Circle, in state: CircleStore.State, _ mutes: Mutes, _ people: [PublicKey: Person]
    ) async -> [CircleMember] {
        guard let roster = circle.session?.roster else { return [] }
        let conditions = await sharing.conditions(of: circle)
        let own = await sharing.entries[circle.id]
        let watched = state.watches[circle.id]
        let unproven = circle.session?.unprovenPeople ?? []
        let members = roster.people.map { key in
            let word = key.hex
            let (place, notice) = (circle.record.members.places[word], circle.record.members.sharing[word])
            let isMuted = mutes.hides(key)
            var member = CircleMember(
                person: people[key] ?? Person(key: key),
                nickname: isMuted ? nil : circle.record.members.nicknames[word],
                isAdmin: roster.isAdmin(key), isLeaving: circle.record.members.leaving.contains(word), place: nil,
                sharing: nil)
            if case .location(let known)? = place?.message?.body { member.place = known }
            // A notice of the same second was sent with the place, after it.
            if let notice, notice.sentAt >= place?.sentAt ?? .min, case .sharing(let body)? = notice.message?.body {
                member.sharing = body
            }
            let known = MemberPlace(place, notice)
            member.whyOld = whyOld(known, isOwn: key == account.publicKey, own, conditions)
            member.freshUntil = known.freshUntil(local: own.interval)
            member.picture = isMuted ? nil : circle.record.picture(of: key)
            member.isUnverified = unproven.contains(key)
            member.isPlaceUnverified = circle.isUnverified(place?.leaf, of: key, unproven)
            member.whereabouts = watched?.whereabouts(of: key) ?? []
            return member
        }
        let ownKey = account.publicKey
        return members.sorted {
            ($0.id == ownKey ? 0 : 1, $0.nickname ?? "", $0.id) < ($1.id == ownKey ? 0 : 1, $1.nickname ?? "", $1.id)
        }
    }

    /// Why a member's place is old, or why there is none.
    ///
    /// - Parameters:
    ///   - own: how our place is shared with the circle.
    ///   - conditions: what keeps this program from receiving.
    private func whyOld(
        _ known: MemberPlace, isOwn: Bool, _ own: SharedPlaces.Entry?, _ conditions: ReadingConditions
    ) -> StaleReason? {
        let why = known.staleness(now: account.time.now(), local: own.interval, conditions: conditions)
        // Of ourselves more is known than the circle was told.
        guard isOwn, let own, own.record.isOn else { return why }
        if let paused = own.record.sharing.pausedReason, case .paused(let until) = paused {
            return .paused(until: until)
        }
        guard let why else { return nil }
        if case .here = why { return why }
        return own.record.sharing.failure.map { .here($0.trouble) } ?? why
    }
}

extension Circle {
    /// Whether what somebody said came from a leaf that was never shown to be theirs.
    ///
    /// - Parameters:
    ///   - leaf: as it was kept with what they said; nil for our own, and for what was said before it was kept.
    ///   - unproven: who has such a leaf now.
    func isUnverified(_ leaf: String?, of person: PublicKey, _ unproven: Set<PublicKey>) -> Bool {
        guard let session else { return false }
        guard let leaf else { return person != session.ownKey && unproven.contains(person) }
        return isUnverified(leaf: leaf)
    }

    /// Whether a leaf, as it was kept with what came from it, was never shown to be anybody's.
    func isUnverified(leaf: String) -> Bool {
        guard let session else { return false }
        // A record that does not read names no leaf that is known.
        return LeafID(hex: leaf).map { !session.isProven($0) } ?? true
    }
}

extension SharedPlaces.Entry? {
    /// The reader's own interval, for members who announce none.
    fileprivate var interval: SharingInterval { self?.record.sharing.settings.interval ?? .hour }
}
