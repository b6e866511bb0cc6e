public import NostrCore

/// Why an account could not do what it was asked: a code, and the facts that go with it.
public struct AccountError: Error, Equatable, Sendable {
    /// What went wrong; grows.
    public enum Code: String, Hashable, Sendable {
        /// There is no key to sign with.
        case readOnly
        /// The event it is about is not known here.
        case unknownEvent
        /// There is no such set any more.
        case unknownSet
        /// The version it is about is not kept here.
        case unknownVersion
        /// The event is not the account's own.
        case notOwn
        /// There is nothing to publish.
        case empty
        /// The newest version of a list or profile could not be read from enough relays.
        case newestUnknown
        /// The newest version holds what this program cannot read, and so must not replace.
        case unreadable
        /// Events of this kind are no lists that can be changed.
        case notAList
        /// The change would take more entries out of a list than a person means to.
        case wouldDrop
        /// The event may not be handed on: its author protected it (NIP-70).
        case protected
        /// The poll has ended: no vote counts any more.
        case pollEnded
        /// The answers do not fit the poll: it has no such answer, or takes only one.
        case wrongAnswer
        /// A poll needs from two to ten answers that differ.
        case wrongOptions
        /// A custom emoji is named that is none of the account's.
        case unknownEmoji
        /// Others cannot reach any of the relays in use, so none is published that nobody chose.
        case noPublicRelay
        /// A secret key stands in what is to be published.
        case holdsSecretKey
    }

    /// What went wrong.
    public let code: Code
    /// What it is about: the profile, or a kind of list; `nil` where the code says all.
    public let kind: Kind?
    /// The relays that answered, for ``Code/newestUnknown``; the entries lost, for ``Code/wouldDrop``.
    public let count: Int?
    /// The relays asked, for ``Code/newestUnknown``.
    public let total: Int?
    /// The relays that were asked and did not give all they have, for ``Code/newestUnknown``.
    public let missing: [RelayURL]

    /// A failure with the facts that go with its code; the others stay empty.
    public init(
        _ code: Code, of kind: Kind? = nil, count: Int? = nil, total: Int? = nil, missing: [RelayURL] = []
    ) {
        self.code = code
        self.kind = kind
        self.count = count
        self.total = total
        self.missing = missing
    }

    static let readOnly = AccountError(.readOnly)
    static let unknownEvent = AccountError(.unknownEvent)
    static let notOwn = AccountError(.notOwn)
    static let empty = AccountError(.empty)
    static let protected = AccountError(.protected)
}
