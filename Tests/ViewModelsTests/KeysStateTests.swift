import NostrClient
import NostrCore
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("the key of an account")
struct KeysStateTests {
    @Test(
        "refuses what cannot work before anyone is asked",
        arguments: [
            (
                KeysState.Input.changePassphrase(from: "", to: "long enough", again: "long enough"),
                KeysState.Door.passphrase
            ),
            (.changePassphrase(from: "old", to: "short", again: "short"), .passphrase),
            (.changePassphrase(from: "old", to: "long enough", again: "long enouhg"), .passphrase),
            (.changePassphrase(from: "long enough", to: "long enough", again: "long enough"), .passphrase),
            (.showWords(passphrase: ""), .words), (.backup(passphrase: "short", again: "short"), .backup),
            (.backup(passphrase: "long enough", again: ""), .backup), (.burn(name: "Adam", passphrase: "x"), .burn),
            (.burn(name: "Ada", passphrase: ""), .burn),
        ])
    func refuses(input: KeysState.Input, door: KeysState.Door) {
        var state = KeysState(name: "Ada")
        _ = state.apply(.read(KeyCustody(place: .file, isLocked: false, hasMnemonic: true), autoLock: nil))
        #expect(state.apply(input).isEmpty)
        #expect(state.problem?.door == door)
    }

    @Test("says in whose words it failed, and where")
    func wrong() async {
        let model = ScreenModel(FakeKeys(), of: FakeAuthor(1).key, name: "Ada")
        await model.send(.opened)
        for (input, door) in [
            (
                KeysState.Input.changePassphrase(from: "wrong", to: "long enough", again: "long enough"),
                KeysState.Door.passphrase
            ),
            (.showWords(passphrase: "wrong"), .words), (.burn(name: "Ada", passphrase: "wrong"), .burn),
        ] {
            let state = await model.send(input)
            #expect(state.problem == .init(door: door, sentence: "That is not the passphrase of this account."))
            #expect(!state.isBurnt && state.shown == nil)
        }
    }

    @Test("brings out, changes and burns with the right words")
    func right() async {
        let keys = FakeKeys()
        let model = ScreenModel(keys, of: FakeAuthor(1).key, name: "Ada")
        await model.send(.opened)
        #expect(await model.send(.showWords(passphrase: FakeOpening.passphrase)).shown == .words(FakeKeys.words))
        #expect(await model.send(.setAutoLock(.seconds(900))).autoLock == .seconds(900))
        let changed = await model.send(
            .changePassphrase(from: FakeOpening.passphrase, to: "long enough", again: "long enough"))
        #expect(changed.done != nil && changed.problem == nil)
        #expect(await model.send(.burn(name: " Ada ", passphrase: "long enough")).isBurnt)
        #expect(await keys.acts == ["passphrase", "burn"])
    }
}

@Suite("drafts")
struct DraftsTests {
    @Test("are kept from the page one writes on, taken up again, and go once the note is published")
    func journey() async throws {
        let account = FakeAccount(.plain(notes: 1))
        let desk = Desk(account)
        let kept = await desk.compose(replyTo: nil, quote: nil).send(
            .keep(.init(text: "Half a thought", warning: "raw")))
        #expect(kept.isKept)
        let row = try #require(try await desk.drafts().first)
        #expect(row.text == "Half a thought" && row.expires != nil)
        let (model, draft) = try #require(try await desk.takeUp(row.id))
        await model.send(.opened(draft))
        let state = await model.send(.publish(.init(text: draft.text + ", whole", warning: draft.warning)))
        #expect(state.handedOver?.contentWarning == "raw")
        let outgoing = OutgoingNotes(time: HandClock().time, name: { "one" })
        let id = try #require(await desk.hold(state, in: outgoing))
        #expect(await outgoing.undo(id, of: FakeAuthor(2).key) == nil)
        await outgoing.publishNow(id)
        #expect(await account.published.map(\.text) == ["Half a thought, whole"])
        #expect(try await desk.drafts().isEmpty)
    }

    @Test("never hold a secret key, and say why they were not kept")
    func refused() async {
        let account = FakeAccount(.plain(notes: 0))
        let secret = "nsec1" + String(repeating: "q", count: 58)
        let state = await Desk(account).compose(replyTo: nil, quote: nil).send(.keep(.init(text: secret)))
        #expect(!state.isKept && state.problem?.contains("secret key") == true)
        #expect(await account.personal?.acts.isEmpty == true)
        await account.personal?.refuse(with: Trouble("The disk is full."))
        let full = await Desk(account).compose(replyTo: nil, quote: nil).send(.keep(.init(text: "Hello")))
        #expect(full.problem == "The disk is full.")
    }
}
