public import NostrCore

/// Keeping notes that were handed over before they can be signed; implemented by ``UnsignedNotes``.
public protocol UnsignedNoteKeeping: Sendable {
    /// Keeps a note on disk; it is signed and published when its time has come, also after a restart.
    ///
    /// - Parameters:
    ///   - id: the name to ask after it, which nobody can guess.
    ///   - keptAs: the kept draft it was taken up from, which goes once the note is published.
    func hold(_ composition: Composition, as id: String, until moment: Timestamp, keptAs: String?) async throws
    /// The notes that are not published yet, the first to go first.
    func waiting() async -> [UnsignedNote]
    /// How many notes rest sealed and are not known before the account is unlocked.
    func sealedCount() async throws -> Int
    /// How a note stands; `nil` for one that was given up, or is not known here.
    func standing(of id: String) async -> UnsignedNote.Standing?
    /// Signs and publishes a note now; joins in when that is under way, and never does it twice.
    func publish(_ id: String) async throws -> EventID
    /// Gives a note up: it is forgotten, here and on disk; `false` when it is too late.
    func cancel(_ id: String) async throws -> Bool
}

/// A note that was handed over to be published and is not signed yet.
public struct UnsignedNote: Hashable, Sendable, Identifiable {
    /// The name to ask after it.
    public let id: String
    /// What was written.
    public let composition: Composition
    /// When it is to be signed and published.
    public let notBefore: Timestamp
    /// The kept draft it was taken up from.
    public let keptAs: String?

    /// A note as it was handed over.
    public init(id: String, composition: Composition, notBefore: Timestamp, keptAs: String?) {
        self.id = id
        self.composition = composition
        self.notBefore = notBefore
        self.keptAs = keptAs
    }

    /// How a note stands.
    public enum Standing: Sendable {
        /// It waits for its time.
        case held
        /// Work is put into it, or its signer is asked.
        case signing
        /// It could not be signed, and why; it is tried again when the signer returns, at the next start, or by hand.
        case failed(any Error)
        /// It is signed and in the publish queue.
        case published(EventID)
    }
}
