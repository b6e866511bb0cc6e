internal import Marmot
public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Circles as screens see them: what one does.
extension LiveAccount {
    /// The most relays one's invitations name.
    private static let mostInviteRelays = 3

    public func foundCircle(_ name: String, about: String, relays: [RelayURL]) async throws -> CircleID {
        _ = try await openedCircles()
        let name = name.trimmingWhiteSpace()
        guard !name.isEmpty else { throw CircleError(.empty, "Give the circle a name.") }
        let chosen = relays.isEmpty ? Array(router.ownWrite.prefix(3)) : relays
        guard !chosen.isEmpty else { throw CircleError.noRelay }
        let (id, tasks) = try await circleKeeper.found(name, about: about, relays: chosen)
        plan(tasks)
        keyPackageBell.ring()
        feed.send(.circles)
        return id
    }

    public func invite(to id: CircleID) async throws -> CircleInvite {
        let seat = try await member(of: id)
        guard let session = seat.session, session.roster.isAdmin(publicKey) else { throw CircleError.notAdmin }
        // Where the request is to be sent: where one reads one's wraps.
        let relays = mailRelays.isEmpty ? session.roster.data.relayURLs : mailRelays
        guard
            let invite = CircleInvite(
                circle: id.bytes, inviter: publicKey, relays: Array(relays.prefix(Self.mostInviteRelays)),
                name: session.roster.data.name)
        else { throw CircleError.noRelay }
        return invite
    }

    public func ask(_ invite: CircleInvite, name: String?) async throws {
        let opened = try await openedCircles()
        guard let id = CircleID(invite.circle), invite.inviter != publicKey else { throw CircleError.unusable }
        if opened.seats[id]?.session?.isMember == true { throw CircleError.alreadyMember }
        guard let package = try await freshKeyPackage() else { throw CircleError.noRelay }
        gossip.learn(hints: invite.relays, about: invite.inviter)
        let asked = AskedRecord(
            circle: id.hex, inviter: invite.inviter.hex, relays: invite.relays.map(\.text), name: invite.name,
            askedAt: time.now().seconds)
        try await circleKeeper.remember(asked, id)
        let rumor: Rumor
        do { rumor = try JoinRequest.rumor(for: id.bytes, with: package.event, name: name, now: time.now()) } catch {
            throw CircleError(.unusable, error.sentence)
        }
        try await sendGift(rumor, to: invite.inviter, clearing: [], besides: invite.relays)
        feed.send(.circles)
    }

    public func withdraw(_ id: CircleID) async throws {
        try await circleKeeper.forgetAsked(id)
        feed.send(.circles)
    }

    public func admit(_ people: Set<PublicKey>, to id: CircleID) async throws {
        _ = try await member(of: id)
        plan(try await circleKeeper.admit(people, to: id))
        feed.send(.circles)
    }

    public func add(_ people: Set<PublicKey>, to id: CircleID) async throws {
        _ = try await member(of: id)
        let packages = try await keyPackages(of: people)
        let lacking = people.subtracting(packages.keys)
        guard lacking.isEmpty else {
            throw CircleError(
                .unusable,
                lacking.count == people.count && people.count == 1
                    ? "This person has published no key by which they could be let in; send them an invitation instead."
                    : "\(lacking.count) of these people have published no key by which they could be let in.")
        }
        plan(try await circleKeeper.change(id, .add(packages.sorted { $0.key < $1.key }.map(\.value))))
    }

    public func refuse(_ people: Set<PublicKey>, at id: CircleID) async throws {
        plan(try await circleKeeper.refuse(people, at: id))
        feed.send(.circles)
    }

    public func acceptInvitation(to id: CircleID) async throws {
        guard case .joined(_, let tasks) = try await circleKeeper.accept(id) else { throw CircleError.unusable }
        plan(tasks)
        keyPackageBell.ring()
        feed.send(.circles)
    }

    public func declineInvitation(to id: CircleID) async throws {
        try await circleKeeper.decline(id)
        feed.send(.circles)
    }

    // MARK: - Saying

