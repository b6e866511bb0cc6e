internal import FoundationEssentials
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Where the parts of circles rest in the vault; every value is sealed.
enum CircleTable {
    /// One ``CircleRecord`` per circle.
    static let circles = "circles"
    /// The parts of a session, one group per circle: name and bytes of a ``SessionPart``.
    static let sessions = "circle-sessions"
    /// One ``CircleLineRecord`` per line, one group per circle.
    static let lines = "circle-lines"
    /// The order of the lines that are shown: a ``/NostrClient/SealedIndex`` per circle, worked out from the lines.
    static let lineIndex = "circle-line-index"
    /// What was said about a line, one ``LineNotes`` per line and one group per circle; worked out from the lines.
    static let lineNotes = "circle-line-notes"
    /// Where else files lie that the account sent, by the hash of what was uploaded, one group per circle; JSON.
    static let fileCopies = "circle-file-copies"
    /// Files that no media server has taken yet, one group per circle.
    static let unsentFiles = "circle-files-unsent"
    /// Pictures that members sent, one group per circle.
    static let pictures = "circle-pictures"
    /// Our own key packages, with their private keys.
    static let keyPackages = "circle-keys"
    /// People who ask to join, one group per circle.
    static let requests = "circle-requests"
    /// Circles we asked to join.
    static let asked = "circle-asked"
    /// Welcomes that wait for our consent.
    static let invitations = "circle-invitations"
    /// Welcomes to circles we are in already, which may lead to where the others are; rumors, one group per circle.
    static let keptWelcomes = "circle-spares"
    /// Welcomes of ours that are not wrapped yet.
    static let welcomes = "circle-welcomes"
    /// Events that no relay has taken yet.
    static let outgoing = "circle-out"
    /// How the account's place is shared: one ``SharingRecord`` per circle, a group of its own.
    static let sharing = "circle-sharing"
    /// What is watched of others' places: one ``WatchRecord`` per circle, a group of its own.
    static let watches = "circle-watches"
    /// Where members have been: one ``TrailRecord`` per member and day, one group per circle.
    static let trails = "circle-trails"
    /// Where this machine is when it does not move.
    static let fixedPlace = "circle-fixed-place"
    /// Links by which guests see our place: one ``GuestLinkRecord`` each; they outlive a circle until relays have
    /// deleted what they read.
    static let guests = "circle-guests"
    /// What is about places: gone with the circle.
    static let ofPlaces = [sharing, watches, trails]
}

/// A circle as a person sees it in a list, and what they chose for it.
///
/// One property for each thing that is kept of it, all of them in one record.
struct CircleRecord: Sendable {
    /// How one stands to it.
    enum Standing: String, Codable, Sendable {
        case member, leaving, left, removed, replaced
        /// One ends it for everybody; it is wiped once relays have that for sure.
        case ending
        /// Wiped but for the keys one needs to ask the others to be let go.
        case vanishing
    }

    /// What the screens are told when the group does not go on as it should.
    struct Trouble: Codable, Sendable {
        var notice: UInt8
        var at: Int64
    }

    var id: String
    var standing = Standing.member
    var joinedAt: Int64
    /// What the group last said of itself, for when its session is gone.
    var name: String
    /// What members said of themselves.
    var members = CircleMembersRecord()
    /// The newest line.
    var newest: CircleLineRecord?
    /// How many lines of others came since it was read.
    private(set) var unread = 0
    /// Whose those are; without those that came to earlier versions.
    private var unreadBy: [String: Int] = [:]
    /// When the last of them came here, in seconds; `nil` in records that are older than this.
    private(set) var unreadArrived: Int64?
    /// The last few troubles, the newest last.
    var troubles: [Trouble] = []
    /// Relays it ever named, for a resync.
    var relays: [String] = []
    /// Those that the person themself gave it when they founded it.
    var typedRelays: [String] = []
    /// By whose Welcome one came in, and when they say that they wrote it; nothing for who founded the circle.
    var enteredBy: String?
    var enteredAt: Int64?
    /// Since when everybody else is out of a circle that one ends.
    var endedAt: Int64?
    /// After how many days we renew our keys in it; nil for what a circle begins with.
    var renewalDays: Int?

