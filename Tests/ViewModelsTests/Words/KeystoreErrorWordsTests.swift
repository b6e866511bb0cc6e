import NostrNIPs
import NostrSigner
import Testing
import ViewModels

@Suite("Why the keys of this machine did not do what was asked, in words")
struct KeystoreErrorWordsTests {
    @Test("every failure of a keystore is a sentence", arguments: KeystoreError.Code.allCases)
    func codes(code: KeystoreError.Code) {
        let sentence = KeystoreError(code).sentence
        #expect(sentence.hasSuffix(".") || sentence.hasSuffix("?"))
    }

    @Test(
        "what lies behind a failure is said instead of it",
        arguments: [
            (KeystoreError(.damaged, .fileOfAnother), "The file holds another person's key."),
            (
                KeystoreError(.damaged, .fileForm),
                "A file of the keystore is a link or far too large, so it was not read."
            ),
            (KeystoreError(.io, .system(5)), "The directory of the keys cannot be used (system error 5)."),
            (KeystoreError(.wrongPassphrase, .encryptedKey(.wrongPassphrase)), "Wrong passphrase."),
            (KeystoreError(.readOnlyAccount, .keyElsewhere), "The key of this account is not on this machine."),
        ])
    func details(error: KeystoreError, sentence: String) {
        #expect(error.sentence == sentence)
    }

    @Test(
        "every failure of a backup is a sentence",
        arguments: [
            .notABackup, .tooNew(version: 2), .emptyPassphrase, .wrongPassphrase, .truncated, .damaged, .outOfMemory,
            .costOutOfRange(logN: 30, limit: 20),
        ] as [BackupError])
    func backups(error: BackupError) {
        #expect(error.sentence.hasSuffix("."))
    }
}
