internal import Location
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What one step brings together: records to change, and what is to be done after.
struct CircleStep {
    let records: SealedRecords
    let id: CircleID
    let now: Timestamp
    let account: PublicKey
    var changes: [RecordChange] = []
    var tasks: [CircleEffect] = []
    /// Places that members told.
    var places: [CircleStore.ToldPlace] = []
    /// Who is not in the circle any more.
    var gone: Set<PublicKey> = []
    /// Lines that are new, or new in their place.
    var lines: [CircleLineRecord] = []
    /// Whether the circle's own record changed.
    var isShown = false
    /// Whether a change of our own was refused for good.
    var isRefused = false
    /// The epoch after which what was said before this step is in a branch that came to nothing.
    var astrayAfter: UInt64?

    init(_ records: SealedRecords, _ id: CircleID, now: Timestamp, account: PublicKey) {
        (self.records, self.id, self.now, self.account) = (records, id, now, account)
    }

    /// Stores what an effect brings, and keeps what is to be done outside for later.
    ///
    /// - Returns: what the session is to be told at once.
    mutating func apply(
        _ effect: SessionEffect, _ record: inout CircleRecord, _ session: GroupSession
    ) throws -> SessionInput? {
        switch effect {
        case .message(let message):
            try show(
                message.rumor, at: (message.epoch, message.generation), &record, session,
                leaf: session.leaf(of: message))
        case .leaveRequested(let person):
            if !record.members.leaving.contains(person.hex) { record.members.leaving.append(person.hex) }
            isShown = true
        case .entered(let commit, let event): try entered(commit, event, &record, session)
        case .wentBack(let epoch): astrayAfter = min(astrayAfter ?? epoch, epoch)
        case .offer(let event): try offer(event)
        case .welcome(let welcomes, let commit):
            for one in welcomes {
                let welcome = WelcomeRecord(one.rumor, for: one.person, to: id)
                changes.append(try records.put(try welcome.recordBytes(), at: welcome.address))
            }
            tasks.append(.sendWelcomes)
            return .welcomed(commit)
        case .publish, .fetchBack, .subscribe, .refetch, .askReadmission, .askMembers:
            tasks.append(.session(effect, in: id))
        case .dropped: (isRefused, isShown) = (true, true)
        case .notice(let notice): noticed(notice, &record)
        }
        return nil
    }

    private mutating func noticed(_ notice: GroupNotice, _ record: inout CircleRecord) {
        record.troubles.append(.init(notice: notice.rawValue, at: now.seconds))
        record.troubles.removeFirst(max(0, record.troubles.count - CircleRecord.mostTroubles))
        if notice == .commitRefused || notice == .commitNotMerged { isRefused = true }
        switch (notice, record.standing) {
        case (.removed, .vanishing), (.removed, .ending): break
        case (.removed, .leaving): record.standing = .left
        case (.removed, _): record.standing = .removed
        default: break
        }
        isShown = true
    }

    /// Keeps a line, and what the list shows of it.
    mutating func keep(
        _ line: CircleLineRecord, _ record: inout CircleRecord, isSpoken: Bool = true
    ) throws {
        // What was wiped here does not come back while one waits to be let go.
        guard record.standing != .vanishing else { return }
        let address = SealedRecords.Address(CircleTable.lines, group: id.hex, line.id)
        changes.append(try records.put(try line.recordBytes(), at: address))
        lines.append(line)
        guard isSpoken else {
            isShown = true
            return
        }
        if line.author != account.hex { record.countUnread(by: line.author, at: line.arrivedAt) }
        if record.newest.map({ $0.precedes(line) }) ?? true { record.newest = line }
        isShown = true
    }

    private mutating func entered(
        _ commit: AllowedCommit, _ event: RivalCommit, _ record: inout CircleRecord, _ session: GroupSession
    ) throws {
        let (before, after) = (commit.before.data, commit.after.data)
        var change = CircleLineRecord.Change()
        change.added = commit.added.map(\.hex)
        change.removed = commit.removed.map(\.hex)
        change.left = commit.left.map(\.hex)
        let people = commit.after.people
        change.promoted = after.admins.subtracting(before.admins).map(\.hex).sorted()
        change.demoted = before.admins.subtracting(after.admins).intersection(people).map(\.hex).sorted()
        if before.name != after.name { change.name = after.name }
        if before.relays != after.relays { change.relays = after.relays }
        record.name = after.name
        // Who comes has heard nothing of before; Whistle sends its pictures again, too.
        if !commit.added.isEmpty, record.members.pictures?.values.contains(where: { !$0.isGone }) == true {
            record.members.owesPictures = true
        }
        record.members.leaving.removeAll { !people.map(\.hex).contains($0) }
        for relay in after.relays where !record.relays.contains(relay) { record.relays.append(relay) }
        record.relays.removeFirst(max(0, record.relays.count - 40))
        forget(Set(commit.removed + commit.left).subtracting(people), &record)
        isShown = true
        let unproven = session.unprovenPeople
        if unproven.contains(commit.committer) || !unproven.isDisjoint(with: commit.added) {
            tasks.append(.verifyMembers(of: id))
        }
        guard !change.isEmpty else { return }
        try keep(
            CircleLineRecord(
                id: event.id.hex, author: commit.committer.hex, createdAt: event.createdAt.seconds,
                arrivedAt: now.seconds, epoch: commit.epoch, change: change), &record)
    }

