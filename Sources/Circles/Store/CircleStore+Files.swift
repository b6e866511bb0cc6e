internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// The circle went on to another epoch while something was uploaded that was sealed in the one before.
struct EpochPassed: Error {}

/// A file that is encrypted for the members of a circle.
struct SealedForCircle: Sendable {
    let reference: MediaReference
    let encrypted: [UInt8]
    let epoch: UInt64
}

/// Sealed files, and the lines that name them.
extension CircleStore {
    /// Encrypts a file, from which all was taken that it tells by the way, for those who are in a circle now.
    func seal(_ file: OutgoingFile, in id: CircleID) throws -> SealedForCircle {
        let (circle, session) = try member(of: id)
        guard !circle.record.standing.isOver else { throw CircleError(.isEnding) }
        let sort = FileSort(of: file.bytes)
        do {
            let sealed = try session.seal(
                file.bytes, type: sort.type, filename: Self.name(of: file, sort),
                using: &random)
            return SealedForCircle(reference: sealed.reference, encrypted: sealed.encrypted, epoch: sealed.epoch)
        } catch {
            if error.code == .notAllowed { throw CircleError.notMember }
            throw SealedFileError.notTaken
        }
    }

    /// The name of a file as the others are told: in one line, and short enough for every program.
    private static func name(of file: OutgoingFile, _ sort: FileSort) -> String {
        let signs = file.name.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }
        var name = String(signs).trimmingWhiteSpace()
        while name.utf8.count > MediaReference.longestFilename { name.removeLast() }
        if !name.isEmpty { return name }
        return sort.ending.isEmpty ? "file" : "file." + sort.ending
    }

    /// Remembers where a file that was sent lies besides: a line has room for one address (MIP-04).
    func keepCopies(_ addresses: [String], of blob: BlobHash, in id: CircleID) async throws {
        let records = try current().records
        let address = SealedRecords.Address(CircleTable.fileCopies, group: id.hex, blob.hex)
        try await records.apply([try records.put(addresses.recordBytes(), at: address)])
    }

    /// Where a file that was sent from here lies besides; nothing where that is not known.
    func copies(of blob: BlobHash, in id: CircleID) async throws -> [String] {
        let records = try current().records
        do {
            let bytes = try await records.value(.init(CircleTable.fileCopies, group: id.hex, blob.hex))
            return bytes.flatMap { [String].record($0) } ?? []
        } catch is SealingKey.Failure {
            // A damaged record says nothing.
            return []
        }
    }

    /// A line; nil for one that is not here.
    func line(_ line: EventID, in id: CircleID) async throws -> CircleChat.Line? {
        let address = SealedRecords.Address(CircleTable.lines, group: id.hex, line.hex)
        guard let bytes = try await current().records.value(address) else { return nil }
        return CircleLineRecord.record(bytes).flatMap { CircleChat.Line($0) }
    }
}

extension CircleMessage {
    /// The most files of one message that are looked at.
    static let mostFiles = 16

    /// The sealed files it names; what cannot be read is left out.
    var media: [MediaReference] {
        guard isSpoken else { return [] }
        let references = rumor.tags.named("imeta").lazy.compactMap { tag -> MediaReference? in
            // A file of another version, or one that is described wrongly, cannot be opened.
            try? MediaReference(tag)
        }
        return Array(references.prefix(Self.mostFiles))
    }
}

extension CircleChat.Line {
    /// The key of one of the files it names; nil where none is kept.
    func key(of number: Int) -> MediaKey? {
        guard let keys = record.fileKeys, keys.indices.contains(number),
            let bytes = try? decodeHex(keys[number], byteCount: 32)
        else { return nil }
        return MediaKey(bytes: bytes)
    }

    /// The files it names, for a page.
    var files: [CircleFile] {
        (message?.media ?? []).enumerated().map { number, reference in
            var file = CircleFile(
                name: reference.filename, type: reference.type, dimensions: reference.dimensions,
                canOpen: key(of: number) != nil)
            (file.blurhash, file.thumbhash) = (reference.blurhash, reference.thumbhash)
            return file
        }
    }
}

extension Circle {
    /// Its picture: what an admin sent to the members, else what the group has of its own (MIP-01).
    var picture: CirclePicture? {
        if let sent = record.picture(of: nil) { return sent }
        return session?.roster.data.image.map { CirclePicture(person: nil, version: $0.hash.hex) }
    }
}
