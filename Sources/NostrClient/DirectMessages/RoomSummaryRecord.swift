internal import FoundationEssentials
internal import NostrCore
internal import NostrNIPs

/// How the summary of a conversation lies on disk, before sealing: JSON.
struct RoomSummaryRecord: Codable {
    struct Position: Codable {
        var at: Int64
        var id: String
        var author: String?
    }

    struct Glimpse: Codable {
        var place: Position
        var text: String?
        var rumor: String?
        var expires: Int64?
    }

    struct Subject: Codable {
        var place: Position
        /// Absent in records of earlier versions.
        var author: String?
        var text: String
    }

    var people: [String]
    var accepted: Bool
    var writers: [String]
    var newest: Glimpse?
    var subject: Subject?
    var read: Position?
    /// What earlier versions wrote; read, and written empty.
    var unread: [Position]
    /// What is unread, 72 bytes each: seconds (8, big endian), id (32), author (32).
    ///
    /// It is written with every message that comes, so a thousand must cost next to nothing.
    var unreadPacked: Data?
    var expires: Int64?
    var deletions: Bool

    init(_ room: RoomSummary) {
        people = room.room.participants.map(\.hex)
        accepted = room.isAccepted
        writers = room.writers.map(\.hex).sorted()
        newest = room.newest.map(Glimpse.init)
        subject = room.subject.map { Subject(place: Position($0.place), author: $0.author?.hex, text: $0.text) }
        read = room.readUpTo.map { Position($0) }
        unread = []
        unreadPacked = room.unread.isEmpty ? nil : Self.packed(room.unread)
        expires = room.expires?.seconds
        deletions = room.hasDeletions
    }

    static func encode(_ room: RoomSummary) throws -> [UInt8] {
        [UInt8](try JSONEncoder().encode(RoomSummaryRecord(room)))
    }

    static func decode(_ bytes: [UInt8]) throws -> RoomSummary {
        try JSONDecoder().decode(RoomSummaryRecord.self, from: Data(bytes)).summary()
    }

    private func summary() throws -> RoomSummary {
        var room = RoomSummary(ChatRoom(try people.map { try PublicKey(hex: $0) }))
        room.isAccepted = accepted
        room.writers = Set(try writers.map { try PublicKey(hex: $0) })
        room.newest = try newest.map { try $0.glimpse() }
        room.subject = try subject.map { subject in
            RoomSummary.Subject(
                place: try subject.place.cursor(), author: try subject.author.map { try PublicKey(hex: $0) },
                text: subject.text)
        }
        room.readUpTo = try read.map { try $0.cursor() }
        room.unread = try unread.map { RoomSummary.Unread(place: try $0.cursor(), author: try $0.writer()) }
        if let unreadPacked { room.unread += try Self.unpacked([UInt8](unreadPacked)) }
        room.expires = expires.map(Timestamp.init(seconds:))
        room.hasDeletions = deletions
        return room
    }

    private static func packed(_ unread: [RoomSummary.Unread]) -> Data {
        var out: [UInt8] = []
        out.reserveCapacity(unread.count * 72)
        for message in unread {
            out.append(bigEndian: message.place.createdAt.seconds)
            out.append(contentsOf: message.place.id.bytes.array)
            out.append(contentsOf: message.author.bytes.array)
        }
        return Data(out)
    }

    private static func unpacked(_ bytes: [UInt8]) throws -> [RoomSummary.Unread] {
        guard bytes.count.isMultiple(of: 72) else { throw Malformed() }
        var reader = ByteReader(bytes)
        var unread: [RoomSummary.Unread] = []
        while !reader.rest.isEmpty {
            guard let seconds = reader.integer(), let id = reader.bytes32(), let author = reader.bytes32() else {
                throw Malformed()
            }
            let place = MessageCursor(createdAt: Timestamp(seconds: seconds), id: EventID(id))
            unread.append(RoomSummary.Unread(place: place, author: PublicKey(author)))
        }
        return unread
    }

    private struct Malformed: Error {}
}

extension RoomSummaryRecord.Position {
    init(_ cursor: MessageCursor, author: PublicKey? = nil) {
        at = cursor.createdAt.seconds
        id = cursor.id.hex
        self.author = author?.hex
    }

    func cursor() throws -> MessageCursor {
        MessageCursor(createdAt: Timestamp(seconds: at), id: try EventID(hex: id))
    }

    func writer() throws -> PublicKey { try PublicKey(hex: author ?? "") }
}

extension RoomSummaryRecord.Glimpse {
    init(_ glimpse: RoomSummary.Glimpse) {
        place = RoomSummaryRecord.Position(glimpse.place, author: glimpse.author)
        expires = glimpse.expiration?.seconds
        switch glimpse.content {
        case .text(let start): text = start
        case .file(let whole): rumor = whole.json
        case .deleted: break
        }
    }

    func glimpse() throws -> RoomSummary.Glimpse {
        let content: RoomSummary.Glimpse.Content =
            if let text {
                .text(text)
            } else if let rumor {
                .file(try Rumor(json: rumor))
            } else {
                .deleted
            }
        return RoomSummary.Glimpse(
            place: try place.cursor(), author: try place.writer(), content: content,
            expiration: expires.map(Timestamp.init(seconds:)))
    }
}
