internal import Foundation
internal import NostrCore
package import NostrNIPs
internal import NostrSigner

/// A file of a chat that no media server has taken yet, as screens need it.
public struct UnsentFile: Hashable, Sendable, Identifiable {
    /// How it stands.
    public enum Standing: Hashable, Sendable {
        /// It is being brought to a server.
        case underWay
        /// Servers are asked again by themselves.
        case waiting
        /// Nobody is asked again before the person wants it.
        case failed
    }

    /// What it is called here; nobody can guess it.
    public let id: String
    /// What it is called on the person's device; empty where that is not known.
    public var name: String
    /// Its MIME type before it was sealed.
    public var type: String
    /// Its length as it was sealed, in bytes.
    public var size: Int
    /// What goes out with it; may be empty.
    public var text: String
    /// How it stands.
    public var standing: Standing
    /// Why it did not go the last time; `nil` before it was tried.
    public var trouble: SealedFileError?
    /// Whether the file is out, and only the words that belong to it are to follow.
    public var isSent = false

    /// A file that waits to be tried.
    public init(id: String, name: String, type: String, size: Int, text: String = "") {
        (self.id, self.name, self.type, self.size, self.text) = (id, name, type, size, text)
        standing = .waiting
    }
}

/// A file that no media server has taken yet, and what goes out once one has.
///
/// Its bytes lie encrypted on the disk. This opens them, and rests sealed in the vault. Shape: JSON, bytes in hex; one
/// property for each thing that is in it.
package struct UnsentFileRecord: Hashable, Sendable, Codable {
    /// Why it did not go the last time.
    struct Trouble: Hashable, Sendable, Codable {
        enum Code: String, Hashable, Sendable, Codable {
            case noServer, notUploaded, refused, notSigned, signerAway, notTaken, notSent, membersChanged
        }

        /// What one server said.
        struct Refusal: Hashable, Sendable, Codable {
            var server: String
            var refusal: ServerRefusal
        }

        var code: Code
        var refusals: [Refusal] = []
    }

    package let id: String
    /// The conversation or the circle, as its service calls it.
    package let chat: String
    private let key: String
    private let nonce: String
    private let hash: String
    private let originalHash: String?
    private let type: String
    /// How many bytes of it lie on the disk.
    let size: Int
    /// Width and height, as `<width>x<height>`.
    package var dimensions: String?
    package var blurhash: String?
    package var thumbhash: String?
    package var name = ""
    package var description: String?
    /// What is said with it.
    package var text = ""
    /// What it answers.
    package var replyTo: String?
    package var subject: String?
    /// After how many seconds the message disappears; `nil` for never.
    package var lifetime: Int64?
    /// Who was in the circle when the person sent it, as keys in hex; `nil` where it goes to nobody else anyway.
    package var readers: [String]?
    /// The message with the file, once it is out and only the words are to follow.
    package var sent: String?
    /// Its place among those that wait.
    var number = 0
    /// When it was taken up, in seconds since 1970; `nil` where an earlier version did that.
    var addedAt: Int64?
    var attempts = 0
    /// When it is tried next, in seconds since 1970.
    var next: Int64 = 0
    var hasFailed = false
    var trouble: Trouble?

    /// A file that was sealed.
    package init(_ id: String, _ sealed: EncryptedFile, in chat: String) {
        (self.id, self.chat) = (id, chat)
        (key, nonce) = (encodeHex(sealed.key), encodeHex(sealed.nonce))
        (hash, originalHash) = (sealed.hash.hex, sealed.originalHash?.hex)
        (type, size) = (sealed.type, sealed.size ?? 0)
        (dimensions, blurhash, description) = (sealed.dimensions, sealed.blurhash, sealed.description)
    }

    /// Reads what rests in the vault; `nil` for what another version wrote differently.
    init?(_ bytes: [UInt8]) {
        guard let record = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = record
    }

    /// What rests in the vault.
    func bytes() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }

    /// What a message says of it, without an address; `nil` for what was not written by us.
    package var sealed: EncryptedFile? {
        guard let key = try? decodeHex(key, byteCount: 32), let nonce = try? decodeHex(nonce, byteCount: 12),
            let hash = Self.digest(hash)
        else { return nil }
        var file = EncryptedFile(url: "", type: type, key: key, nonce: nonce, hash: hash)
        file.originalHash = originalHash.flatMap(Self.digest)
        file.size = size
        (file.dimensions, file.blurhash, file.description) = (dimensions, blurhash, description)
        return file
    }

    private static func digest(_ text: String) -> Bytes32? {
        // What was not written by us is none.
        guard let bytes = try? decodeHex(text, byteCount: 32) else { return nil }
        return try? Bytes32(bytes.span)
    }
}

