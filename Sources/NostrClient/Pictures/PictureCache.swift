internal import AsyncPrimitives
internal import Foundation
internal import Logging
internal import NostrCore
public import NostrNIPs
internal import NostrStore

/// Pictures of others, each fetched once however many pages ask for it, made small, and kept on disk.
///
/// Nothing of an address is remembered but its hash and, until the program ends, that there was nothing. Two accounts of
/// one machine keep their own, so that none learns from the other's what was looked at.
public actor PictureCache: PictureCaching {
    private static let table = "pictures"
    private static let limitKey = "limit"
    private static let mostAtOnce = 6, mostWaiting = 200
    private static let deadline: Duration = .seconds(20)
    /// How long nobody asks again where there was nothing.
    private static let absence: Duration = .seconds(600)
    private static let mostAbsent = 2000
    /// After which an address is asked again: people change what lies there.
    private static let freshness: Duration = .seconds(7 * 86_400)

    private let context: AccountContext
    private var kept: KeptPictures?
    private var limit: Int64?
    private var absent: [Absence: Timestamp] = [:]
    /// Requests for one address wait for the first of them.
    private let gates = SerialGates<BlobHash>()
    /// Where there was nothing; a file that is too large for one size may do for another.
    private struct Absence: Hashable {
        let address: BlobHash
        let longest: Int64

        init(_ address: BlobHash, _ size: PictureSize) { (self.address, longest) = (address, size.longestFile) }
    }

    private let places = AsyncSemaphore(
        permits: PictureCache.mostAtOnce, longestQueue: PictureCache.mostWaiting)

    init(_ context: AccountContext) {
        self.context = context
    }

    public func picture(
        at address: String, _ size: PictureSize, hash expected: BlobHash?
    ) async throws -> FoundFile? {
        guard let media = context.media, address.utf8.count <= 4096 else { return nil }
        try await load(media)
        // What is made small cannot be checked again, so what was checked is kept apart from what was not.
        let hash = BlobHash(of: Array(((expected.map { $0.hex + " " } ?? "") + address).utf8))
        if let file = fresh(hash, size) { return file }
        return try await gates.run(hash) {
            try Task.checkCancellation()
            // Somebody else fetched it meanwhile, or found that there is nothing.
            if let file = fresh(hash, size) { return file }
            if isAbsent(Absence(hash, size)) { return old(hash, size) }
            do {
                return try await places.withPermit { try await fetch(address, expected, hash, size, media) }
            } catch is AsyncSemaphore.Refusal {
                return old(hash, size)
            }
        }
    }

    public func usage() async throws -> KeptMediaUsage {
        if let media = context.media { try await load(media) }
        return KeptMediaUsage(bytes: kept?.bytes ?? 0, count: kept?.count ?? 0, limit: limit ?? 0)
    }

    public func setLimit(_ limit: Int64) async throws {
        guard let media = context.media else { return }
        try await load(media)
        let range = KeptMediaUsage.limits
        let chosen = min(max(limit, range.lowerBound), range.upperBound)
        try await context.records.put(Array("\(chosen)".utf8), for: Self.limitKey, in: Self.table)
        self.limit = chosen
        kept?.makeRoom(chosen)
    }

    public func clear() async throws {
        guard let media = context.media else { return }
        try await load(media)
        absent = [:]
        try kept?.clear()
    }

    private func load(_ media: MediaAccess) async throws {
        if limit == nil {
            let chosen = try await context.records.value(Self.limitKey, in: Self.table)
            limit =
                limit ?? chosen.flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? KeptMediaUsage.usualLimit
        }
        guard kept == nil else { return }
        kept = try KeptPictures(MediaFolder(path: media.folder).pictures)
        kept?.makeRoom(limit ?? KeptMediaUsage.usualLimit)
    }

    /// What is kept and not to be asked for again.
    private func fresh(_ hash: BlobHash, _ size: PictureSize) -> FoundFile? {
        let now = context.time.now()
        guard let found = kept?.entry(hash, size), found.entry.fetched + Self.freshness > now else { return nil }
        return kept?.file(found.name, now: now)
    }

    /// What is kept, however old.
    private func old(_ hash: BlobHash, _ size: PictureSize) -> FoundFile? {
        guard let found = kept?.entry(hash, size) else { return nil }
        return kept?.file(found.name, now: context.time.now())
    }

    private func isAbsent(_ absence: Absence) -> Bool {
        absent[absence].map { $0 + Self.absence > context.time.now() } ?? false
    }

    private func fetch(
        _ address: String, _ expected: BlobHash?, _ hash: BlobHash, _ size: PictureSize, _ media: MediaAccess
    ) async throws -> FoundFile? {
        guard let folder = kept?.folder else { return nil }
        let part = folder.appendingPathComponent("\(encodeHex(context.random.bytes(8))).\(KeptPictures.part)")
        // A file that was taken up has another name by now.
        defer { try? FileManager.default.removeItem(at: part) }
        do {
            let blob = try await media.transfer.fetch(
                address, into: part, longest: size.longestFile, deadline: Self.deadline)
            if let expected, blob.hash != expected {
                context.log.info("a picture is not the one its author showed")
                note(Absence(hash, size))
                return old(hash, size)
            }
            guard let type = Self.pictureType(of: part, said: blob.type) else {
                note(Absence(hash, size))
                return old(hash, size)
            }
            try await keep(part, blob.size, type, hash, size, media)
        } catch let refusal as ServerRefusal {
            try Task.checkCancellation()
            context.log.debug("a picture could not be fetched", metadata: ["why": "\(refusal.code)"])
            note(Absence(hash, size))
        } catch {
            try Task.checkCancellation()
            context.report("a picture could not be kept", error)
        }
        return old(hash, size)
    }

    /// Keeps what came in the sizes that are made of it; as it is where that is no larger or nothing can be made of it.
    private func keep(
        _ part: URL, _ bytes: Int64, _ type: String, _ hash: BlobHash, _ size: PictureSize, _ media: MediaAccess
    ) async throws {
        var made: [(size: PictureSize, picture: PreparedMedia)] = []
        // Those that were taken up have other names by now.
        defer { for one in made { try? FileManager.default.removeItem(at: one.picture.file) } }
        for one in size.madeTogether {
            // Whatever is wrong with it, a browser may show it all the same.
            guard
                let picture = try? await media.preparing.shrink(
                    part, longest: one.longest, in: part.deletingLastPathComponent())
            else { break }
            made.append((one, picture))
        }
        try Task.checkCancellation()
        let now = context.time.now()
        kept?.remove(hash, size.madeTogether)
        for one in PictureSize.allCases { absent[Absence(hash, one)] = nil }
        if made.count == size.madeTogether.count, made.allSatisfy({ $0.picture.size < bytes }) {
            for one in made {
                try kept?.keep(
                    one.picture.file, as: .init(address: hash, size: one.size), bytes: one.picture.size,
                    type: one.picture.type, now: now)
            }
        } else {
            try kept?.keep(part, as: .init(address: hash, size: nil), bytes: bytes, type: type, now: now)
        }
        kept?.makeRoom(limit ?? KeptMediaUsage.usualLimit, but: hash)
    }

    private func note(_ absence: Absence) {
        if absent.count >= Self.mostAbsent { absent = [:] }
        absent[absence] = context.time.now()
    }

    /// What a file is, by its first bytes; `nil` for what no browser is to show as a picture.
    ///
    /// A drawing is text, so that of one the server's word counts; it is given out so that nothing in it runs.
    private static func pictureType(of file: URL, said: String) -> String? {
        guard let handle = try? FileHandle(forReadingFrom: file) else { return nil }
        // What cannot be closed was read all the same.
        defer { try? handle.close() }
        let head = [UInt8]((try? handle.read(upToCount: 256)) ?? Data())
        let sort = FileSort(of: head)
        if sort.isPicture { return sort.type }
        let isDrawing = said.prefix { $0 != ";" }.lowercased() == drawing
        return isDrawing && head.first { $0 > 0x20 } == UInt8(ascii: "<") ? drawing : nil
    }

    private static let drawing = "image/svg+xml"
}
