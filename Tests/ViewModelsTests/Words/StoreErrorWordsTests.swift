import NostrStore
import Testing
import ViewModels

@Suite("Why the program's own store did not do what was asked, in words")
struct StoreErrorWordsTests {
    @Test("every failure of a file says which file, in a sentence", arguments: StoreError.Code.allCases)
    func files(code: StoreError.Code) {
        let sentence = StoreError(code, file: "/home/robin/events.sqlite").sentence
        #expect(sentence.hasSuffix("."))
        #expect(sentence.contains("database /home/robin/events.sqlite"))
    }

    @Test("every failure of a server is a sentence, with what the server said")
    func servers() {
        for code in StoreError.Code.allCases { #expect(StoreError(code).sentence.hasSuffix(".")) }
        #expect(
            StoreError(.io, detail: "22P02").sentence
                == "Reading or writing the PostgreSQL database failed (code 22P02).")
        let refused = StoreError(.unreachable, detail: "connection refused")
        #expect(refused.sentence == "The PostgreSQL database cannot be reached: connection refused")
    }

    @Test("a trouble says it too")
    func trouble() {
        let error = StoreError(.diskFull, file: "a.sqlite")
        #expect(Trouble(error).sentence == error.sentence)
    }
}
