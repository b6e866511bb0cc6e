public import Circles

// What a person reads about circles.

extension CircleError {
    /// One plain sentence a person can act on; no content, no secret.
    public var sentence: String {
        switch code {
        case .locked: "Unlock your account first: circles are encrypted with its key."
        case .damagedVault: MessagingWords.damagedVault
        case .notRead: "Your circles could not be read from this machine's disk; lock your account and unlock it again."
        case .unknownCircle: "There is no such circle here."
        case .notMember: "You are not in this circle any more."
        case .alreadyMember: "You are in this circle already."
        case .isEnding: "This circle is being ended and wiped here."
        case .notAdmin: "Only an admin of the circle can do that."
        case .lastAdmin: "Make somebody else an admin first; the circle needs one."
        case .adminMustStepDown: "Step down as an admin first; then you can leave."
        case .noName: "Give the circle a name."
        case .noPlaceName: "Give the place a name."
        case .placeNameTooLong: "This name is too long for a place."
        case .tooManyPlaces: "There are too many places already; forget one first."
        case .empty: CircleMessageError.empty.sentence
        case .messageTooLong: CircleMessageError.tooLong(limit: 0).sentence
        case .tooLong: "That is too long for a circle."
        case .noRelay: "There is no relay to use; add one in your relay list first."
        case .circleNeedsRelay: "A circle needs at least one relay."
        case .unusable: "This invitation cannot be used; ask for a new one."
        case .badRequest(let error): error.sentence
        case .noKeyPackage(1, of: 1):
            "This person has not published a key by which they can be added; send them an invitation instead."
        case .noKeyPackage(let count, _):
            "\(count) of these people have not published a key by which they can be added."
        case .damaged: "This circle cannot be read on this machine any more; ask an admin to let you in again."
        case .notSharing: "You do not share your location with this circle."
        case .tooManyGuestLinks: "This circle has as many guest links as it can have; take one back first."
        case .noGuestPage:
            "Give the address of a Linnet’s page for guests: it begins with https:// and ends with /guest."
        case .badPicture(let error): error.sentence
        case .refused: "The circle did not take this change; try again in a moment."
        }
    }

    /// Whether the same may go well a little later.
    var canRetry: Bool { [.locked, .notRead, .refused, .noRelay, .circleNeedsRelay, .tooManyPlaces].contains(code) }
}

extension CircleLinkError {
    /// One plain sentence a person can act on.
    public var sentence: String {
        switch self {
        case .tooLong: "This is too long to be an invitation to a circle."
        case .notALink: "This is not an invitation to a circle; copy the whole code or link."
        case .damaged: "This invitation is incomplete or damaged; copy it again."
        case .noRelay: "This invitation names no relay that can be used; ask for a new one."
        case .noPerson: "This invitation does not say whose it is; ask for a new one."
        case .noCircle: "This invitation does not say to which circle; ask for a new one."
        }
    }
}

extension CircleImageError {
    /// One plain sentence a person can act on.
    public var sentence: String {
        switch self {
        case .notJPEG: "This file is not a JPEG; choose one that is."
        case .damaged: "This JPEG is damaged or unusual; save it again as a JPEG."
        case .tooLarge:
            "A picture for a circle is a JPEG of at most \(CircleImage.side) by \(CircleImage.side) pixels and "
                + "\(CircleImage.most / 1024) KB; make it smaller first."
        }
    }
}

extension CircleMessageError {
    /// One plain sentence a person can act on.
    public var sentence: String {
        switch self {
        case .empty: "There is nothing to send yet."
        case .tooLong: "This is too long for one message; shorten it or send it in parts."
        }
    }
}

extension JoinRequestError {
    /// One plain sentence a person can act on.
    public var sentence: String {
        switch self {
        case .notARequest: "This is not a request to join a circle."
        case .tooLong: "The request to join is too long."
        case .laterVersion: "The request to join was made by a newer program than this one."
        case .noCircle: "The request to join does not say which circle."
        case .anotherPerson: "Somebody asked to join in another person's name."
        case .noKeyPackage: "The request to join lacks the key by which somebody is let in; ask them to send it again."
        case .forgedKeyPackage: "The key in the request to join was forged or damaged."
        case .unusableKeyPackage:
            "The key in the request to join cannot be used, perhaps because it is too old; ask them to send it again."
        }
    }
}

extension CircleWarning {
    /// What a person must know before all else.
    public var sentence: String {
        switch self {
        case .damaged: CircleError(.damaged).sentence
        case .removed: "You were removed from this circle. What was said before is still here."
        case .left: "You left this circle. What was said before is still here."
        case .leaving: "You asked to leave. You stay in the circle until somebody else's program lets you go."
        case .ending:
            "You are ending this circle. It is wiped here as soon as a relay has the change that removes everybody else."
        case .vanishing:
            "This circle is wiped here. It leaves this list once somebody else's program has let you go."
        case .outOfStep:
            "You are not up to date with this circle and cannot read what others say now. An admin was asked to let you "
                + "in again."
        }
    }
}

extension CircleTrouble {
    /// What happened, in one plain sentence.
    public var sentence: String {
        switch self {
        case .changeRefused: "All relays of the circle refused your change; it was not made. Choose other relays."
        case .changeNotAccepted: "No relay confirmed your change; it counts if it turns up later."
        case .changeNotFound: "No relay returned your change; it counts if it turns up later."
        case .changeFailed: "Your change could not be made; try again."
        case .changeOvertaken: "Somebody else's change came first; yours is made again."
        case .removed: "You are not in the circle any more."
        case .relaysSilent: "The relays of the circle do not answer; what is missing is asked for again and again."
        case .outOfStep:
            "You are not up to date: the circle went on without you. An admin was asked to let you "
                + "in again."
        case .backInStep: "You are up to date again."
        case .unread:
            "Something came that cannot be read. Anybody can post such junk to a circle's relays, and then nothing is "
                + "missing. If you miss lines of others, ask the relays for everything again."
        }
    }
}
