import NostrClient
import NostrCore
import NostrRelay
import NostrSigner
import Testing

@testable import ViewModels

@Suite("what relays answered, in words")
struct RelayAnswerWordsTests {
    @Test(
        "an answer is a phrase with its facts",
        arguments: [
            (PublishOutcome.accepted(Reason(nil, "")), "accepted"),
            (.rejected(Reason(.blocked, "not you")), "blocked: not you"),
            (.rejected(Reason(nil, "")), "refused without a reason"), (.timedOut, "no answer in time"),
            (.tooLong(limit: 65_536), "it is longer than the 65536 bytes that the relay takes"),
            (.failed(.refused), "the relay refused the connection"), (.blocked, "you block this relay"),
            (.failed(.closed(code: 1006)), "the relay closed the connection (code 1006)"),
            (.failed(.certificate(.untrusted)), "the relay's certificate is not trusted"),
        ])
    func answers(outcome: PublishOutcome, words: String) {
        #expect(PublishAnswer.outcome(outcome).words == words)
    }

    @Test("what was given up says how often it was tried")
    func givenUp() {
        #expect(PublishAnswer.outcome(.timedOut).words(givenUpAfter: 9) == "no answer in time; tried 9 times")
        #expect(PublishAnswer.outcome(.blocked).words(givenUpAfter: 1) == "you block this relay")
        #expect(PublishAnswer.said("gone; tried 9 times").words(givenUpAfter: 1) == "gone; tried 9 times")
    }

    @Test(
        "every reason for not asking a relay is a phrase",
        arguments: [
            NotAsked.blocked, .distrusted(RelayStatistics.Distrust(bad: 5, all: 9, pause: .seconds(300))),
            .failedBefore(.nameNotFound), .tooManySubscriptions, .noFreeConnection, .shuttingDown,
        ])
    func notAsked(why: NotAsked) {
        #expect(!why.words.isEmpty && !why.words.hasSuffix("."))
    }

    @Test(
        "a signer's relay says what is wrong in a sentence",
        arguments: [
            (
                SignerRelayReport.Problem.ended(.failed(.refused)),
                "It cannot be reached: the relay refused the connection."
            ),
            (.unreachable(.failure(.nameNotFound)), "It cannot be reached: the relay's name is not known."),
            (.unreachable(.notice("we are moving")), "It says: we are moving"),
            (.ended(.notAsked(.blocked)), "It was not asked: you block this relay."),
        ])
    func problems(problem: SignerRelayReport.Problem, sentence: String) {
        #expect(problem.sentence == sentence)
    }
}
