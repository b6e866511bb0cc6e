internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// A note that waits for its signer, as it rests on disk.
///
/// Shape: JSON, key the note's name. It is sealed like a draft where the vault is open, and to the vault's public key
/// where that is closed. Only where there never was a vault (a signer that cannot decrypt) it rests as the publish queue
/// does: what was handed over to be published must not be lost.
struct UnsignedNoteRecord {
    /// Table of the sealed ones.
    static let table = "unsigned"
    /// Table of those that were handed over while the vault was closed.
    static let boxTable = "unsigned-box"
    /// Table of what those are sealed to: one record, 32 bytes.
    static let boxKeyTable = "unsigned-box-key"
    /// Table of those that could not be sealed.
    static let openTable = "unsigned-open"

    let note: UnsignedNote

    init(_ note: UnsignedNote) { self.note = note }

    init?(_ bytes: [UInt8]) {
        // What is damaged is no note; the caller counts it.
        guard let value = try? JSONValue(bytes), let id = value["id"]?.string, let text = value["text"]?.string,
            let moment = value["not_before"]?.integer
        else { return nil }
        func event(_ name: String) -> EventID? { value[name]?.string.flatMap { try? EventID(hex: $0) } }
        var composition = Composition(
            text: text, replyTo: event("reply_to"), quote: event("quote"),
            contentWarning: value["warning"]?.string,
            attachments: (value["attachments"]?.elements ?? []).map { Tag($0.elements.compactMap(\.string)) },
            mediaPost: value["media_post"]?.string.flatMap { MediaPost.Sort(rawValue: $0) }.map {
                MediaPost($0, title: value["title"]?.string ?? "")
            })
        composition.client = value["client"]?.string
        note = UnsignedNote(
            id: id, composition: composition, notBefore: Timestamp(seconds: moment),
            keptAs: value["kept_as"]?.string)
    }

    var bytes: [UInt8] {
        let composition = note.composition
        var members = [
            JSONMember("id", .string(note.id)), JSONMember("text", .string(composition.text)),
            JSONMember("not_before", .number("\(note.notBefore.seconds)")),
        ]
        if let reply = composition.replyTo { members.append(JSONMember("reply_to", .string(reply.hex))) }
        if let quote = composition.quote { members.append(JSONMember("quote", .string(quote.hex))) }
        if let warning = composition.contentWarning { members.append(JSONMember("warning", .string(warning))) }
        if !composition.attachments.isEmpty {
            let tags = composition.attachments.map { JSONValue.array($0.elements.map { .string($0) }) }
            members.append(JSONMember("attachments", .array(tags)))
        }
        if let post = composition.mediaPost {
            members.append(JSONMember("media_post", .string(post.sort.rawValue)))
            members.append(JSONMember("title", .string(post.title)))
        }
        if let client = composition.client { members.append(JSONMember("client", .string(client))) }
        if let draft = note.keptAs { members.append(JSONMember("kept_as", .string(draft))) }
        return JSONValue.object(members).json
    }

    /// Where it rests.
    enum Place {
        /// In the vault, which is open.
        case vault(SealedRecords)
        /// Sealed to the key of a vault that is closed.
        case box(publicKey: [UInt8])
        /// Readable: there is no vault yet, or the signer cannot decrypt, so that nothing sealed would ever be read.
        case open
    }

    /// The changes that put it on disk, and that drop it again.
    func changes(in place: Place) throws -> (put: RecordChange, remove: RecordChange) {
        switch place {
        case .vault(let sealed):
            let address = SealedRecords.Address(Self.table, note.id)
            return (try sealed.put(bytes, at: address), sealed.remove(address))
        case .box(let publicKey):
            let sealed = try SealingKey.seal(bytes, toBox: publicKey, as: "\(Self.boxTable)/\(note.id)")
            return (
                .put(table: Self.boxTable, key: note.id, value: sealed), .remove(table: Self.boxTable, key: note.id)
            )
        case .open:
            return (
                .put(table: Self.openTable, key: note.id, value: bytes),
                .remove(table: Self.openTable, key: note.id)
            )
        }
    }

    /// Opens one that was sealed to the key of a closed vault; `nil` where it does not open.
    static func opened(_ record: Record, by sealed: SealedRecords) -> UnsignedNoteRecord? {
        (try? sealed.openBox(record.value, as: "\(boxTable)/\(record.key)")).flatMap { UnsignedNoteRecord($0) }
    }
}
