import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("Ids that are used again", .timeLimit(.minutes(5)))
struct RepeatedIDsTests {
    private func note(_ words: String) -> String {
        #"{"kind":1,"content":"\#(words)","tags":[],"created_at":1700000000}"#
    }

    @Test("an id of before brings no answer of before to another question, by relays")
    func relays() async throws {
        let signer = try SignerUnderAttack()
        var settings = try await signer.live.settings()
        settings.relays = [try RelayURL("wss://relay.example")]
        try await signer.live.setSettings(settings)
        let app = HostileApp(.bob, at: signer)
        let secret = try await signer.live.invitation().uri.secret ?? ""
        _ = try await app.ask("1", .connect, [signer.live.account.hex, secret], after: 0)
        var seen: Set<String> = []
        for session in 1...3 {
            let answer = try #require(
                try await app.ask("1", .signEvent, [note("session \(session)")], after: Int64(session)))
            #expect(try UnverifiedEvent(json: Array(answer.result.utf8)).content == "session \(session)")
            seen.insert(answer.result)
        }
        #expect(seen.count == 3)
        // Another app learns nothing by the id, nor by the very same question.
        let eve = HostileApp(.carol, at: signer)
        let told = try await eve.ask("1", .signEvent, [note("session 1")], after: 9)
        #expect(told?.result != seen.first && told?.error != nil)
    }

    @Test("nor by links, where the same question under the same id is refused")
    func links() async throws {
        let signer = try SignerUnderAttack()
        try await signer.pair("https://site.example/cb")
        let callback = "id=1&callbackUrl=\(PercentEncoding.encode("https://site.example/cb?event="))"
        for words in ["one", "two"] {
            let answered = try await signer.answer(
                SignerUnderAttack.note(callback + "&returnType=event", saying: words), saying: .once(allow: false))
            #expect(answered.asked == nil && answered.given?.contains(words) == true)
        }
    }
}
