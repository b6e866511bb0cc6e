internal import MLS
internal import NostrCore

/// The form in which a ``ConvergenceState`` rests on the disk.
///
/// It is ours alone and nobody else reads it. Events that wait and are not stored by their owner are left out: they
/// are heard again.
extension ConvergenceState: MLSCodable {
    private static let version: UInt8 = 2
    /// How many ids are remembered of each sort, by whoever does not say.
    private static let remembered = SessionLimits().remembered

    /// Reads what ``write(to:)`` wrote.
    ///
    /// - Throws: `malformed`.
    init(from reader: inout Reader) throws(MLSError) {
        let version = try reader.integer(UInt8.self)
        guard (1...Self.version).contains(version) else { throw MLSError.malformed("a state of another version") }
        let (epoch, joinedAt) = (try reader.integer(UInt64.self), try reader.timestamp())
        self.init(epoch: epoch, now: joinedAt, limit: Self.remembered)
        isRemoved = try reader.flag()
        isCaughtUp = try reader.flag()
        caughtUpTo = try reader.timestamp()
        renewal.doneAt = try reader.maybe { (one) throws(MLSError) in try one.timestamp() }
        renewal.askedAt = try reader.maybe { (one) throws(MLSError) in try one.timestamp() }
        renewal.proposedAt = try reader.maybe { (one) throws(MLSError) in try one.timestamp() }
        links = try reader.vector { (one) throws(MLSError) in try Link(from: &one) }
        guard zip(links, links.dropFirst()).allSatisfy({ $0.epoch < $1.epoch }),
            links.allSatisfy({ $0.epoch < epoch })
        else { throw MLSError.malformed("commits that do not follow each other") }
        merging = try reader.maybe { (one) throws(MLSError) in try Candidate(from: &one) }
        own = try reader.vector { (one) throws(MLSError) in try OwnPending(from: &one) }
        unwelcomed = try reader.vector { (one) throws(MLSError) in EventID(try one.bytes32()) }
        for one in try reader.vector({ (one) throws(MLSError) in try WaitingEvents.One(from: &one) }) {
            waiting.append(one)
        }
        stall = try Stall(from: &reader)
        if version == 1 {
            // Then strangers could make it look so.
            if stall.stage == .outOfStep { (stall.stage, stall.isTold) = (.unreadable, true) }
        } else {
            unopened = try reader.integer()
            let unread = try reader.vector { (one) throws(MLSError) in try one.flag() }
            for (one, isUnread) in zip(waiting.all, unread) { waiting.setUnread(one.event.id, isUnread) }
            try stall.readDoubts(from: &reader)
        }
        events = try reader.recent()
        messages = try reader.recent()
        rumors = try reader.recent()
    }

    /// Appends the state.
    func write(to writer: inout Writer) { write(to: &writer, withMemory: true) }

    /// Appends the state; what is remembered of the past can rest apart, since it is long.
    func write(to writer: inout Writer, withMemory: Bool) {
        writer.integer(Self.version)
        writer.integer(epoch)
        writer.timestamp(joinedAt)
        writer.flag(isRemoved)
        writer.flag(isCaughtUp)
        writer.timestamp(caughtUpTo)
        for moment in [renewal.doneAt, renewal.askedAt, renewal.proposedAt] {
            writer.maybe(moment) { $0.timestamp($1) }
        }
        writer.vector(links) { $1.write(to: &$0) }
        writer.maybe(merging) { $1.write(to: &$0) }
        writer.vector(own) { $1.write(to: &$0) }
        writer.vector(unwelcomed) { $0.fixed($1.bytes.array) }
        writer.vector(waiting.all.filter(\.isKept)) { $1.write(to: &$0) }
        stall.write(to: &writer)
        writer.integer(unopened)
        writer.vector(waiting.all.filter(\.isKept)) { $0.flag($1.isUnread) }
        stall.writeDoubts(to: &writer)
        for recent in [events, messages, rumors] {
            writer.vector(withMemory ? recent.inOrder : []) { $0.fixed($1.array) }
        }
    }
}

extension Reader {
    mutating func flag() throws(MLSError) -> Bool {
        switch try integer(UInt8.self) {
        case 0: false
        case 1: true
        default: throw MLSError.malformed("a flag is neither set nor not")
        }
    }

    mutating func timestamp() throws(MLSError) -> Timestamp {
        Timestamp(seconds: Int64(bitPattern: try integer()))
    }

    mutating func bytes32() throws(MLSError) -> Bytes32 {
        let id = try fixed(32)
        do { return try Bytes32(id.span) } catch { throw MLSError.malformed("an id of another length") }
    }

    mutating func commit() throws(MLSError) -> RivalCommit {
        RivalCommit(id: EventID(try bytes32()), createdAt: try timestamp())
    }

    fileprivate mutating func recent() throws(MLSError) -> Recent {
        let ids = try vector { (one) throws(MLSError) in try one.bytes32() }
        return Recent(limit: max(ids.count, SessionLimits().remembered), ids)
    }

