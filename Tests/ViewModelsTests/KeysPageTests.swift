import NostrClient
import NostrCore
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("the key of an account")
struct KeysPageTests {
    @Test(
        "refuses what cannot work before anyone is asked",
        arguments: [
            (
                KeysPage.Act.changePassphrase(from: "", to: "long enough", again: "long enough"),
                KeysPage.Door.passphrase
            ),
            (.changePassphrase(from: "old", to: "short", again: "short"), .passphrase),
            (.changePassphrase(from: "old", to: "long enough", again: "long enouhg"), .passphrase),
            (.changePassphrase(from: "long enough", to: "long enough", again: "long enough"), .passphrase),
            (.showWords(passphrase: ""), .words), (.backup(passphrase: "short", again: "short"), .backup),
            (.backup(passphrase: "long enough", again: ""), .backup), (.burn(name: "Adam", passphrase: "x"), .burn),
            (.burn(name: "Ada", passphrase: ""), .burn),
        ])
    func refuses(act: KeysPage.Act, door: KeysPage.Door) async {
        let keys = FakeKeys()
        var page = KeysPage(
            FakeAuthor(1).key, name: "Ada",
            custody: KeyCustody(kind: .file, isLocked: false, hasMnemonic: true))
        #expect(page.refusal(of: act) != nil)
        await page.perform(act, in: keys)
        #expect(page.problem?.door == door && page.done == nil)
        #expect(await keys.acts.isEmpty)
    }

    @Test("says in whose words it failed, and where")
    func wrong() async throws {
        let keys = FakeKeys()
        var state = try await KeysPage.load(FakeAuthor(1).key, name: "Ada", from: keys)
        for (input, door) in [
            (
                KeysPage.Act.changePassphrase(from: "wrong", to: "long enough", again: "long enough"),
                KeysPage.Door.passphrase
            ),
            (.showWords(passphrase: "wrong"), .words), (.burn(name: "Ada", passphrase: "wrong"), .burn),
        ] {
            await state.perform(input, in: keys)
            #expect(state.problem == .init(door: door, sentence: "That is not the passphrase of this account."))
            #expect(!state.isBurnt && state.shown == nil)
        }
    }

    @Test("brings out, changes and burns with the right words")
    func right() async throws {
        let keys = FakeKeys()
        var page = try await KeysPage.load(FakeAuthor(1).key, name: "Ada", from: keys)
        await page.perform(.showWords(passphrase: FakeOpening.passphrase), in: keys)
        #expect(page.shown == .words(FakeKeys.words))
        await page.perform(.setAutoLock(.seconds(900)), in: keys)
        #expect(page.autoLock == .seconds(900) && page.done != nil)
        page = try await KeysPage.load(FakeAuthor(1).key, name: "Ada", from: keys)
        await page.perform(
            .changePassphrase(from: FakeOpening.passphrase, to: "long enough", again: "long enough"), in: keys)
        #expect(page.done != nil && page.problem == nil)
        await page.perform(.burn(name: " Ada ", passphrase: "long enough"), in: keys)
        #expect(page.isBurnt)
        #expect(await keys.acts == ["passphrase", "burn"])
    }
}

@Suite("drafts")
struct DraftsTests {
    @Test("are kept from the page one writes on, taken up again, and go once the note is published")
    func journey() async throws {
        let account = FakeAccount(.plain(notes: 1))
        let kept = await ScreenModel<ComposeState>(of: account).send(
            .keep(.init(text: "Half a thought", warning: "raw")))
        #expect(kept.isKept)
        let row = try #require(try await DraftsPage.load(of: account).rows.first)
        #expect(row.text == "Half a thought" && row.expires != nil)
        let unfinished = try #require(try await UnfinishedNote.load(draft: row.id, of: account))
        let draft = unfinished.draft
        let model = ScreenModel(unfinished, of: account)
        await model.send(.opened(draft))
        let state = await model.send(.publish(.init(text: draft.text + ", whole", warning: draft.warning)))
        #expect(state.handedOver?.contentWarning == "raw")
        let outgoing = OutgoingNotes(time: HandClock().time, name: { "one" })
        let id = try #require(await outgoing.hold(state, of: account))
        #expect(await outgoing.undo(id, of: FakeAuthor(2).key) == nil)
        await outgoing.publishNow(id)
        #expect(await account.published.map(\.text) == ["Half a thought, whole"])
        #expect(try await DraftsPage.load(of: account).rows.isEmpty)
    }

    @Test("never hold a secret key, and say why they were not kept")
    func refused() async {
        let account = FakeAccount(.plain(notes: 0))
        let secret = "nsec1" + String(repeating: "q", count: 58)
        let state = await ScreenModel<ComposeState>(of: account).send(.keep(.init(text: secret)))
        #expect(!state.isKept && state.problem?.contains("secret key") == true)
        #expect(await account.personal?.acts.isEmpty == true)
        await account.personal?.refuse(with: Trouble("The disk is full."))
        let full = await ScreenModel<ComposeState>(of: account).send(.keep(.init(text: "Hello")))
        #expect(full.problem == "The disk is full.")
    }
}
