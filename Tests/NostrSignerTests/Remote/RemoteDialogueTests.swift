import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("What is under way with a signer elsewhere")
struct RemoteDialogueTests {
    private func asked(_ method: RemoteMethod = .signEvent, delivered: Bool = true) -> RemoteDialogue {
        var dialogue = RemoteDialogue()
        dialogue.ask("a", method, at: .zero)
        if delivered { dialogue.delivered("a") }
        return dialogue
    }

    @Test("a request is sent at once, then less and less often, until nobody waits for it")
    func resends() {
        var dialogue = asked()
        var (now, sent): (Duration, [Duration]) = (.zero, [])
        var end: SigningFailure?
        while end == nil {
            switch dialogue.step("a", at: now) {
            case .send(let next):
                sent.append(now)
                now = next
            case .wait(let next):
                #expect(next > now)
                now = next
            case .giveUp(let failure): end = failure
            }
        }
        #expect(sent == [0, 4, 12, 28, 58, 88, 118].map { .seconds($0) })
        #expect(now == .seconds(120))
        #expect(end == .timedOut)
        #expect(dialogue.state(at: now) == .unreachable)
    }

    @Test("a request that no relay takes is given up sooner, by another name")
    func unreachable() {
        var dialogue = asked(delivered: false)
        #expect(dialogue.step("a", at: .seconds(29)) != .giveUp(.unreachable))
        #expect(dialogue.step("a", at: .seconds(30)) == .giveUp(.unreachable))
    }

    @Test(
        "what is harmless is waited for less long",
        arguments: [(RemoteMethod.ping, 20), (.signEvent, 120), (.connect, 120), (.nip44Decrypt, 120)])
    func deadlines(method: RemoteMethod, seconds: Int) {
        var dialogue = asked(method)
        #expect(dialogue.step("a", at: .seconds(seconds - 1)) != .giveUp(.timedOut))
        #expect(dialogue.step("a", at: .seconds(seconds)) == .giveUp(.timedOut))
    }

    @Test("an answer counts once, and only for what was asked")
    func answersOnce() {
        var dialogue = asked()
        #expect(dialogue.receive(RemoteResponse(id: "b", result: "x"), at: .seconds(1)) == .nothing)
        #expect(dialogue.state(at: .seconds(1)) == .connecting)
        #expect(dialogue.receive(RemoteResponse(id: "a", result: "x"), at: .seconds(1)) == .answer("x"))
        #expect(dialogue.receive(RemoteResponse(id: "a", result: "y"), at: .seconds(1)) == .nothing)
        #expect(dialogue.state(at: .seconds(9)) == .ready)
    }

    @Test("an error is told in the signer's own words, made one visible line")
    func errors() {
        var dialogue = asked()
        let heard = dialogue.receive(RemoteResponse(id: "a", error: "user\n rejected\u{202E}"), at: .seconds(1))
        #expect(heard == .failure(.said("user rejected")))
    }

    @Test("a challenge waits longer, sends nothing again, and an answer ends it")
    func challenge() {
        var dialogue = asked()
        let challenge = RemoteResponse.challenge(id: "a", page: "https://b.example/x")
        #expect(dialogue.receive(challenge, at: .seconds(100)) == .challenge)
        #expect(dialogue.state(at: .seconds(100)) == .waitingForApproval(page: "https://b.example/x"))
        #expect(dialogue.step("a", at: .seconds(130)) == .wait(until: .seconds(160)))
        // Saying it again buys no more time.
        #expect(dialogue.receive(challenge, at: .seconds(390)) == .challenge)
        #expect(dialogue.step("a", at: .seconds(400)) == .giveUp(.timedOut))
        #expect(dialogue.receive(RemoteResponse(id: "a", result: "x"), at: .seconds(400)) == .answer("x"))
        #expect(dialogue.state(at: .seconds(400)) == .ready)
    }

    @Test("a challenge to a page that no browser may be sent to is only waited for")
    func badChallenge() {
        var dialogue = asked()
        #expect(dialogue.receive(.challenge(id: "a", page: "javascript:alert(1)"), at: .zero) == .challenge)
        #expect(dialogue.state(at: .seconds(1)) == .waiting)
    }

    @Test("the state follows the relays and the silence")
    func states() throws {
        let (one, two) = (try RelayURL("wss://one.example"), try RelayURL("wss://two.example"))
        var dialogue = RemoteDialogue()
        #expect(dialogue.state(at: .zero) == .connecting)
        dialogue.relay(one, isLive: false)
        #expect(dialogue.state(at: .zero) == .unreachable)
        dialogue.relay(two, isLive: true)
        #expect(dialogue.state(at: .zero) == .connecting)
        dialogue.ask("a", .ping, at: .zero)
        #expect(dialogue.state(at: .seconds(2)) == .connecting)
        #expect(dialogue.state(at: .seconds(3)) == .waiting)
        _ = dialogue.receive(RemoteResponse(id: "a", result: "pong"), at: .seconds(4))
        #expect(dialogue.state(at: .seconds(4)) == .ready)
        dialogue.relay(two, isLive: false)
        #expect(dialogue.state(at: .seconds(5)) == .unreachable)
        // It has moved to a relay of which nothing is known yet.
        dialogue.use([try RelayURL("wss://three.example")])
        #expect(dialogue.state(at: .seconds(5)) == .ready)
        dialogue.end()
        #expect(dialogue.state(at: .seconds(6)) == .ended)
        #expect(dialogue.step("a", at: .seconds(6)) == .giveUp(.locked))
    }
}