    init(_ id: CircleID, name: String, joinedAt: Timestamp) {
        self.id = id.hex
        self.name = name
        self.joinedAt = joinedAt.seconds
    }

    var circle: CircleID? { CircleID(hex: id) }

    /// By what one came in.
    var entry: GroupEntry? {
        get {
            // A key was written by us, or is damaged.
            guard let key = enteredBy.flatMap({ try? PublicKey(hex: $0) }), let enteredAt else { return nil }
            return GroupEntry(inviter: key, writtenAt: Timestamp(seconds: enteredAt))
        }
        set { (enteredBy, enteredAt) = (newValue?.inviter.hex, newValue?.writtenAt.seconds) }
    }

    /// Counts a line of somebody else, which came here at some second.
    mutating func countUnread(by author: String, at second: Int64 = 0) {
        unreadArrived = second
        unread += 1
        unreadBy[author, default: 0] += 1
    }

    /// All that came is read.
    mutating func markRead() { (unread, unreadBy, unreadArrived) = (0, [:], nil) }

    /// How many lines came since it was read, without those of people who are muted.
    func unread(without mutes: Mutes) -> Int {
        let muted = unreadBy.filter { mutes.hides(person: $0.key) }.values.reduce(0, +)
        return max(0, unread - muted)
    }

    static let mostTroubles = 20

    /// How often our keys are renewed in it, unless a person says otherwise.
    static let usualRenewalDays = 7

    /// How often our keys are renewed in it.
    var renewal: Duration { .seconds(Int64(renewalDays ?? Self.usualRenewalDays) * 86_400) }
}

// What members said is a part of its own here, and beside the rest on the disk, as it always was.
extension CircleRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, standing, joinedAt, name, newest, unread, troubles, relays, enteredBy, enteredAt, endedAt
        case renewalDays, typedRelays, unreadBy, unreadArrived
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        standing = try fields.decode(Standing.self, forKey: .standing)
        joinedAt = try fields.decode(Int64.self, forKey: .joinedAt)
        name = try fields.decode(String.self, forKey: .name)
        newest = try fields.decodeIfPresent(CircleLineRecord.self, forKey: .newest)
        unread = try fields.decode(Int.self, forKey: .unread)
        troubles = try fields.decode([Trouble].self, forKey: .troubles)
        relays = try fields.decode([String].self, forKey: .relays)
        enteredBy = try fields.decodeIfPresent(String.self, forKey: .enteredBy)
        enteredAt = try fields.decodeIfPresent(Int64.self, forKey: .enteredAt)
        endedAt = try fields.decodeIfPresent(Int64.self, forKey: .endedAt)
        renewalDays = try fields.decodeIfPresent(Int.self, forKey: .renewalDays)
        // Absent in records of earlier versions.
        unreadBy = try fields.decodeIfPresent([String: Int].self, forKey: .unreadBy) ?? [:]
        unreadArrived = try fields.decodeIfPresent(Int64.self, forKey: .unreadArrived)
        typedRelays = try fields.decodeIfPresent([String].self, forKey: .typedRelays) ?? []
        members = try CircleMembersRecord(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(id, forKey: .id)
        try fields.encode(standing, forKey: .standing)
        try fields.encode(joinedAt, forKey: .joinedAt)
        try fields.encode(name, forKey: .name)
        try fields.encodeIfPresent(newest, forKey: .newest)
        try fields.encode(unread, forKey: .unread)
        try fields.encode(troubles, forKey: .troubles)
        try fields.encode(relays, forKey: .relays)
        try fields.encodeIfPresent(enteredBy, forKey: .enteredBy)
        try fields.encodeIfPresent(enteredAt, forKey: .enteredAt)
        try fields.encodeIfPresent(endedAt, forKey: .endedAt)
        try fields.encodeIfPresent(renewalDays, forKey: .renewalDays)
        if !unreadBy.isEmpty { try fields.encode(unreadBy, forKey: .unreadBy) }
        try fields.encodeIfPresent(unreadArrived, forKey: .unreadArrived)
        if !typedRelays.isEmpty { try fields.encode(typedRelays, forKey: .typedRelays) }
        try members.encode(to: encoder)
    }
}

