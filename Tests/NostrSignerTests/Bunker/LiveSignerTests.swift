import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("A signer for other apps", .timeLimit(.minutes(10)))
struct LiveSignerTests {
    @Test("pairs the app that has the secret, signs for it, and answers every other method")
    func everyMethod() async throws {
        let rig = try await SignerRig().listening()
        let app = await TestApp(.bob, on: rig)
        let secret = try await rig.live.invitation().uri.secret ?? ""
        #expect(secret.count == 32)
        let alice = TestPerson.alice.publicKey
        let connected = try await app.ask(.connect, [alice.hex, secret, "sign_event:1", "{\"name\":\"Bob's app\"}"])
        #expect(connected?.result == secret)
        #expect(try await app.ask(.getPublicKey)?.result == alice.hex)
        #expect(try await app.ask(.ping)?.result == "pong")
        #expect(try await app.ask(.describe)?.result.contains("\"sign_event\"") == true)
        #expect(try await app.ask(.switchRelays)?.result == "null")
        let signed = try #require(try await app.ask(.signEvent, [TestApp.note()]))
        let event = try Event(verifying: UnverifiedEvent(json: Array(signed.result.utf8)))
        #expect(event.pubkey == alice && event.content == "hello" && signed.error == nil)
        for cipher in ContentCipher.allCases {
            let method = try #require(RemoteMethod(rawValue: "\(cipher.rawValue)_encrypt"))
            let sealed = try #require(try await app.ask(method, [TestPerson.carol.publicKey.hex, "secret"])).result
            let carol = LocalSigner(TestPerson.carol.secretKey)
            #expect(try await carol.decrypt(sealed, from: alice, by: cipher) == "secret")
            let back = try #require(RemoteMethod(rawValue: "\(cipher.rawValue)_decrypt"))
            #expect(try await app.ask(back, [TestPerson.carol.publicKey.hex, sealed])?.result == "secret")
        }
        #expect(try await app.ask(.logout)?.result == "ack")
        #expect(try await app.ask(.ping)?.error?.contains("not paired") == true)
        #expect(try await rig.live.clients() == [])
    }

    @Test("answers what comes by its relays while it runs")
    func runs() async throws {
        let rig = try await SignerRig().listening()
        let app = try await rig.pairedApp()
        try await rig.running { rig in
            app.send(try await app.event("ping"), by: rig.own[1])
            var answer = try await app.next()
            while answer.result != "pong" { answer = try await app.next() }
            app.send(try await app.event("sign_event", [TestApp.note()]))
            answer = try await app.next()
            while !answer.result.contains("hello") { answer = try await app.next() }
        }
    }
}