extension UnsentFileRecord {
    /// How often it is tried before the person is asked: for about two days.
    private static let mostAttempts = 12

    /// When it is forgotten, in seconds since 1970: a message that was to disappear does not stay because it failed.
    var disappears: Int64? {
        guard hasFailed, let addedAt, let lifetime else { return nil }
        let (sum, isTooLong) = addedAt.addingReportingOverflow(lifetime)
        return isTooLong ? nil : sum
    }

    /// It did not go.
    mutating func fail(_ error: any Error, now: Timestamp) {
        attempts += 1
        trouble = Trouble(error)
        guard Self.mayPass(error), attempts < Self.mostAttempts else {
            hasFailed = true
            return
        }
        // Half a minute, two, eight … up to six hours.
        next = now.seconds + Int64(min(21_600, 30 << (2 * min(attempts - 1, 5))))
    }

    /// It is tried anew, for those who are in the circle by now.
    mutating func begin(for readers: [String]? = nil) {
        (hasFailed, attempts, next, trouble) = (false, 0, 0, nil)
        if let readers { self.readers = readers }
    }

    /// Whether the same may succeed later without anything being changed.
    private static func mayPass(_ error: any Error) -> Bool {
        guard let error = error as? SealedFileError else { return !(error is MessagingError) }
        return switch error {
        case .notUploaded: true
        case .refused(let outcomes): outcomes.contains { $0.refusal?.mayPass == true }
        default: false
        }
    }

    /// For screens.
    func shown(isUnderWay: Bool) -> UnsentFile {
        var file = UnsentFile(id: id, name: name, type: type, size: size, text: text)
        file.standing = isUnderWay ? .underWay : hasFailed ? .failed : .waiting
        file.trouble = trouble?.error
        file.isSent = sent != nil
        return file
    }
}

extension UnsentFileRecord.Trouble {
    fileprivate init(_ error: any Error) {
        if error is SigningFailure {
            self.init(code: .signerAway)
            return
        }
        switch error as? SealedFileError {
        case .noServer: self.init(code: .noServer)
        case .notSigned: self.init(code: .notSigned)
        case .notTaken: self.init(code: .notTaken)
        case .notUploaded: self.init(code: .notUploaded)
        case .membersChanged: self.init(code: .membersChanged)
        case .refused(let outcomes):
            let refusals = outcomes.compactMap { outcome in
                outcome.refusal.map { Refusal(server: outcome.server.address, refusal: $0) }
            }
            self.init(code: .refused, refusals: refusals)
        default: self.init(code: .notSent)
        }
    }

    fileprivate var error: SealedFileError {
        switch code {
        case .noServer: .noServer
        case .notUploaded: .notUploaded
        case .notSigned: .notSigned
        case .signerAway: .signerAway
        case .notTaken: .notTaken
        case .notSent: .notSent
        case .membersChanged: .membersChanged
        case .refused:
            .refused(
                refusals.compactMap { told in
                    MediaServer(told.server).map { ServerOutcome($0, told.refusal) }
                })
        }
    }
}
