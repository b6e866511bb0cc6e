import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("What an app asks for when it pairs by the signer's token", .timeLimit(.minutes(10)))
struct PairingGrantsTests {
    private func paired(asking wishes: String) async throws -> (SignerRig, SignerClient) {
        let rig = try await SignerRig().listening()
        let app = await TestApp(.bob, on: rig)
        let secret = try await rig.live.invitation().uri.secret ?? ""
        _ = try await app.ask(.connect, [TestPerson.alice.publicKey.hex, secret, wishes])
        return (rig, try #require(try await rig.live.client(.remote(TestPerson.bob.publicKey))))
    }

    @Test(
        "is its own choice where its trust gives it anyhow, and left to the person where it is protected",
        arguments: [
            ("", []), ("sign_event:1", ["sign_event:1"]), ("sign_event:0,sign_event:1", ["sign_event:1"]),
            ("sign_event", []), ("sign_event:3,sign_event:10002,sign_event:17375", []),
            ("nip44_encrypt,nip44_decrypt", ["nip44_encrypt", "nip44_decrypt"]), ("ping,get_public_key", []),
        ])
    func maps(wishes: String, granted: [String]) async throws {
        let (_, client) = try await paired(asking: wishes)
        #expect(client.trust == .medium)
        #expect(client.grants.map(\.permission.text) == granted)
        #expect(client.grants.allSatisfy { $0.verdict == .allow && $0.expires == nil })
        #expect(client.requested == RemotePermission.list(wishes))
        let beyond = Policy(settings: SignerSettings(), client: client, now: client.connected, minute: 0)
            .requestedBeyond
        #expect(
            Set(beyond.map(\.text))
                == Set(client.requested.filter(\.method.usesKey).map(\.text)).subtracting(granted))
    }

    @Test("is taken back with the trust it was given by, but not what the person chose")
    func lessTrust() async throws {
        var (rig, client) = try await paired(asking: "sign_event:1,nip44_decrypt")
        client.choose(
            Grant(RemotePermission(.nip44Decrypt), .allow, made: client.connected + .seconds(60)))
        try await rig.live.update(client)
        client.trust = .full
        try await rig.live.update(client)
        #expect(try await rig.live.client(client.app)?.grants.count == 2)
        client.trust = .low
        try await rig.live.update(client)
        let after = try #require(try await rig.live.client(client.app))
        #expect(after.grants.map(\.permission) == [RemotePermission(.nip44Decrypt)])
        let policy = Policy(settings: SignerSettings(), client: after, now: rig.moment.now, minute: 0)
        #expect(policy.decide(RemotePermission(.signEvent, kind: 1)) == .ask(.trust))
    }

    @Test("a token gives the trust it was made with, once; the one after it gives medium trust again")
    func tokenTrust() async throws {
        let rig = try await SignerRig().listening()
        #expect(try await rig.live.invitation().trust == .medium)
        let made = try await rig.live.renewInvitation(trust: .low)
        #expect(try await rig.live.invitation() == made && made.trust == .low)
        // It rests so, too: another start of the program knows what the token gives.
        let later = try SignerRig(records: rig.records)
        #expect(try await later.live.invitation() == made)
        let app = await TestApp(.bob, on: rig)
        _ = try await app.ask(.connect, [TestPerson.alice.publicKey.hex, made.uri.secret ?? "", "sign_event:1"])
        let client = try #require(try await rig.live.client(.remote(TestPerson.bob.publicKey)))
        #expect(client.trust == .low && client.grants == [] && client.requested.count == 1)
        #expect(try await rig.live.invitation().trust == .medium)
    }

    @Test("is mapped as it will be when a pause is over")
    func paused() async throws {
        let rig = try await SignerRig().listening()
        var settings = try await rig.live.settings()
        settings.isPaused = true
        try await rig.live.setSettings(settings)
        let app = await TestApp(.bob, on: rig)
        let secret = try await rig.live.invitation().uri.secret ?? ""
        _ = try await app.ask(.connect, [TestPerson.alice.publicKey.hex, secret, "sign_event:1"])
        let client = try #require(try await rig.live.client(.remote(TestPerson.bob.publicKey)))
        #expect(client.grants.map(\.permission.text) == ["sign_event:1"])
        let policy = Policy(settings: settings, client: client, now: rig.moment.now, minute: 0)
        #expect(policy.decide(RemotePermission(.signEvent, kind: 1)) == .ask(.paused))
    }
}
