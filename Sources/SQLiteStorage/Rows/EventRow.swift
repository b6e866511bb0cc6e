internal import GRDB
internal import NostrCore

/// The columns that make an event again.
let eventColumns = "e.id, a.pubkey, e.created_at, e.kind, e.tags, e.content, e.signature"

/// The event of the row a statement stands on, whose first columns are ``eventColumns``.
///
/// - Throws: `SQLITE_CORRUPT` when a column cannot be what was stored.
func storedEvent(in row: HotStatement) throws -> Event {
    let damaged = DatabaseError(resultCode: .SQLITE_CORRUPT)
    let decoded = row.withBlob(4) { TagCoding.decode($0) }
    guard let kind = UInt16(exactly: row.int(3)), let tags = decoded else { throw damaged }
    let id = row.blob(0)
    let pubkey = row.blob(1)
    let signature = row.blob(6)
    do {
        return Event(
            trustingStored: UnverifiedEvent(
                id: EventID(try Bytes32(id.span)), pubkey: PublicKey(try Bytes32(pubkey.span)),
                createdAt: Timestamp(seconds: row.int(2)), kind: Kind(kind), tags: tags, content: row.string(5),
                signature: Signature(try Bytes64(signature.span))))
    } catch {
        throw damaged
    }
}

/// Made once: a page reads hundreds.
private let eventByKey = "SELECT \(eventColumns) FROM event e JOIN author a ON a.number = e.author WHERE e.key = ?"

/// The event with a key.
func storedEvent(at key: EventKey, in db: Database) throws -> Event? {
    let row = try HotStatement(db, eventByKey)
    defer { row.reset() }
    row.bind(key.rowID, at: 1)
    return try row.step() ? try storedEvent(in: row) : nil
}

/// One row of the tag index: a letter and a value.
struct TagIndexEntry: Hashable {
    /// How much of a long value is indexed, in bytes; readers check the whole value.
    static let longestValue = 256

    enum Value: Hashable {
        case hex([UInt8])
        case text(String)
    }

    let letter: Int64
    let value: Value

    /// What the index holds for a tag, or `nil` when its name is not one ASCII letter or it has no value.
    init?(_ tag: Tag) {
        guard let name = tag.name, let value = tag.value else { return nil }
        self.init(name: name, value: value)
    }

    init?(name: some StringProtocol, value: String) {
        guard name.utf8.count == 1, let letter = name.utf8.first, Character(Unicode.Scalar(letter)).isLetter else {
            return nil
        }
        self.letter = Int64(letter)
        if let bytes = TagCoding.hexBytes(of: value) {
            self.value = .hex(bytes)
        } else if value.utf8.count <= Self.longestValue {
            self.value = .text(value)
        } else {
            self.value = .text(String(decoding: value.utf8.prefix(Self.longestValue), as: UTF8.self))
        }
    }

    /// Binds letter and value at an index and the next.
    func bind(to statement: HotStatement, at index: Int32) {
        statement.bind(letter, at: index)
        switch value {
        case .hex(let bytes): statement.bind(blob: bytes, at: index + 1)
        case .text(let text): statement.bind(text: text, at: index + 1)
        }
    }
}

extension Event {
    /// Every row this event has in the tag index.
    var tagIndexEntries: Set<TagIndexEntry> {
        Set(tags.compactMap { TagIndexEntry($0) })
    }
}
