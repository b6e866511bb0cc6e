import NostrCore
import NostrSigner
import NostrTesting
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("Becoming someone whose key is elsewhere")
struct SigningElsewhereTests {
    private static let long = "a long passphrase"

    @Test(
        "refuses what is no token, and a passphrase that is too short, before anybody is asked",
        arguments: [
            (FirstRunState.Input.bunker(token: "", passphrase: long, again: long), FirstRunState.Door.signer),
            (.bunker(token: "nostrconnect://x", passphrase: long, again: long), .signer),
            (.bunker(token: "nsec1x", passphrase: long, again: long), .signer),
            (.bunker(token: "bunker://x", passphrase: "short", again: "short"), .signer),
            (.bunker(token: "bunker://x", passphrase: long, again: long + "x"), .signer),
            (.invite(passphrase: "", again: ""), .signer), (.invite(passphrase: long, again: ""), .signer),
            (.browser(proof: "", challenge: "c"), .browser),
        ])
    func refuses(input: FirstRunState.Input, door: FirstRunState.Door) {
        var state = FirstRunState()
        #expect(state.apply(input).isEmpty)
        #expect(state.problem?.door == door)
    }

    @Test("asks with what was pasted, white space gone, whatever the case of its scheme")
    func asks() {
        var state = FirstRunState()
        #expect(
            state.apply(.bunker(token: " BUNKER://x \n", passphrase: Self.long, again: Self.long)) == [
                .pair(token: "BUNKER://x", passphrase: Self.long)
            ])
        #expect(state.apply(.invite(passphrase: Self.long, again: Self.long)) == [.invite(passphrase: Self.long)])
    }

    @Test("a try that has begun is named; without anything elsewhere it says so")
    func begins() async {
        let account = FakeAccount(.plain(notes: 0))
        let model = ScreenModel<FirstRunState>(FakeOpening(account), elsewhere: FakeElsewhere(account)) { _ in }
        let state = await model.send(.invite(passphrase: Self.long, again: Self.long))
        #expect(state.pairing == "try-2")
        let without = await ScreenModel<FirstRunState>(FakeOpening(account)) { _ in }.send(
            .invite(passphrase: Self.long, again: Self.long))
        #expect(without.pairing == nil)
        #expect(without.problem?.door == .signer)
    }

    @Test(
        "every step has a sentence, and only what is over is over",
        arguments: [
            (PairingProgress.Step.connecting, false), (.waiting, false), (.approval(page: "https://x.example"), false),
            (.unreachable, false), (.failed("Why."), true), (.paired(TestPerson.alice.publicKey), true),
        ])
    func steps(step: PairingProgress.Step, isOver: Bool) {
        #expect(step.isOver == isOver)
        for isInvitation in [true, false] { #expect(!step.sentence(isInvitation: isInvitation).isEmpty) }
    }

    @Test("a banner tells only what one can do something about")
    func banners() {
        let silent: [SignerStanding] = [.answers, .connecting, .noPage, .pageOpen]
        #expect(silent.allSatisfy { $0.banner == nil })
        let told: [SignerStanding] = [.waiting, .approval(page: "https://x.example"), .unreachable]
        #expect(told.allSatisfy { $0.banner != nil })
        #expect(told.compactMap(\.page) == ["https://x.example"])
    }

    @Test("a signer's states are told in the screens' own words")
    func states() {
        #expect(SignerStanding(.waitingForApproval(page: "p")) == .approval(page: "p"))
        #expect(SignerStanding(.ended) == .unreachable)
        #expect(PairingProgress.Step(.waitingForApproval(page: "p")) == .approval(page: "p"))
    }
}
