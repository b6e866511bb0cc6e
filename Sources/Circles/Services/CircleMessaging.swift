internal import AsyncPrimitives
internal import Marmot
public import NostrClient
public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What we say in circles.
///
/// Every call returns once what it says is durable; it throws ``CircleError`` or what an account throws.
public final class CircleMessaging: Sendable {
    /// How far ahead of the clock a line may be dated, so that it stands behind those it was said after.
    private static let lineMayBeAhead: Duration = .seconds(5)

    private let context: UnlockedContext
    private let store: CircleStore
    private let work: CircleWork

    private var account: AccountContext { context.account }

    init(_ context: UnlockedContext, store: CircleStore, work: CircleWork) {
        (self.context, self.store, self.work) = (context, store, work)
    }

    /// Says something.
    @discardableResult
    public func send(_ text: String, replyTo: EventID?, in id: CircleID) async throws -> EventID {
        guard !text.holdsSecretKey else { throw MessagingError(.holdsSecretKey) }
        var parent: CircleMessageReference?
        if let replyTo { parent = try await reference(to: replyTo, in: id) }
        let emoji = try await OwnEmoji.tags(namedIn: text, of: account)
        let moment = await momentOfNextLine(in: id)
        return try await send(in: id) { _, _ in
            try CircleMessage.chat(text, replyTo: parent, tags: emoji, now: moment)
        }
    }

    /// When to date a line: after the newest one, where that is of this second or dated ahead like this.
    ///
    /// Dates have whole seconds, and all programs put lines in order by them: of two of one second nobody could tell
    /// which one answers the other.
    func momentOfNextLine(in id: CircleID) async -> Timestamp {
        let now = account.time.now()
        let latest = now + Self.lineMayBeAhead
        guard let newest = await store.circles[id]?.record.newest?.createdAt,
            (now.seconds...latest.seconds).contains(newest)
        else { return now }
        return min(Timestamp(seconds: newest + 1), latest)
    }

    /// Reacts to a line; `+` is a like.
    ///
    /// - Parameter picture: the address of the picture of a custom emoji that was pressed; one that stands neither at
    ///   the line nor among the account's own emoji is not sent.
    public func react(
        to line: EventID, in id: CircleID, with content: String, showing picture: String? = nil
    ) async throws {
        let target = try await reference(to: line, in: id)
        var emoji: CustomEmoji?
        if content.hasPrefix(":") {
            let mutes = await context.mutes.upToDate()
            let shown = try await store.stretch(of: id, only: line).lines.first?.reactions
            emoji = try await OwnEmoji(account).meant(
                by: content, showing: picture,
                among: (shown ?? []).filter { !mutes.hides($0.author) }.compactMap(\.emoji))
        }
        let named = emoji
        try await send(in: id) { now, readers in
            try CircleMessage.reaction(
                content.isEmpty ? "+" : content, to: target, emoji: named, readers: readers, now: now)
        }
    }

    /// Takes our own reactions to a line back, of those the ones with these contents.
    ///
    /// Where none is left to take back, nothing is sent.
    public func takeBackReactions(_ contents: Set<String>, from line: EventID, in id: CircleID) async throws {
        let own = try await store.reactions(by: account.publicKey, saying: contents, to: line, in: id)
        guard !own.isEmpty else { return }
        try await send(in: id) { now, _ in CircleMessage.deletion(of: own, now: now) }
    }

    /// Takes our own line back.
    public func retract(_ line: EventID, in id: CircleID) async throws {
        let target = try await reference(to: line, in: id)
        guard target.author == account.publicKey else { throw MessagingError(.notOwn) }
        try await send(in: id) { now, _ in CircleMessage.deletion(of: [target], now: now) }
    }

    /// What we are called in the circle; nil takes it back.
    public func setNickname(_ name: String?, in id: CircleID) async throws {
        try await send(in: id) { now, readers in CircleMessage.nickname(name, readers: readers, now: now) }
    }

    /// Shows a place once, which is not shared further.
    public func send(_ place: LocationPayload, in id: CircleID) async throws {
        try await send(in: id) { _, _ in CircleMessage.location(place) }
    }

    /// Marks everything in a circle as read.
    public func markRead(_ id: CircleID) async throws {
        guard let circle = try await store.current().circles[id], circle.record.unread > 0 else { return }
        await work.plan(try await store.update(id) { $0.markRead() })
        account.changes.send(.circles)
    }

    /// Sends what a draft says, in the forms that the members' programs read.
    ///
    /// - Parameter clearing: becomes durable with it.
    @discardableResult
    func send(
        in id: CircleID, sealedIn epoch: UInt64? = nil, clearing: [RecordChange] = [],
        _ draft: (Timestamp, Set<CircleProgram>) throws -> EventDraft
    ) async throws -> EventID {
        let (circle, session) = try await store.member(of: id)
        let people = Set(session.roster.people.map(\.hex)).subtracting([account.publicKey.hex])
        let readers = Set(
            circle.record.members.programs.filter { people.contains($0.key) }.values.compactMap(CircleProgram.init))
        let made: EventDraft
        do { made = try draft(account.time.now(), readers) } catch let error as CircleMessageError {
            throw CircleError(error == .empty ? .empty : .messageTooLong)
        }
        let (rumor, _, effects) = try await store.send(
            made, in: id, sealedIn: epoch, clearing: clearing)
        await work.plan(effects)
        return rumor.id
    }

    func reference(to line: EventID, in id: CircleID) async throws -> CircleMessageReference {
        let records = try await store.current().records
        let address = SealedRecords.Address(CircleTable.lines, group: id.hex, line.hex)
        guard let bytes = try await records.value(address), let record = CircleLineRecord.record(bytes),
            let message = CircleChat.Line(record)?.message
        else { throw MessagingError(.unknownMessage) }
        return CircleMessageReference(message)
    }
}
