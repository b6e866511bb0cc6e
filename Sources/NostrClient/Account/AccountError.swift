/// Why an account could not do what it was asked; each has one plain sentence for a person.
public struct AccountError: Error, Equatable, Sendable {
    /// What went wrong; grows.
    public enum Code: String, Hashable, Sendable {
        /// There is no key to sign with.
        case readOnly
        /// The event it is about is not known here.
        case unknownEvent
        /// The event is not one's own.
        case notOwn
        /// There is nothing to publish.
        case empty
        /// The newest version of a list or profile could not be read from enough relays.
        case newestUnknown
        /// The newest version holds what this program cannot read, and so must not replace.
        case unreadable
        /// The change would take more entries out of a list than a person means to.
        case wouldDrop
        /// The event may not be handed on: its author protected it (NIP-70).
        case protected
    }

    /// What went wrong.
    public let code: Code
    /// One plain sentence a person can act on; no secret.
    public let sentence: String

    /// Takes both.
    public init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    static let readOnly = AccountError(.readOnly, "This account can only read: it has no key to sign with.")
    static let unknownEvent = AccountError(.unknownEvent, "This note is not known here yet; open it first.")
    static let notOwn = AccountError(.notOwn, "Only its author can delete a note.")
    static let empty = AccountError(.empty, "There is nothing to publish yet.")
    static let protected = AccountError(.protected, "Its author asks that this note is not handed on.")
}
