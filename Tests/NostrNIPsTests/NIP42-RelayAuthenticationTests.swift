import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-42 relay authentication")
struct RelayAuthenticationTests {
    @Test("an authentication must be for this relay, this challenge and this moment")
    func authentication() throws {
        let relay = try RelayURL("wss://relay.example.com")
        let now = Timestamp(seconds: 1_700_000_000)
        let draft = RelayAuthentication.draft(relay: relay, challenge: "abc", createdAt: now)
        func refusal(
            kind: Kind = 22_242, tags: [Tag]? = nil, at seconds: Int64 = 0, challenge: String = "abc"
        ) -> RelayAuthentication.Refusal? {
            let event = TestPerson.alice.event(kind: kind, tags: tags ?? draft.tags, at: now.seconds + seconds)
            do throws(RelayAuthentication.Refusal) {
                try RelayAuthentication.check(event, addresses: [relay], challenge: challenge, now: now)
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal() == nil)
        #expect(refusal(tags: [["relay", "WSS://Relay.Example.com:443/"], ["challenge", "abc"]]) == nil)
        #expect(refusal(at: 600) == nil)
        #expect(refusal(at: -600) == nil)
        #expect(refusal(at: 601) == .wrongMoment(now + .seconds(601)))
        #expect(refusal(at: -601) == .wrongMoment(now - .seconds(601)))
        #expect(refusal(kind: 1) == .wrongKind(1))
        #expect(refusal(challenge: "abd") == .wrongChallenge)
        #expect(refusal(challenge: "") == .wrongChallenge)
        #expect(refusal(tags: [["relay", "wss://relay.example.com:7000"], ["challenge", "abc"]]) == .wrongRelay)
        #expect(refusal(tags: [["challenge", "abc"]]) == .wrongRelay)
        #expect(refusal(tags: [["relay", relay.text]]) == .wrongChallenge)
    }
}
