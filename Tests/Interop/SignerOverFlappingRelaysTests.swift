import AsyncPrimitives
import Foundation
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import SQLiteStorage
import Synchronization
import Testing
import WebSocketNIO

@Suite("Our signer and our own client", .serialized, .timeLimit(.minutes(10)))
struct SignerOverFlappingRelaysTests {
    @Test(
        "Linnet's client signs with Linnet's signer, paired both ways, when one of two relays dies",
        arguments: [true, false])
    func pairsAndSigns(byToken: Bool) async throws {
        try await withTwoRelays { first, second in
            let relays = [first.address, second.address]
            try await OwnSigner.run(on: relays) { signer in
                try await withApp(of: signer, relays, byToken: byToken) { app in
                    try await signer.trustAll()
                    let draft = EventDraft(kind: 1, content: "one", createdAt: Timestamp(seconds: now()))
                    #expect(try await app.sign(draft).pubkey == TestPerson.alice.publicKey)
                    first.stop()
                    let bob = TestPerson.bob.publicKey
                    for cipher in ContentCipher.allCases {
                        let sealed = try await app.encrypt("hello", for: bob, by: cipher)
                        #expect(try await app.decrypt(sealed, from: bob, by: cipher) == "hello")
                    }
                    #expect(try await app.sign(draft).content == "one")
                }
            }
        }
    }

    @Test("requests over relays that come and go are all answered, and none is signed twice")
    func flapping() async throws {
        let count = 300
        let first = try await OwnRelay.returning(), second = try await OwnRelay.returning()
        let relays = [first.address, second.address]
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await flap(first, up: .milliseconds(2300), down: .milliseconds(300)) }
            group.addTask { try await flap(second, up: .milliseconds(3100), down: .milliseconds(400)) }
            defer { group.cancelAll() }
            try await OwnSigner.run(on: relays) { signer in
                try await withApp(of: signer, relays, byToken: true) { app in
                    try await signer.trustAll()
                    // In parts with a rest, so that it lasts through many deaths.
                    var signed = 0
                    for part in 0..<10 {
                        signed += try await signatures(count / 10, of: part, by: app)
                        try await Task.sleep(for: .milliseconds(700))
                    }
                    #expect(signed == count)
                }
                // Asked, and asked again, and answered from what was answered before.
                let log = try await signer.records.activity(
                    of: TestPerson.alice.publicKey, ActivityQuery(limit: 10 * count))
                let done = log.filter { $0.method == "sign_event" && $0.outcome == .done }
                #expect(done.count == count)
                #expect(Set(done.compactMap(\.result)).count == count)
            }
        }
    }

    /// Signs so many drafts, twenty at a time; how many came back.
    private func signatures(_ count: Int, of part: Int, by app: RemoteSigner) async throws -> Int {
        try await withThrowingTaskGroup(of: Void.self) { group in
            var signed = 0
            for number in 0..<count {
                if number >= 20 {
                    try await group.next()
                    signed += 1
                }
                group.addTask {
                    let draft = EventDraft(
                        kind: 1, content: "note \(number) of \(part)", createdAt: Timestamp(seconds: now()))
                    _ = try await app.sign(draft)
                }
            }
            while try await group.next() != nil { signed += 1 }
            return signed
        }
    }

    /// Runs a relay that dies and comes back at the same address.
    private func flap(_ relay: OwnRelay, up: Duration, down: Duration) async throws {
        var relay = relay
        while !Task.isCancelled {
            let running = relay
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await running.run() }
                try await Task.sleep(for: up)
                running.stop()
                try await group.waitForAll()
            }
            try await Task.sleep(for: down)
            relay = try await OwnRelay(port: running.address.port)
        }
    }

    private func withQuickPool(_ body: (RelayPool) async throws -> Void) async throws {
        let pool = RelayPool(
            transport: try WebSocketTransport(), settings: .quick, wall: { Timestamp(seconds: now()) },
            logger: Logger(label: "interop"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            defer { group.cancelAll() }
            try await body(pool)
        }
    }

    /// Runs our client, paired with the signer.
    private func withApp(
        of signer: OwnSigner, _ relays: [RelayURL], byToken: Bool, _ body: (RemoteSigner) async throws -> Void
    ) async throws {
        let client = LocalSigner.generate()
        var patience = RemotePatience()
        patience.resend = .seconds(1)
        patience.slowestResend = .seconds(4)
        let (time, log) = (
            Time<Timestamp>(clock: ContinuousClock(), now: { Timestamp(seconds: now()) }), Logger(label: "interop")
        )
        try await withQuickPool { pool in
            let attempt: PairingAttempt
            if byToken {
                attempt = PairingAttempt(
                    token: try await signer.service.invitation().uri, client: client, network: pool, time: time,
                    patience: patience, log: log)
            } else {
                attempt = PairingAttempt(
                    inviting: client, over: relays, network: pool, time: time, patience: patience, log: log)
            }
            async let pairing = attempt.run()
            if case .invitation(let uri) = attempt.way {
                _ = try await signer.service.accept(uri, name: nil, trust: .full, grants: [])
            }
            let app = RemoteSigner(
                try await pairing, client: client, network: pool, time: time, patience: patience, log: log)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await app.run { _ in } }
                defer { group.cancelAll() }
                try await body(app)
            }
        }
    }
}