    /// Nobody needs to know any more where those are who went, nor what they look like.
    private mutating func forget(_ people: Set<PublicKey>, _ record: inout CircleRecord) {
        gone.formUnion(people)
        for person in people {
            record.members.places[person.hex] = nil
            record.members.sharing[person.hex] = nil
            guard record.members.pictures?.removeValue(forKey: person.hex) != nil else { continue }
            changes.append(records.remove(.init(CircleTable.pictures, group: id.hex, person.hex)))
        }
    }

    /// Keeps a rumor of ours or of another as what it says.
    ///
    /// - Parameters:
    ///   - place: when it was encrypted, by the group's count and its author's.
    ///   - event: in which it goes out, for one of ours.
    mutating func show(
        _ rumor: Rumor, at place: (epoch: UInt64, generation: UInt32), _ record: inout CircleRecord,
        _ session: GroupSession, event: EventID? = nil, leaf: LeafID? = nil
    ) throws {
        guard record.standing != .vanishing else { return }
        let author = rumor.pubkey.hex
        let message = CircleMessage(rumor, isFromAdmin: session.roster.isAdmin(rumor.pubkey))
        if let program = CircleProgram(writing: rumor)?.rawValue, record.members.programs[author] != program {
            record.members.programs[author] = program
            isShown = true
        }
        switch message.body {
        case .nickname(let name):
            record.members.nicknames[author] = name
            isShown = true
        case .location(let told):
            let isNewest = latest(message, leaf, &record.members.places[author])
            if let fix = told.fix { places.append(.init(person: rumor.pubkey, fix: fix, isNewest: isNewest)) }
        case .sharing: latest(message, leaf, &record.members.sharing[author])
        case .avatar(let image): try keep(image, of: author, message, &record)
        case .circleAvatar(let image): try keep(image, of: CirclePicture.word(for: nil), message, &record)
        case .leaveRequest:
            if !record.members.leaving.contains(author) { record.members.leaving.append(author) }
            isShown = true
        case .stepQuestion: answer(rumor, askedIn: place.epoch, session)
        case .unknown: break
        case .chat, .reaction, .deletion:
            var line = CircleLineRecord(
                id: rumor.id.hex, author: author, createdAt: rumor.createdAt.seconds, arrivedAt: now.seconds,
                epoch: place.epoch, generation: place.generation, leaf: leaf?.hex, rumor: rumor.json,
                event: event?.hex)
            // The epoch's own secret is forgotten with it; what the line names is to open as long as the line is here.
            let keys = message.media.map { session.mediaKey(of: $0, in: place.epoch).map { encodeHex($0.bytes) } ?? "" }
            if !keys.isEmpty { line.fileKeys = keys }
            try keep(line, &record, isSpoken: message.isSpoken)
        }
    }

    /// How many members answer who is behind, besides admins: one who is there is enough.
    private static let mostAnswers = 4

    /// How old a question may be that is answered: whoever asked long ago has been told, or asks again.
    private static let longestQuestion: Duration = .seconds(3600)

    /// Who asks from an epoch that is behind us is told, once in a step.
    private mutating func answer(_ question: Rumor, askedIn epoch: UInt64, _ session: GroupSession) {
        let person = question.pubkey
        let isTold = tasks.contains { if case .sendWord(person, _, _) = $0 { true } else { false } }
        guard person != account, !isTold, question.createdAt + Self.longestQuestion > now,
            epoch < session.epoch, session.isMember, !session.isOutOfStep,
            session.roster.isAdmin(account)
                || session.roster.people.subtracting([person]).sorted().prefix(Self.mostAnswers).contains(account)
        else { return }
        tasks.append(.sendWord(person, epoch: session.epoch, in: id))
    }

    /// An older message never replaces a newer one, and one of a clock that is fast counts as of now: nothing true
    /// would replace it for as long as the clock is fast.
    @discardableResult
    private mutating func latest(_ message: CircleMessage, _ leaf: LeafID?, _ known: inout LatestRecord?) -> Bool {
        let sentAt = moment(of: message)
        guard known.map({ $0.sentAt < sentAt.seconds }) ?? true else { return false }
        known = LatestRecord(
            rumor: message.rumor.json, sentAt: sentAt.seconds, arrivedAt: now.seconds, leaf: leaf?.hex)
        isShown = true
        return true
    }

    private func moment(of message: CircleMessage) -> Timestamp {
        message.sentAt > now + MemberPlace.skew ? now : message.sentAt
    }

    /// All members keep the same of two pictures, in whatever order those come.
    private mutating func keep(
        _ image: CircleImage?, of whom: String, _ message: CircleMessage, _ record: inout CircleRecord
    ) throws {
        let sent = PictureRecord(id: message.id.hex, sentAt: moment(of: message).seconds, isGone: image == nil)
        let known = record.members.pictures?[whom]
        guard known.map({ ($0.sentAt, $0.id) < (sent.sentAt, sent.id) }) ?? true else { return }
        record.members.pictures = (record.members.pictures ?? [:]).merging([whom: sent]) { $1 }
        let address = SealedRecords.Address(CircleTable.pictures, group: id.hex, whom)
        changes.append(try image.map { try records.put($0.jpeg, at: address) } ?? records.remove(address))
        isShown = true
    }
}

extension CircleMessage {
    /// Whether it is a line of its own.
    var isSpoken: Bool { if case .chat = body { true } else { false } }
}
