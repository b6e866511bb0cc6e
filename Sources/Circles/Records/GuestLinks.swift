internal import AsyncPrimitives
internal import NostrClient
internal import NostrCore
internal import NostrStore

/// A guest link as it rests in the vault, with both of its keys.
struct GuestLinkRecord: Codable, Hashable, Sendable {
    /// What a person names it by: eight hex digits.
    var id: String
    /// The id of the circle, by whose sharing its guests are told.
    var circle: String
    /// ``GuestLink/secret`` in hex.
    var secret: String
    /// The secret key that signs, in hex.
    var signing: String
    var relays: [String]
    var madeAt: Int64
    var endsAt: Int64
    /// Whom it is for, in the person's own words.
    var note: String
    /// The page it opens.
    var page: String
    /// The moment of the newest event that was made for it.
    var newest: Int64?
    /// When a relay last took a place.
    var shownAt: Int64?
    /// When it was taken back.
    var revokedAt: Int64?
    /// The relays that have not answered yet that they deleted what it read; nil before that was asked.
    var unanswered: [String]?

    /// The link; nil where the record is damaged.
    var link: GuestLink? {
        // It was a link when it was kept; what does not read any more is left out.
        guard let bytes = try? decodeHex(secret, byteCount: 32), let secret = try? Bytes32(bytes.span) else {
            return nil
        }
        let author: PublicKey
        do { author = try SecretKey(hex: signing).publicKey } catch { return nil }
        return GuestLink(
            secret: secret, author: author, endsAt: Timestamp(seconds: endsAt),
            relays: relays.compactMap { try? RelayURL($0) })
    }

    /// Signs what the link reads; nil where the record is damaged.
    func sign(_ draft: EventDraft, using random: inout some RandomNumberGenerator) -> Event? {
        do {
            let key = try SecretKey(hex: signing)
            return Event(signing: draft, with: key, using: &random)
        } catch {
            return nil
        }
    }

    /// Whether guests are told anything at a moment.
    func isLive(at now: Timestamp) -> Bool { revokedAt == nil && now.seconds < endsAt }

    /// Where the record rests: not with the circle, since a link is taken back also after the circle is gone.
    var address: SealedRecords.Address { SealedRecords.Address(CircleTable.guests, id) }
}

