import NostrCore
import NostrNIPs
import Testing
import ViewModels

@Suite("Why a code or words that were typed are none, in words")
struct CodeErrorWordsTests {
    @Test("every failure of a code is a sentence")
    func codes() {
        let errors: [EntityError] = [
            .notBech32(.badChecksum), .notBech32(.noSeparator), .notBech32(.tooLong(limit: 1)), .secret,
            .unknownPrefix("x"), .wrongLength, .missingPart, .identifierTooLong(bytes: 300), .notASecretKey,
        ]
        for error in errors { #expect(error.sentence.hasSuffix(".")) }
    }

    @Test("every failure of words is a sentence that says which word, never the word")
    func mnemonics() {
        let errors: [MnemonicError] = [
            .wrongCount(11), .wrongEntropy(bytes: 3), .unknownWord(at: 3, isNearMiss: true),
            .unknownWord(at: 3, isNearMiss: false), .wrongChecksum, .noKey,
        ]
        for error in errors { #expect(error.sentence.hasSuffix(".")) }
        #expect(errors[2].sentence.hasPrefix("Word 3 "))
    }
}