/// What members of a circle said of themselves; each by their key.
struct CircleMembersRecord: Codable, Sendable {
    /// What they call themselves in it.
    var nicknames: [String: String] = [:]
    /// Where they last said they are.
    var places: [String: LatestRecord] = [:]
    /// What they last said of their sharing.
    var sharing: [String: LatestRecord] = [:]
    /// Which programs they use; see ``CircleProgram``.
    var programs: [String: String] = [:]
    /// Who asks to be let go.
    var leaving: [String] = []
    /// Which pictures rest in ``CircleTable/pictures``, by ``CirclePicture/word(for:)``; nil in records that are older
    /// than pictures.
    var pictures: [String: PictureRecord]?
    /// Whether somebody came who has not seen our picture; nil in records that are older than pictures.
    var owesPictures: Bool?
}

/// The last message of some sort that a member sent.
struct LatestRecord: Codable, Hashable, Sendable {
    /// The rumor as JSON.
    var rumor: String
    var sentAt: Int64
    var arrivedAt: Int64
    /// The leaf it came from, by its ``/Marmot/LeafID`` in hex; absent in records of earlier versions.
    var leaf: String?

    /// What it says; nil for one that is damaged.
    var message: CircleMessage? {
        // It was read before it was kept.
        (try? Rumor(json: rumor)).map { CircleMessage($0, isFromAdmin: false) }
    }
}

/// Which picture of somebody was sent last.
struct PictureRecord: Codable, Hashable, Sendable {
    /// The id of the rumor it came in, which is a hash of all of it.
    var id: String
    var sentAt: Int64
    /// Whether it was taken back.
    var isGone: Bool
}

/// One line of a circle's chat: what a member said, or what changed.
struct CircleLineRecord: Codable, Hashable, Sendable {
    /// What changed in the group.
    struct Change: Codable, Hashable, Sendable {
        var added: [String] = []
        var removed: [String] = []
        var left: [String] = []
        var promoted: [String] = []
        var demoted: [String] = []
        var name: String?
        var relays: [String]?

        var isEmpty: Bool { self == Change() }
    }

    /// The rumor's id; that of the commit for a change.
    var id: String
    var author: String
    var createdAt: Int64
    var arrivedAt: Int64
    var epoch: UInt64
    /// Which of its author's messages in that epoch it was, for one that was said; records of old do not have it.
    var generation: UInt32?
    /// The leaf it came from, by its ``/Marmot/LeafID`` in hex; absent in records of earlier versions.
    var leaf: String?
    /// The rumor as JSON.
    var rumor: String?
    /// The event it went out in, for the account's own.
    var event: String?
    var change: Change?
    /// Whether it was said in a branch that came to nothing: not everybody has it.
    var isAstray = false
    /// The keys of the files it names, in the order of ``CircleMessage/media``, in hex; empty for one that was not to
    /// be had.
    ///
    /// Absent where it names none, and in records of earlier versions.
    var fileKeys: [String]?

    var eventID: EventID? { try? EventID(hex: id) }

    /// Whether this line stands before another.
    ///
    /// Dates have whole seconds (NIP-01). What has the same date is put in the order of epochs, a change before what was
    /// said after it, then by author, and each author's lines in the order in which that author encrypted them (the
    /// generation, RFC 9420 §9.1): every member has the same order, however the events came and whenever the program
    /// was started.
    func precedes(_ other: Self) -> Bool {
        if createdAt != other.createdAt { return createdAt < other.createdAt }
        if epoch != other.epoch { return epoch < other.epoch }
        if (change == nil) != (other.change == nil) { return change != nil }
        if author != other.author { return author < other.author }
        if generation != other.generation {
            return (generation.map(Int.init) ?? -1) < (other.generation.map(Int.init) ?? -1)
        }
        return id < other.id
    }
}

/// Records that are JSON inside their seal.
extension Decodable {
    /// Reads a record; nil for one that is damaged, which the caller counts.
    static func record(_ bytes: [UInt8]) -> Self? { try? JSONDecoder().decode(Self.self, from: Data(bytes)) }
}

extension Encodable {
    /// The bytes of a record.
    func recordBytes() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }
}

extension CircleRecord {
    /// Which picture a member shows; that of the circle for nil.
    func picture(of person: PublicKey?) -> CirclePicture? {
        guard let known = members.pictures?[CirclePicture.word(for: person)], !known.isGone else { return nil }
        return CirclePicture(person: person, version: known.id)
    }
}
