import AsyncPrimitives
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Synchronization
import Testing
import ViewModels

@testable import linnet

@Suite("Keeping a push proxy informed", .timeLimit(.minutes(5)))
struct PushRegistrarTests {
    private let directory = DataDirectory(path: NSTemporaryDirectory() + "linnet-\(UUID().uuidString)")
    private let signers = OneSigner()
    private let proxy = ScriptedProxy()
    private let clock = ManualClock()
    private let device = PushProxyLedger.Device.apns(token: "ab")
    private let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func registrar() throws -> PushRegistrar {
        try directory.prepare()
        let (clock, proxy) = (clock, proxy)
        let start = clock.now
        let now: @Sendable () -> Timestamp = {
            Timestamp(seconds: 1_700_000_000 + start.duration(to: clock.now).components.seconds)
        }
        return try PushRegistrar(
            directory, signers: signers, post: { request, _ in await proxy.post(request) },
            time: Time(clock: clock, now: now), log: log)
    }

    @Test("a device and the apps there are told at once; apps that come and go while it runs, too")
    func tells() async throws {
        let bob = TestPerson.bob.publicKey, carol = TestPerson.carol.publicKey
        await signers.set([bob])
        let registrar = try self.registrar()
        try await registrar.add(device, of: signers.account, at: "https://push.example")
        #expect(await proxy.paths == ["/register", "/pair-client"])
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await registrar.run() }
            // It registers again at its start.
            await proxy.wait(for: 3)
            #expect(await proxy.paths.last == "/register")
            await signers.heard()
            await signers.set([bob, carol])
            await proxy.wait(for: 4)
            #expect(await proxy.bodies.last?.contains(carol.hex) == true)
            await signers.set([carol])
            await proxy.wait(for: 5)
            #expect(await proxy.paths.last == "/unpair-client")
            #expect(await proxy.bodies.last?.contains(bob.hex) == true)
            group.cancelAll()
        }
    }

    @Test("what the proxy was not told is kept on disk, and told a minute after it answers again")
    func keeps() async throws {
        let bob = TestPerson.bob.publicKey
        let account = signers.account
        try await registrar().add(device, of: account, at: "https://push.example")
        await proxy.set(.failed(.unreachable))
        await signers.set([bob])
        var registrar = try self.registrar()
        #expect(await registrar.ledger(of: account)?.told.isEmpty == true)
        let run = registrar
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await run.run() }
            await proxy.wait(for: 2)
            await proxy.set(.done)
            // The first failure ends the round; after a minute both are told.
            while await proxy.paths.count < 4 {
                await clock.waitForSleepers()
                clock.advance(by: .seconds(61))
                await Task.yield()
            }
            group.cancelAll()
        }
        #expect(Set(await proxy.paths.dropFirst(2)) == ["/register", "/pair-client"])
        registrar = try self.registrar()
        #expect(await registrar.ledger(of: account)?.told[bob.hex] == ["wss://a.example"])
    }

    @Test("a device that the proxy does not take is not kept, and says why")
    func refuses() async throws {
        await proxy.set(.refused(status: 400))
        let registrar = try self.registrar()
        let account = signers.account
        await #expect(throws: Trouble.self) {
            try await registrar.add(device, of: account, at: "https://push.example")
        }
        #expect(await registrar.ledger(of: account) == nil)
    }

    @Test("taking a device back takes the apps back too, and leaves nothing")
    func leaves() async throws {
        await signers.set([TestPerson.bob.publicKey])
        let registrar = try self.registrar()
        let account = signers.account
        try await registrar.add(device, of: account, at: "https://push.example")
        try await registrar.removeAll(of: account)
        #expect(await proxy.paths == ["/register", "/pair-client", "/unregister", "/unpair-client"])
        #expect(await registrar.ledger(of: account) == nil)
        #expect(try await self.registrar().accounts.isEmpty)
    }

    @Test("a notice is asked for where a browser is woken, says nothing, and is not tried again")
    func notices() async throws {
        let registrar = try self.registrar()
        let account = signers.account
        await registrar.notify(account)
        try await registrar.add(device, of: account, at: "https://push.example")
        await registrar.notify(account)
        #expect(await proxy.paths == ["/register"])
        #expect(await !registrar.hasBrowsers(account))
        let browser = PushProxyLedger.Device.webPush(endpoint: "https://push.example/x", key: "k", secret: "s")
        try await registrar.add(browser, of: account, at: "https://push.example")
        #expect(await registrar.hasBrowsers(account))
        await registrar.notify(account)
        #expect(await proxy.paths.last == "/notify")
        #expect(await proxy.bodies.last == "{}")
        await proxy.set(.failed(.unreachable))
        let before = await proxy.paths.count
        await registrar.notify(account)
        #expect(await proxy.paths.count == before + 1)
        #expect(await registrar.ledger(of: account)?.devices.count == 2)
    }

    @Test("a file that is damaged is told, not overwritten")
    func damaged() throws {
        try directory.prepare()
        try Data("{".utf8).write(to: URL(filePath: directory.pushLedgers))
        #expect(throws: CommandFailure.self) { try registrar() }
    }
}

/// One account at work, whose apps a test chooses.
actor OneSigner: PushedSigners {
    nonisolated let account = TestPerson.alice.publicKey
    private let signer = LocalSigner(TestPerson.alice.secretKey)
    private var apps: [PublicKey] = []
    private let comings = Broadcast<Void>()
    private var onlooker: AsyncStream<Void>.Continuation?
    private var waiting: CheckedContinuation<Void, Never>?

    func set(_ apps: [PublicKey]) {
        self.apps = apps
        onlooker?.yield()
    }

    /// Returns once changes are listened to.
    func heard() async {
        guard onlooker == nil else { return }
        await withCheckedContinuation { waiting = $0 }
    }

    func accountsAtWork() -> Set<PublicKey> { [account] }

    func accountsComeAndGo() -> AsyncStream<Void> { comings.listen(startingWith: ()) }

    func pairings(of account: PublicKey) async -> [PublicKey: [RelayURL]]? {
        // The address is one.
        guard let relay = try? RelayURL("wss://a.example") else { return nil }
        return Dictionary(apps.map { ($0, [relay]) }, uniquingKeysWith: { a, _ in a })
    }

    func pairingChanges(of account: PublicKey) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        onlooker = continuation
        waiting?.resume()
        waiting = nil
        return stream
    }

    func sign(_ draft: EventDraft, by key: PublicKey) async throws -> Event { try await signer.sign(draft) }
}

/// A proxy that answers as a test wants.
actor ScriptedProxy {
    private(set) var paths: [String] = []
    private(set) var bodies: [String] = []
    private var answer = PushProxyClient.Answer.done
    private var waiters: [(Int, CheckedContinuation<Void, Never>)] = []

    func set(_ answer: PushProxyClient.Answer) { self.answer = answer }

    func post(_ request: PushProxyRequest) -> PushProxyClient.Answer {
        paths.append(String(request.url.dropFirst("https://push.example".count)))
        bodies.append(String(decoding: request.body, as: UTF8.self))
        for (count, waiter) in waiters where paths.count >= count { waiter.resume() }
        waiters.removeAll { paths.count >= $0.0 }
        return answer
    }

    func wait(for count: Int) async {
        guard paths.count < count else { return }
        await withCheckedContinuation { waiters.append((count, $0)) }
    }
}