    @discardableResult
    public func say(_ text: String, replyTo: EventID?, in id: CircleID) async throws -> EventID {
        guard !text.holdsSecretKey else { throw MessagingError.holdsSecretKey }
        let parent = try await replyTo.asyncMap { try await reference(to: $0, in: id) }
        let moment = await momentOfNextLine(in: id)
        return try await send(in: id) { _, _ in try CircleMessage.chat(text, replyTo: parent, now: moment) }
    }

    /// How far ahead of the clock a line may be dated, so that it stands behind those it was said after.
    private static let lineMayBeAhead: Duration = .seconds(5)

    /// When to date a line: after the newest one, where that is of this second or dated ahead like this.
    ///
    /// Dates have whole seconds, and all programs put lines in order by them: of two of one second nobody could tell
    /// which one answers the other.
    private func momentOfNextLine(in id: CircleID) async -> Timestamp {
        let (now, latest) = (time.now(), time.now() + Self.lineMayBeAhead)
        guard let newest = await circleKeeper.seats[id]?.record.newest?.createdAt,
            (now.seconds...latest.seconds).contains(newest)
        else { return now }
        return min(Timestamp(seconds: newest + 1), latest)
    }

    public func react(to line: EventID, in id: CircleID, with content: String) async throws {
        let target = try await reference(to: line, in: id)
        try await send(in: id) { now, readers in
            try CircleMessage.reaction(content.isEmpty ? "+" : content, to: target, readers: readers, now: now)
        }
    }

    public func takeBack(_ line: EventID, in id: CircleID) async throws {
        let target = try await reference(to: line, in: id)
        guard target.author == publicKey else { throw MessagingError.notOwn }
        try await send(in: id) { now, _ in CircleMessage.deletion(of: [target], now: now) }
    }

    public func setNickname(_ name: String?, in id: CircleID) async throws {
        try await send(in: id) { now, readers in CircleMessage.nickname(name, readers: readers, now: now) }
    }

    public func tell(_ place: LocationPayload, in id: CircleID) async throws {
        try await send(in: id) { _, _ in CircleMessage.location(place) }
    }

    public func tell(_ notice: SharingNotice, in id: CircleID) async throws {
        let moment = await momentOfNextWord(in: id)
        try await send(in: id) { _, _ in CircleMessage.sharing(notice, now: moment) }
    }

    /// Sends what a draft says, in the forms that the members' programs read; returns once it is durable.
    @discardableResult
    func send(
        in id: CircleID, _ draft: (Timestamp, Set<CircleProgram>) throws -> EventDraft
    ) async throws -> EventID {
        let seat = try await member(of: id)
        let people = Set(seat.session?.roster.people.map(\.hex) ?? []).subtracting([publicKey.hex])
        let readers = Set(seat.record.programs.filter { people.contains($0.key) }.values.compactMap(CircleProgram.init))
        let made: EventDraft
        do { made = try draft(time.now(), readers) } catch let error as CircleMessageError {
            throw CircleError(error == .empty ? .empty : .tooLong, error.sentence)
        }
        let (rumor, _, tasks) = try await circleKeeper.say(made, in: id)
        plan(tasks)
        return rumor.id
    }

    private func reference(to line: EventID, in id: CircleID) async throws -> CircleMessageReference {
        let opened = try await openedCircles()
        let place = SealedRecords.Place(CircleTable.lines, group: id.hex, line.hex)
        guard let bytes = try await opened.records.value(place), let record = CircleLineRecord.record(bytes),
            let message = OpenCircle.Line(record)?.message
        else { throw MessagingError.unknownMessage }
        return CircleMessageReference(message)
    }

    /// A circle one is in.
    func member(of id: CircleID) async throws -> CircleKeeper.Seat {
        let opened = try await openedCircles()
        guard let seat = opened.seats[id] else { throw CircleError.unknownCircle }
        guard seat.session != nil else {
            throw opened.damaged.contains(id) ? CircleError.damaged : CircleError.notMember
        }
        return seat
    }
}

extension CircleError {
    static let alreadyMember = CircleError(.unusable, "You are in this circle already.")
}

extension Optional {
    /// What becomes of a value, if there is one.
    fileprivate func asyncMap<R>(_ body: (Wrapped) async throws -> R) async rethrows -> R? {
        guard let self else { return nil }
        return try await body(self)
    }
}
