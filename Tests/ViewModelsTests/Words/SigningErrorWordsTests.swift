import NostrSigner
import Testing
import ViewModels

@Suite("Why nothing was signed, in words")
struct SigningErrorWordsTests {
    @Test(
        "every failure of a signer is a sentence",
        arguments: [
            SigningFailure.locked, .readOnly, .refused, .timedOut, .cannotEncrypt, .unreachable, .noPage, .wrongAnswer,
        ])
    func failures(failure: SigningFailure) {
        #expect(failure.sentence.hasSuffix("."))
    }

    @Test("what the signing service could not do is a sentence", arguments: SigningServiceError.Code.allCases)
    func service(code: SigningServiceError.Code) {
        #expect(SigningServiceError(code).sentence.hasSuffix("."))
    }
}
