internal import Marmot

/// Why something could not be done in a circle: a code with facts; what a person reads is made from it above.
public struct CircleError: Error, Equatable, Sendable {
    /// What went wrong; grows.
    public enum Code: Equatable, Sendable {
        /// The account is locked.
        case locked
        /// The account's vault does not open with its key.
        case damagedVault
        /// The vault is open, but the circles in it could not be read from disk.
        case notRead
        /// There is no such circle here.
        case unknownCircle
        /// We are not in the circle any more.
        case notMember
        /// We are in it already.
        case alreadyMember
        /// We are ending the circle.
        case isEnding
        /// Only an admin of the circle can do that.
        case notAdmin
        /// Nobody would be an admin any more.
        case lastAdmin
        /// An admin steps down before leaving.
        case adminMustStepDown
        /// A circle without a name.
        case noName
        /// A place without a name.
        case noPlaceName
        /// The name of a place is too long.
        case placeNameTooLong
        /// As many places are watched as can be.
        case tooManyPlaces
        /// Nothing to send.
        case empty
        /// A message that is longer than every program can read.
        case messageTooLong
        /// Longer than a circle takes.
        case tooLong
        /// No relay to use.
        case noRelay
        /// A circle would have no relay.
        case circleNeedsRelay
        /// The invitation cannot be used.
        case unusable
        /// The request to join cannot be made.
        case badRequest(JoinRequestError)
        /// Some people, of those who are to be let in, have published no key package.
        case noKeyPackage(Int, of: Int)
        /// What rests of the circle on this machine cannot be read.
        case damaged
        /// Our place is not shared with the circle.
        case notSharing
        /// As many guest links as one circle can have.
        case tooManyGuestLinks
        /// The address of a page that cannot show guests anything.
        case noGuestPage
        /// A file that is no picture for a circle.
        case badPicture(CircleImageError)
        /// The group refused it; what it said is for the log.
        case refused
    }

    /// What went wrong.
    public let code: Code

    /// An error of a code.
    public init(_ code: Code) { self.code = code }

    static let locked = CircleError(.locked)
    static let unknownCircle = CircleError(.unknownCircle)
    static let notMember = CircleError(.notMember)
    static let notAdmin = CircleError(.notAdmin)
    static let noRelay = CircleError(.noRelay)
    static let unusable = CircleError(.unusable)
    static let damaged = CircleError(.damaged)

    /// What a group refused.
    init(_ error: MarmotError) {
        let code: Code =
            switch error.code {
            case .notAdmin: .notAdmin
            case .noAdminLeft: .lastAdmin
            case .adminMustStepDown: .adminMustStepDown
            case .tooLarge: .tooLong
            case .notAllowed: .notMember
            case .badTag: .circleNeedsRelay
            default: .refused
            }
        self.init(code)
    }
}

/// Does work of Marmot, whose refusals become ours.
func throughMarmot<Value>(_ work: () throws -> Value) throws -> Value {
    do { return try work() } catch let error as MarmotError { throw CircleError(error) }
}
