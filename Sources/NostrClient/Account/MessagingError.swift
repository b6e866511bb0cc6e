/// Why messages could not be read or sent.
public struct MessagingError: Error, Equatable, Sendable {
    /// What went wrong; grows.
    public enum Code: String, Hashable, Sendable {
        /// The key is locked.
        case locked
        /// The vault's records cannot be opened with this key.
        case damaged
        /// No more wraps are kept for an account that is locked.
        case tooManyWaiting
        /// There is no such message here.
        case unknownMessage
        /// Only its author can do that.
        case notOwn
        /// There is nothing to send.
        case empty
        /// It is longer than a message may be.
        case tooLong
        /// Too many people for wraps made one by one.
        case tooManyPeople
        /// The text holds a secret key.
        case holdsSecretKey
    }

    /// What went wrong.
    public let code: Code
    /// The most there may be, for ``Code/tooManyPeople`` and ``Code/tooManyWaiting``.
    public let limit: Int?

    /// A failure; the limit belongs to the codes that speak of one.
    public init(_ code: Code, limit: Int? = nil) {
        self.code = code
        self.limit = limit
    }

    /// The key is locked.
    public static let locked = MessagingError(.locked)
    static let unknownMessage = MessagingError(.unknownMessage)
    static let notOwn = MessagingError(.notOwn)
    static let empty = MessagingError(.empty)
    static let holdsSecretKey = MessagingError(.holdsSecretKey)
}