extension GuestLinkRecord: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says that it is a link, and not which.
    var description: String { "a guest link" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// All guest links of an account: which are live, when each tells something, and which are to be deleted at relays.
///
/// A value without clock and network. A link is forgotten once its relays deleted what it read, or a day after its end.
struct GuestLinks: Sendable {
    /// The most live links of one circle.
    static let mostInCircle = 8
    /// How long after its end relays are asked to delete.
    static let patience: Duration = .seconds(86_400)

    private(set) var records: [String: GuestLinkRecord] = [:]
    /// What is not kept yet: records by name, nil for one to forget.
    private var changed: [SealedRecords.Address: GuestLinkRecord?] = [:]

    /// No links.
    init() {}

    /// Goes on from what was kept.
    init(_ kept: [GuestLinkRecord]) {
        for record in kept { records[record.id] = record }
    }

    /// The links of a circle that tell guests something, the one that ends first before the others.
    func live(in circle: CircleID, at now: Timestamp) -> [GuestLinkRecord] {
        records.values.filter { $0.circle == circle.hex && $0.isLive(at: now) }
            .sorted { ($0.endsAt, $0.id) < ($1.endsAt, $1.id) }
    }

    /// The links of a circle that a person sees: live ones, and those that relays have not all deleted yet.
    func shown(in circle: CircleID, at now: Timestamp) -> [GuestLinkRecord] {
        records.values.filter { $0.circle == circle.hex && ($0.revokedAt != nil || $0.isLive(at: now)) }
            .sorted { ($0.endsAt, $0.id) < ($1.endsAt, $1.id) }
    }

    /// Takes a new link.
    ///
    /// - Throws: ``CircleError`` when the circle has as many as can be.
    mutating func add(_ record: GuestLinkRecord, at now: Timestamp) throws(CircleError) {
        guard let circle = CircleID(hex: record.circle), live(in: circle, at: now).count < Self.mostInCircle else {
            throw CircleError(.tooManyGuestLinks)
        }
        change(record)
    }

    /// The moment for the next event of a link: later than all before it, since the newest counts.
    mutating func drawMoment(for id: String, at now: Timestamp) -> Timestamp? {
        guard var record = records[id], record.isLive(at: now) else { return nil }
        let moment = max(now.seconds, (record.newest ?? .min) &+ 1)
        record.newest = moment
        change(record)
        return Timestamp(seconds: moment)
    }

    /// Notes that a relay took a place.
    mutating func noteShown(_ id: String, at now: Timestamp) {
        guard var record = records[id] else { return }
        record.shownAt = now.seconds
        change(record)
    }

    /// Takes a link back.
    mutating func revoke(_ id: String, at now: Timestamp) {
        guard var record = records[id], record.isLive(at: now) else { return }
        record.revokedAt = now.seconds
        record.unanswered = record.relays
        change(record)
    }

    /// Takes back the links of circles with which nothing can be shared any more, and finds those whose time is over.
    ///
    /// - Returns: the links that relays are to delete now.
    mutating func close(at now: Timestamp, unless mayShare: (CircleID) -> Bool) -> [GuestLinkRecord] {
        for record in records.values.sorted(by: { $0.id < $1.id }) {
            if CircleID(hex: record.circle).map(mayShare) != true { revoke(record.id, at: now) }
            guard var over = records[record.id], !over.isLive(at: now) else { continue }
            if Timestamp(seconds: over.endsAt) + Self.patience <= now {
                forget(over)
            } else if over.unanswered == nil {
                over.unanswered = over.relays
                change(over)
            }
        }
        return records.values.filter { !$0.isLive(at: now) }.sorted { $0.id < $1.id }
    }

    /// Notes that relays answered that they deleted what a link read, or never will.
    mutating func noteClosed(_ id: String, at relays: Set<String>) {
        guard var record = records[id], let open = record.unanswered else { return }
        record.unanswered = open.filter { !relays.contains($0) }
        if record.unanswered?.isEmpty == true { forget(record) } else { change(record) }
    }

    /// When the next link ends.
    func nextEnd(after now: Timestamp) -> Timestamp? {
        records.values.filter { $0.isLive(at: now) }.map { Timestamp(seconds: $0.endsAt) }.min()
    }

    /// The changes that make durable what happened, which then counts as kept.
    mutating func takeChanges(_ sealed: SealedRecords) throws -> [RecordChange] {
        let changes = try changed.map { address, record in
            try record.map { try sealed.put(try $0.recordBytes(), at: address) } ?? sealed.remove(address)
        }
        changed = [:]
        return changes
    }

    private mutating func change(_ record: GuestLinkRecord) {
        guard records[record.id] != record else { return }
        records[record.id] = record
        changed[record.address] = .some(record)
    }

    private mutating func forget(_ record: GuestLinkRecord) {
        records[record.id] = nil
        changed[record.address] = .some(nil)
    }
}

extension GuestLinkRecord {
    /// What relays are offered once the link is over, the last of it first.
    ///
    /// Who still has a link that was taken back is told so by an event that replaces the last place. Everything before
    /// is deleted; a relay that does not heed that has lost the place all the same. One whose time is over is only
    /// deleted: its own address says when it ended.
    func closingDrafts(of link: GuestLink, now: Timestamp, nonce: [UInt8]) throws -> [EventDraft] {
        let moment = Timestamp(seconds: max(revokedAt ?? endsAt, newest ?? .min))
        var drafts = [link.deletion(at: moment)]
        if let revokedAt, now < link.endsAt {
            let told = GuestReport.revoked(at: Timestamp(seconds: revokedAt))
            drafts.insert(try link.draft(told, at: moment + .seconds(1), nonce: nonce), at: 0)
        }
        return drafts
    }
}

extension GuestLinkState {
    /// A link as it is kept; nil where its record is damaged.
    init?(_ record: GuestLinkRecord) {
        guard let link = record.link else { return nil }
        self.init(
            id: record.id, link: link, note: record.note, page: record.page,
            shownAt: record.shownAt.map { Timestamp(seconds: $0) }, isRevoked: record.revokedAt != nil)
    }
}