    mutating func maybe<Value>(
        _ one: (inout Reader) throws(MLSError) -> Value
    ) throws(MLSError) -> Value? {
        let values = try vector(one)
        guard values.count <= 1 else { throw MLSError.malformed("more than one of what is one or none") }
        return values.first
    }

    mutating func named<Value: RawRepresentable<UInt8>>() throws(MLSError) -> Value {
        guard let value = Value(rawValue: try integer()) else { throw MLSError.malformed("a case of another version") }
        return value
    }
}

extension Writer {
    mutating func flag(_ value: Bool) { integer(UInt8(value ? 1 : 0)) }

    mutating func timestamp(_ value: Timestamp) { integer(UInt64(bitPattern: value.seconds)) }

    mutating func commit(_ value: RivalCommit) {
        fixed(value.id.bytes.array)
        timestamp(value.createdAt)
    }

    mutating func maybe<Value>(_ value: Value?, _ one: (inout Writer, Value) -> Void) {
        vector(value.map { [$0] } ?? [], one)
    }
}

extension Link: MLSCodable {
    init(from reader: inout Reader) throws(MLSError) {
        self.init(
            epoch: try reader.integer(), commit: try reader.commit(), message: try reader.bytes32(),
            isOwn: try reader.flag(), mergedAt: try reader.timestamp(), hasSnapshot: try reader.flag())
        guard epoch < .max else { throw MLSError.malformed("an epoch that nothing follows") }
    }

    func write(to writer: inout Writer) {
        writer.integer(epoch)
        writer.commit(commit)
        writer.fixed(message.array)
        writer.flag(isOwn)
        writer.timestamp(mergedAt)
        writer.flag(hasSnapshot)
    }
}

extension Candidate: MLSCodable {
    init(from reader: inout Reader) throws(MLSError) {
        self.init(
            epoch: try reader.integer(), commit: try reader.commit(), message: try reader.bytes32(),
            removesUs: try reader.flag(), isOwn: try reader.flag(), invites: try reader.flag())
        guard epoch < .max else { throw MLSError.malformed("an epoch that nothing follows") }
    }

    func write(to writer: inout Writer) {
        writer.integer(epoch)
        writer.commit(commit)
        writer.fixed(message.array)
        for one in [removesUs, isOwn, invites] { writer.flag(one) }
    }
}

extension OwnPending: MLSCodable {
    init(from reader: inout Reader) throws(MLSError) {
        let (epoch, commit) = (try reader.integer(UInt64.self), try reader.commit())
        let (message, invites) = (try reader.bytes32(), try reader.flag())
        guard epoch < .max else { throw MLSError.malformed("an epoch that nothing follows") }
        facts = OwnCommitFacts(commit, epoch: epoch, message: message, invites: invites)
        phase = try reader.named()
        isAccepted = try reader.flag()
        attempt = max(1, try reader.integer())
        due = try reader.timestamp()
    }

    func write(to writer: inout Writer) {
        writer.integer(facts.epoch)
        writer.commit(facts.commit)
        writer.fixed(facts.message.array)
        writer.flag(facts.invites)
        writer.integer(phase.rawValue)
        writer.flag(isAccepted)
        writer.integer(attempt)
        writer.timestamp(due)
    }
}

extension WaitingEvents.One: MLSCodable {
    init(from reader: inout Reader) throws(MLSError) {
        self.init(event: try reader.commit(), size: Int(try reader.integer(UInt32.self)), isKept: true)
    }

    func write(to writer: inout Writer) {
        writer.commit(event)
        writer.integer(UInt32(clamping: size))
    }
}

extension Stall: MLSCodable {
    init(from reader: inout Reader) throws(MLSError) {
        run = try reader.integer()
        since = try reader.maybe { (one) throws(MLSError) in try one.timestamp() }
        unreadSince = try reader.maybe { (one) throws(MLSError) in try one.timestamp() }
        stage = try reader.named()
        due = try reader.maybe { (one) throws(MLSError) in try one.timestamp() }
        attempt = max(1, try reader.integer())
        missedSince = try reader.maybe { (one) throws(MLSError) in try one.timestamp() }
    }

    func write(to writer: inout Writer) {
        writer.integer(run)
        writer.maybe(since) { $0.timestamp($1) }
        writer.maybe(unreadSince) { $0.timestamp($1) }
        writer.integer(stage.rawValue)
        writer.maybe(due) { $0.timestamp($1) }
        writer.integer(attempt)
        writer.maybe(missedSince) { $0.timestamp($1) }
    }

    /// What states of version 1 do not have.
    mutating func readDoubts(from reader: inout Reader) throws(MLSError) {
        lackingSince = try reader.maybe { (one) throws(MLSError) in try one.timestamp() }
        quietUntil = try reader.maybe { (one) throws(MLSError) in try one.timestamp() }
        isTold = try reader.flag()
        isVouched = try reader.flag()
    }

    func writeDoubts(to writer: inout Writer) {
        writer.maybe(lackingSince) { $0.timestamp($1) }
        writer.maybe(quietUntil) { $0.timestamp($1) }
        writer.flag(isTold)
        writer.flag(isVouched)
    }
}
