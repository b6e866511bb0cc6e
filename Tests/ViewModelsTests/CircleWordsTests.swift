import Circles
import NostrClient
import Testing

@testable import ViewModels

/// What a person reads when something cannot be done in a circle.
struct CircleWordsTests {
    @Test("every refusal is one sentence")
    func sentences() {
        let codes: [CircleError.Code] = [
            .locked, .damagedVault, .notRead, .unknownCircle, .notMember, .alreadyMember, .isEnding, .notAdmin,
            .lastAdmin, .adminMustStepDown, .noName, .noPlaceName, .placeNameTooLong, .tooManyPlaces, .empty,
            .messageTooLong, .tooLong, .noRelay, .circleNeedsRelay, .unusable, .badRequest(.tooLong),
            .noKeyPackage(1, of: 1), .noKeyPackage(2, of: 3), .damaged, .notSharing, .badPicture(.notJPEG),
            .badPicture(.damaged),
            .badPicture(.tooLarge), .tooManyGuestLinks, .noGuestPage, .refused,
        ]
        let links: [CircleLinkError] = [.tooLong, .notALink, .damaged, .noRelay, .noPerson, .noCircle]
        let requests: [JoinRequestError] = [
            .notARequest, .tooLong, .laterVersion, .noCircle, .anotherPerson, .noKeyPackage, .forgedKeyPackage,
        ]
        let sentences =
            codes.map { CircleError($0).sentence } + links.map(\.sentence) + requests.map(\.sentence)
            + [CircleMessageError.empty.sentence, CircleMessageError.tooLong(limit: 1).sentence]
        for sentence in sentences { #expect(sentence.hasSuffix(".") && sentence.count > 10) }
    }

    @Test("a vault that does not open is said as it is of messages, and can be retried by nobody")
    func damagedVault() {
        let trouble = Trouble(CircleError(.damagedVault))
        #expect(trouble.sentence == MessagingWords.damagedVault)
        #expect(!trouble.canRetry)
        #expect(Trouble(CircleError(.notRead)).canRetry)
    }
}
