internal import Foundation
internal import MediaFormats
internal import NostrCore
package import NostrNIPs

/// A file of the person's that is ready to be sealed: without what it tells besides what is seen and heard in it, and,
/// where it is a picture, upright and no larger than pictures become.
package struct SealableFile: Hashable, Sendable {
    /// What is in it.
    package let bytes: [UInt8]
    /// How large it is on a screen; `nil` where that is not known.
    package var dimensions: PixelSize?
    /// The picture from far away as a BlurHash; `nil` where nothing was computed.
    package var blurhash: String?
    /// The same as a ThumbHash.
    package var thumbhash: String?

    /// A file as far as it can be made ready without opening it as a picture.
    ///
    /// - Throws: ``SealedFileError/tellsTooMuch``.
    fileprivate init(unopened file: [UInt8]) throws(SealedFileError) {
        bytes = try SentFileMetadata.removed(from: file)
        dimensions = Self.dimensions(of: bytes)
    }

    private static func dimensions(of file: [UInt8]) -> PixelSize? {
        if let picture = PixelSize(ofPicture: file) { return picture }
        guard let format = SentFileMetadata.format(of: file), format == .film || format == .matroska,
            let film = ErasedParts(in: file, as: format), let width = film.width, let height = film.height
        else { return nil }
        return PixelSize(width: width, height: height)
    }
}

extension AccountContext {
    /// Makes a file ready to be sealed.
    ///
    /// What is to be sealed does not rest on a disk in clear. So a picture is opened only where there is a folder in
    /// memory for it (``MediaAccess/memory``); elsewhere it is taken apart here and stays as large as it is. What
    /// happens to pictures that only a library can open, decision 0032 says.
    ///
    /// - Throws: ``SealedFileError``.
    package func sealable(_ file: [UInt8]) async throws -> SealableFile {
        guard let media, let format = SentFileMetadata.format(of: file), format.isPicture else {
            return try SealableFile(unopened: file)
        }
        // Nothing here takes these apart.
        let isPacked = format == .heic || format == .avif
        guard let place = media.memory ?? (isPacked ? MediaFolder(path: media.folder).preparing : nil) else {
            return try SealableFile(unopened: file)
        }
        do {
            return try await prepared(file, as: format, by: media.preparing, in: place)
        } catch is MediaProblem {
            guard !isPacked else { throw SealedFileError.tellsTooMuch }
            return try SealableFile(unopened: file)
        }
    }

    /// Prepares a picture as those are that are published, in a folder of its own, of which nothing stays.
    private func prepared(
        _ file: [UInt8], as format: MediaFormat, by preparing: any MediaPreparing, in place: URL
    ) async throws -> SealableFile {
        let folder = try Self.folder(encodeHex(random.bytes(16)), in: place)
        // What cannot be deleted now goes at the next start.
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("in")
        let isWritten = FileManager.default.createFile(
            atPath: input.path, contents: Data(file), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw MediaProblem.notWritten }
        let copy = try await preparing.prepare(input, as: format.types.first ?? "", in: folder)
        let bytes = [UInt8](try Data(contentsOf: copy.file))
        // What was written is looked at as if somebody else had made it.
        let written = SentFileMetadata.format(of: bytes)
        guard let written, written.isPicture, written != .heic, written != .avif else {
            throw SealedFileError.tellsTooMuch
        }
        guard bytes.count <= OutgoingFile.largest else { throw SealedFileError.tooLarge(limit: OutgoingFile.largest) }
        var ready = try SealableFile(unopened: bytes)
        if let width = copy.width, let height = copy.height {
            ready.dimensions = PixelSize(width: width, height: height)
        }
        (ready.blurhash, ready.thumbhash) = (copy.blurhash, copy.thumbhash)
        return ready
    }

    /// A new folder that only this user can read; its name says of which process, so that what a crash left is found.
    private static func folder(_ name: String, in place: URL) throws(MediaProblem) -> URL {
        let folder = place.appendingPathComponent(
            "linnet-\(ProcessInfo.processInfo.processIdentifier)-\(name)", isDirectory: true)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch { throw .notWritten }
        return folder
    }
}
