import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting

/// Linnet's side of a pairing with a ``ScriptedBunker`` over two relays, at work while `body` runs.
struct RemoteBench {
    let ether = Ether()
    let clock = ManualClock()
    let relays: [RelayURL]

    init() throws {
        relays = [try RelayURL("wss://one.example"), try RelayURL("wss://two.example")]
    }

    var time: Time<Timestamp> {
        Time<Timestamp>(clock: clock) { [clock] in Timestamp(seconds: 1_700_000_000) + clock.now.offset }
    }

    var client: LocalSigner { LocalSigner(TestPerson.bob.secretKey) }

    func signer(of bunker: ScriptedBunker) -> RemoteSigner {
        RemoteSigner(
            RemotePairing(
                signer: bunker.own.publicKey, user: bunker.user.publicKey, client: client.publicKey, relays: relays),
            client: client, network: ether, time: time, log: Logger(label: "test"))
    }

    /// Runs a bunker and a signer that asks it.
    func run(
        cipher: ContentCipher = .nip44, keeping: @escaping @Sendable ([RelayURL]) async -> Void = { _ in },
        script: @escaping ScriptedBunker.Script = { _ in nil },
        _ body: (RemoteSigner, ScriptedBunker) async throws -> Void
    ) async throws {
        let bunker = ScriptedBunker(on: ether, relays: relays, cipher: cipher, script: script)
        let signer = signer(of: bunker)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await bunker.run() }
            group.addTask { await signer.run(keeping: keeping) }
            defer { group.cancelAll() }
            await bunker.waitUntilItListens()
            try await body(signer, bunker)
        }
    }

    /// Moves the clock step by step until work is done, so that every wait on the way gets its turn.
    func advancing<R: Sendable>(
        by step: Duration = .seconds(1), until work: @escaping @Sendable () async -> R
    ) async -> R {
        await withTaskGroup(of: R?.self) { group in
            group.addTask { await work() }
            group.addTask { [clock] in
                while !Task.isCancelled {
                    clock.advance(by: step)
                    // What the step woke gets ahead of the next one.
                    for _ in 0..<1000 { await Task.yield() }
                }
                return nil
            }
            for await result in group {
                if let result {
                    group.cancelAll()
                    return result
                }
            }
            preconditionFailure("the work always returns")
        }
    }
}

extension RemoteSigner {
    /// Waits until it is in a state that fits.
    func reaches(_ fits: @Sendable (RemoteSignerState) -> Bool) async {
        for await state in states() where fits(state) { return }
    }
}
