#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes a person's file fit to be published: small enough, upright, and without what tells where, when and by whom it
/// was taken.
///
/// A file of a stranger may be made to harm whoever opens it, so this opens none in the program's own process.
public protocol MediaPreparing: Sendable {
    /// Writes a prepared copy; the file itself is not touched.
    ///
    /// - Parameters:
    ///   - file: a file of this machine.
    ///   - type: what it is said to be, such as `image/jpeg`; its bytes decide where they say otherwise.
    ///   - folder: where the copy is written: one that only its owner can read, on the disk where it is to stay.
    /// - Returns: the copy, which is the caller's to delete.
    /// - Throws: ``MediaProblem``; then there is no copy. Ends in time, whatever the file is.
    func prepare(_ file: URL, as type: String, in folder: URL) async throws(MediaProblem) -> PreparedMedia

    /// Makes a prepared copy of a picture that is to be sealed: neither it nor the copy is on a disk.
    ///
    /// - Parameter type: what it is said to be; its bytes decide where they say otherwise.
    /// - Throws: ``MediaProblem``; then there is no copy. Ends in time, whatever the picture is.
    func prepare(_ picture: [UInt8], as type: String) async throws(MediaProblem) -> PreparedPicture

    /// Writes a copy of somebody else's picture that is only to be shown here: upright, and no side longer than so many
    /// dots. One that moves stays as large as it is.
    ///
    /// - Returns: the copy, which is the caller's to delete.
    /// - Throws: ``MediaProblem``; then there is no copy. Ends in time, whatever the file is.
    func shrink(_ file: URL, longest: Int, in folder: URL) async throws(MediaProblem) -> PreparedMedia
}

extension MediaPreparing {
    /// Prepares nothing in memory.
    public func prepare(_ picture: [UInt8], as type: String) async throws(MediaProblem) -> PreparedPicture {
        throw .notInstalled
    }

    /// Makes nothing smaller.
    public func shrink(_ file: URL, longest: Int, in folder: URL) async throws(MediaProblem) -> PreparedMedia {
        throw .notInstalled
    }
}

/// A picture that is fit to be sealed; it is in memory.
public struct PreparedPicture: Hashable, Sendable {
    /// The prepared copy.
    public var bytes: [UInt8]
    /// Dots from left to right as it is shown; `nil` where that is not known.
    public var width: Int?
    /// Dots from top to bottom as it is shown.
    public var height: Int?
    /// The picture from far away as a BlurHash.
    public var blurhash: String?
    /// The same as a ThumbHash, in Base64.
    public var thumbhash: String?

    /// A copy of which nothing is known.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// A file that is fit to be published, and what an `imeta` tag says of it.
public struct PreparedMedia: Hashable, Sendable {
    /// The prepared copy, in the folder that was named.
    public let file: URL
    /// What it is now, such as `image/jpeg`; a picture of another type may have become one.
    public let type: String
    /// Bytes of the copy.
    public let size: Int64
    /// SHA-256 of the copy: 64 lowercase hexadecimal digits.
    public let sha256: String
    /// Dots from left to right as it is shown; `nil` where that is not known, as of sounds.
    public let width: Int?
    /// Dots from top to bottom as it is shown.
    public let height: Int?
    /// How long it plays; `nil` where that is not known.
    public let duration: Duration?
    /// The picture from far away as a BlurHash; `nil` for what is not a picture.
    public let blurhash: String?
    /// The same as a ThumbHash, in Base64.
    public let thumbhash: String?

    /// Describes a prepared copy.
    public init(
        file: URL, type: String, size: Int64, sha256: String, width: Int? = nil, height: Int? = nil,
        duration: Duration? = nil,
        blurhash: String? = nil, thumbhash: String? = nil
    ) {
        self.file = file
        self.type = type
        self.size = size
        self.sha256 = sha256
        self.width = width
        self.height = height
        self.duration = duration
        self.blurhash = blurhash
        self.thumbhash = thumbhash
    }
}

/// Why a file could not be prepared.
public enum MediaProblem: Error, Hashable, Sendable {
    /// The file is not there or cannot be read.
    case unreadable
    /// Linnet does not know how to take what tells of a person out of this type, so it publishes none of it.
    case unsupported(type: String)
    /// It begins as a file of this type and does not go on as one.
    case broken(type: String)
    /// It has more bytes than are prepared.
    case tooLarge(most: Int64)
    /// It has more dots than are prepared.
    case tooManyPixels(most: Int)
    /// Preparing took too long, or more memory than it may have.
    case overLimit
    /// The program that prepares files, or the library that it reads pictures with, is not installed.
    case notInstalled
    /// The copy could not be written.
    case notWritten
}
