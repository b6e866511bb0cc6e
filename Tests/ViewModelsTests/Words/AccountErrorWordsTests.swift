import NostrClient
import NostrCore
import NostrNIPs
import Testing

@testable import ViewModels

private let four: [RelayURL] = ["a", "b", "c", "d"].compactMap { name in try? RelayURL("wss://\(name).example") }

@Suite("Why an account did not do what it was asked, in words")
struct AccountErrorWordsTests {
    @Test(
        "the facts of a refusal stand in its sentence",
        arguments: [
            (
                AccountError(.newestUnknown, of: 3, count: 1, total: 2),
                "Only 1 of 2 relays answered, so the newest version of your follow list could not be read. Nothing was "
                    + "changed; try again when more relays can be reached."
            ),
            (
                AccountError(.newestUnknown, of: .muteList, count: 0, total: 1),
                "Only 0 of 1 relay answered, so the newest version of your mute list could not be read. Nothing was "
                    + "changed; try again when more relays can be reached."
            ),
            (
                AccountError(.wouldDrop, of: .muteList, count: 300),
                "This would take 300 entries out of your mute list at once, which is more than a change should. "
                    + "Nothing was changed."
            ),
            (
                AccountError(.unreadable, of: 0),
                "Your profile on the relays is not in a form that can be changed without losing parts of it."
            ),
            (
                AccountError(.unreadable, of: .bookmarks),
                "The private part of your bookmarks cannot be read with this key, so a change could destroy it. Nothing "
                    + "was changed."
            ),
            (AccountError(.notAList, of: 1), "Kind 1 is not a list that can be changed."),
            (AccountError(.protected), "The author asks that this note is not passed on."),
        ])
    func facts(error: AccountError, sentence: String) {
        #expect(error.sentence == sentence)
        #expect(Trouble(error).sentence == sentence)
    }

    @Test("who was asked in vain is named, the first three of many")
    func missing() {
        let error = AccountError(.newestUnknown, of: 10_002, count: 1, total: 5, missing: four)
        let sentence = """
            Only 1 of 5 relays answered, so the newest version of your relay list could not be read. Nothing was changed; \
            try again when more relays can be reached. Missing: a.example, b.example, c.example and 1 more. A relay that \
            never answered stops counting after three days of silence, one that did after fourteen.
            """
        #expect(error.sentence == sentence)
    }
}
