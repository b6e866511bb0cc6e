internal import Marmot

/// Why something could not be done in a circle; each has one plain sentence for a person.
public struct CircleError: Error, Equatable, Sendable {
    /// What went wrong; grows.
    public enum Code: String, Hashable, Sendable {
        /// The key is locked.
        case locked
        /// There is no such circle here.
        case unknownCircle
        /// One is not in the circle any more.
        case notMember
        /// Only an admin of the circle can do that.
        case notAdmin
        /// Nobody would be an admin any more.
        case lastAdmin
        /// Nothing to say.
        case empty
        /// Longer than every program can read.
        case tooLong
        /// No relay to use.
        case noRelay
        /// The invitation, request or key package cannot be used.
        case unusable
        /// What rests of the circle on this machine cannot be read.
        case damaged
        /// One's place is not shared with the circle.
        case notSharing
        /// A file that is no picture for a circle.
        case badPicture
        /// The group refused it; what it said is for the log.
        case refused
    }

    /// What went wrong.
    public let code: Code
    /// One plain sentence a person can act on; no content, no secret.
    public let sentence: String

    /// Takes both.
    public init(_ code: Code, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }

    static let noRelay = CircleError(.noRelay, "There is no relay to use; add one in your relay list first.")
    static let locked = CircleError(.locked, "Unlock your account first: circles are encrypted with its key.")
    static let unknownCircle = CircleError(.unknownCircle, "There is no such circle here.")
    static let notMember = CircleError(.notMember, "You are not in this circle any more.")
    static let notAdmin = CircleError(.notAdmin, "Only an admin of the circle can do that.")
    static let isEnding = CircleError(.notMember, "This circle is being ended and wiped here.")
    static let notSharing = CircleError(.notSharing, "You do not share your place with this circle.")
    static let lastAdmin = CircleError(.lastAdmin, "Make somebody else an admin first; the circle needs one.")

    /// What a group refused, in words for a person.
    init(_ error: MarmotError) {
        self =
            switch error.code {
            case .notAdmin: .notAdmin
            case .noAdminLeft: .lastAdmin
            case .adminMustStepDown:
                CircleError(.lastAdmin, "An admin steps down first; then they can leave.")
            case .tooLarge: CircleError(.tooLong, "That is too long for a circle.")
            case .notAllowed: .notMember
            case .badTag: CircleError(.noRelay, "A circle needs at least one relay.")
            default: CircleError(.refused, "The circle did not take this change; try again in a moment.")
            }
    }
}
