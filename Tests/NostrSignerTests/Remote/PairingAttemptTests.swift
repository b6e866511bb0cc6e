import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("Being let in by a signer elsewhere", .timeLimit(.minutes(10)))
struct PairingAttemptTests {
    private func attempt(_ bench: RemoteBench, _ bunker: ScriptedBunker, secret: String?) -> PairingAttempt {
        PairingAttempt(
            token: BunkerURI(signer: bunker.own.publicKey, relays: bench.relays, secret: secret), client: bench.client,
            permissions: [RemotePermission(.signEvent, kind: 1)], metadata: ClientMetadata(name: "Linnet"),
            network: bench.ether, time: bench.time, log: Logger(label: "test"))
    }

    private func pair(
        _ bench: RemoteBench, secret: String? = "s3cret", script: @escaping ScriptedBunker.Script = { _ in nil }
    ) async throws -> (RemotePairing, ScriptedBunker) {
        let bunker = ScriptedBunker(on: bench.ether, relays: bench.relays, script: script)
        let attempt = attempt(bench, bunker, secret: secret)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await bunker.run() }
            defer { group.cancelAll() }
            await bunker.waitUntilItListens()
            return (try await attempt.run(), bunker)
        }
    }

    @Test("with a token, with and without a secret, with one of two relays down", arguments: [0, 1], ["s", nil])
    func token(dead: Int, secret: String?) async throws {
        let bench = try RemoteBench()
        bench.ether.kill(bench.relays[dead])
        let (pairing, bunker) = try await pair(bench, secret: secret)
        #expect(pairing.user == TestPerson.alice.publicKey)
        #expect(pairing.signer == TestPerson.dave.publicKey)
        #expect(pairing.client == TestPerson.bob.publicKey)
        #expect(pairing.relays == bench.relays)
        #expect(bunker.requests.map(\.method) == [.connect, .getPublicKey, .switchRelays])
        let connect = bunker.requests.first
        #expect(connect?.parameters.first == bunker.own.publicKey.hex)
        #expect(connect?.parameter(1) == secret)
        #expect(connect?.parameter(2) == "sign_event:1")
        #expect(connect.flatMap { $0.parameter(3) }.map(ClientMetadata.init(json:)) == ClientMetadata(name: "Linnet"))
    }

    @Test("takes the acknowledgement that older signers give, and the relays that newer ones name")
    func acknowledged() async throws {
        let bench = try RemoteBench()
        let third = try RelayURL("wss://three.example")
        let (pairing, _) = try await pair(bench) { request in
            switch request.method {
            case .connect: [RemoteResponse(id: request.id, result: "ack")]
            case .switchRelays: [RemoteResponse(id: request.id, result: #"["wss://three.example"]"#)]
            default: nil
            }
        }
        #expect(pairing.relays == [third])
        // The signer named that one; the person named where it was met.
        #expect(pairing.named == bench.relays)
    }

    @Test(
        "is not taken in by other answers",
        arguments: [("connect", "s3creT"), ("connect", ""), ("get_public_key", "nobody"), ("get_public_key", "")])
    func wrongAnswers(method: String, result: String) async throws {
        let bench = try RemoteBench()
        await #expect(throws: SigningFailure.wrongAnswer) {
            try await pair(bench) { request in
                request.name == method ? [RemoteResponse(id: request.id, result: result)] : nil
            }
        }
    }

    @Test("a signer that says no is heard, one that says nothing is given up")
    func refused() async throws {
        let bench = try RemoteBench()
        await #expect(throws: SigningFailure.said("old secret")) {
            try await pair(bench) { [RemoteResponse(id: $0.id, error: "old secret")] }
        }
        let silent = try RemoteBench()
        let result = await silent.advancing { await Result { try await pair(silent) { _ in [] } } }
        #expect(throws: SigningFailure.timedOut) { try result.get() }
    }

    @Test("signers without switch_relays stay where they are")
    func oldSigner() async throws {
        let bench = try RemoteBench()
        let (pairing, _) = try await pair(bench) { request in
            request.method == .switchRelays ? [RemoteResponse(id: request.id, error: "unknown method")] : nil
        }
        #expect(pairing.relays == bench.relays)
    }

    @Test("by invitation: only who knows the secret is let in, over any relay", arguments: [0, 1])
    func invitation(dead: Int) async throws {
        let bench = try RemoteBench()
        bench.ether.kill(bench.relays[dead])
        let bunker = ScriptedBunker(on: bench.ether, relays: bench.relays)
        let attempt = PairingAttempt(
            inviting: bench.client, over: bench.relays, metadata: ClientMetadata(name: "Linnet"), network: bench.ether,
            time: bench.time, random: { "drawn" }, log: Logger(label: "test"))
        guard case .invitation(let invitation) = attempt.way else {
            Issue.record("no invitation")
            return
        }
        #expect(try NostrConnectURI(invitation.text) == invitation)
        #expect(invitation.secret == "drawn")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await bunker.run() }
            defer { group.cancelAll() }
            await bunker.waitUntilItListens()
            async let pairing = attempt.run()
            for await state in attempt.states() where state == .waiting { break }
            let eve = ScriptedBunker(on: bench.ether, relays: bench.relays)
            for wrong in ["ack", "drawm", "", "drawn "] { await eve.accept(invitation, with: wrong) }
            await bunker.accept(invitation, with: "drawn")
            let found = try await pairing
            #expect(found.user == TestPerson.alice.publicKey)
            #expect(attempt.state == .ready)
        }
    }

    @Test("an invitation that nobody takes runs out")
    func runsOut() async throws {
        let bench = try RemoteBench()
        let attempt = PairingAttempt(
            inviting: bench.client, over: bench.relays, network: bench.ether, time: bench.time,
            log: Logger(label: "test"))
        let result = await bench.advancing(by: .seconds(10)) { await Result { try await attempt.run() } }
        #expect(throws: SigningFailure.timedOut) { try result.get() }
        #expect(attempt.state == .ended)
    }
}
