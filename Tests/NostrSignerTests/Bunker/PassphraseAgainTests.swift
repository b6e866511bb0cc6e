import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrTesting
import Synchronization
import Testing

@testable import NostrSigner

/// A key with a passphrase, or without one.
private final class ScriptedPassphrase: PassphraseChecking {
    static let right = "correct horse"
    let isThere: Bool
    /// What was looked at.
    let looks = Mutex(0)

    init(isThere: Bool = true) { self.isThere = isThere }

    func hasPassphrase(_ account: PublicKey) -> Bool { isThere }

    func isPassphrase(_ typed: TypedPassphrase, of account: PublicKey) -> Bool {
        looks.withLock { $0 += 1 }
        return typed == TypedPassphrase(Self.right)
    }
}

@Suite("The passphrase, asked for again", .timeLimit(.minutes(10)))
struct PassphraseAgainTests {
    private let passphrase = ScriptedPassphrase()
    private static let right = TypedPassphrase(ScriptedPassphrase.right)

    /// A signer that asks for it.
    private func asking() async throws -> SignerRig {
        let rig = try await SignerRig(passphrases: passphrase).listening()
        try await set(rig, asks: true, Self.right)
        return rig
    }

    private func set(_ rig: SignerRig, asks: Bool, _ typed: TypedPassphrase?) async throws {
        var settings = try await rig.live.settings()
        settings.asksForPassphrase = asks
        try await rig.live.typing(typed).setSettings(settings)
    }

    private func waiting(_ kind: Int, _ rig: SignerRig, trust: TrustLevel = .low) async throws -> WaitingRequest {
        let app = try await rig.pairedApp(trust: trust)
        _ = try await app.ask(.signEvent, [TestApp.note("please", kind: kind)])
        return try #require(try await rig.live.waiting().first)
    }

    @Test("is off at first; to turn it on or off it has to be typed")
    func setting() async throws {
        let rig = try await SignerRig(passphrases: passphrase).listening()
        #expect(try await rig.live.passphraseAsking() == .off)
        await #expect(throws: SigningServiceError(.passphraseNeeded)) { try await set(rig, asks: true, nil) }
        await #expect(throws: SigningServiceError(.wrongPassphrase)) {
            try await set(rig, asks: true, TypedPassphrase("wrong"))
        }
        #expect(try await rig.live.passphraseAsking() == .off)
        try await set(rig, asks: true, Self.right)
        #expect(try await rig.live.passphraseAsking() == .on)
        await #expect(throws: SigningServiceError(.passphraseNeeded)) { try await set(rig, asks: false, nil) }
        // Nor is it got around by protecting less.
        var settings = try await rig.live.settings()
        settings.protectedKinds.remove(0)
        await #expect(throws: SigningServiceError(.passphraseNeeded)) { try await rig.live.setSettings(settings) }
        settings.protectedKinds.formUnion([0, 7])
        settings.isPaused = true
        try await rig.live.setSettings(settings)
        try await set(rig, asks: false, Self.right)
        #expect(try await rig.live.passphraseAsking() == .off)
    }

    @Test("a key without one cannot be made to ask, nor one that nobody can check")
    func without() async throws {
        for passphrases in [ScriptedPassphrase(isThere: false), nil] {
            let rig = try await SignerRig(passphrases: passphrases).listening()
            #expect(try await rig.live.passphraseAsking() == .noPassphrase)
            await #expect(throws: SigningServiceError(.noPassphrase)) { try await set(rig, asks: true, Self.right) }
            #expect(try await !rig.live.settings().asksForPassphrase)
        }
    }

    @Test(
        "a yes to a protected kind needs it, whatever form it comes in; another yes and every no do not",
        arguments: [
            (0, RequestVerdict.once(allow: true), true), (0, .always(allow: true, until: nil), true),
            (0, .once(allow: false), false), (0, .always(allow: false, until: nil), false),
            (1, .once(allow: true), false), (1, .always(allow: true, until: nil), false),
        ])
    func decides(kind: Int, verdict: RequestVerdict, isNeeded: Bool) async throws {
        let rig = try await asking()
        let request = try await waiting(kind, rig)
        #expect(request.passphrase == (kind == 0 ? .always : .never))
        guard isNeeded else {
            #expect(try await rig.live.decide([request.id], verdict, knowingLoss: false) == [request.id])
            return
        }
        for (typed, why) in [(nil, SigningServiceError.Code.passphraseNeeded), ("wrong", .wrongPassphrase)] {
            await #expect(throws: SigningServiceError(why)) {
                _ = try await rig.live.typing(TypedPassphrase(typed))
                    .decide([request.id], verdict, knowingLoss: false)
            }
        }
        #expect(try await rig.live.waiting().map(\.id) == [request.id])
        #expect(try await rig.live.clients().first?.grants == [])
        #expect(
            try await rig.live.typing(Self.right).decide([request.id], verdict, knowingLoss: false) == [request.id])
    }

    @Test("several at once are decided together or not at all, and what is not protected goes by itself")
    func batch() async throws {
        let rig = try await asking()
        let app = try await rig.pairedApp(trust: .low)
        for kind in [1, 0] { _ = try await app.ask(.signEvent, [TestApp.note("please", kind: kind)]) }
        let ids = try await rig.live.waiting().map(\.id)
        await #expect(throws: SigningServiceError(.passphraseNeeded)) {
            _ = try await rig.live.decide(ids, .once(allow: true), knowingLoss: false)
        }
        #expect(try await rig.live.waiting().count == 2)
        #expect(try await rig.live.decide([ids[0]], .once(allow: true), knowingLoss: false) == [ids[0]])
    }

    @Test("where it is not asked for nothing is checked")
    func off() async throws {
        let rig = try await SignerRig(passphrases: passphrase).listening()
        let request = try await waiting(0, rig)
        #expect(request.passphrase == .never)
        #expect(try await rig.live.decide([request.id], .once(allow: true), knowingLoss: false) == [request.id])
        #expect(passphrase.looks.withLock { $0 } == 0)
    }

    @Test("a locked account's yes is checked as well: the key is not needed for it")
    func locked() async throws {
        let rig = try await asking()
        let request = try await waiting(0, rig)
        rig.key.lock()
        await #expect(throws: SigningServiceError(.wrongPassphrase)) {
            _ = try await rig.live.typing(TypedPassphrase("wrong"))
                .decide([request.id], .once(allow: true), knowingLoss: false)
        }
    }

    private static let changes: [(String, Bool, @Sendable (inout SignerClient) -> Void)] = [
        ("full trust", true, { $0.trust = .full }), ("medium trust", false, { $0.trust = .medium }),
        ("a protected kind", true, { $0.choose(Grant(RemotePermission(.signEvent, kind: 3), .allow, made: start)) }),
        ("any kind", true, { $0.choose(Grant(RemotePermission(.signEvent), .allow, made: start)) }),
        ("a note", false, { $0.choose(Grant(RemotePermission(.signEvent, kind: 1), .allow, made: start)) }),
        ("a no", false, { $0.choose(Grant(RemotePermission(.signEvent, kind: 3), .refuse, made: start)) }),
        ("a name", false, { $0.name = "Ada" }), ("a limit", false, { $0.perHour = 3 }),
    ]
    private static let start = Timestamp(seconds: SignerRig.start)

    @Test("giving an app more of what is protected needs it; taking away does not", arguments: changes)
    func gives(what: String, isNeeded: Bool, change: @Sendable (inout SignerClient) -> Void) async throws {
        let rig = try await asking()
        let app = try await rig.pairedApp(trust: .low)
        var client = try #require(try await rig.live.client(app.app))
        change(&client)
        if isNeeded {
            await #expect(throws: SigningServiceError(.passphraseNeeded)) { try await rig.live.update(client) }
            #expect(try await rig.live.client(app.app)?.trust == .low)
        }
        try await rig.live.typing(isNeeded ? Self.right : nil).update(client)
        #expect(try await rig.live.client(app.app)?.grants == client.grants)
    }

    @Test("what holds back an app that may sign what is protected is not taken away without it")
    func holdsBack() async throws {
        let rig = try await asking()
        let app = try await rig.pairedApp(trust: .low)
        var client = try #require(try await rig.live.client(app.app))
        client.trust = .full
        client.perHour = 2
        client.choose(Grant(RemotePermission(.signEvent, kind: 3), .ask, made: Self.start))
        try await rig.live.typing(Self.right).update(client)
        var (unlimited, unasked, less) = (client, client, client)
        unlimited.perHour = nil
        unasked.grants = []
        (less.trust, less.perHour) = (.low, 1)
        for looser in [unlimited, unasked] {
            await #expect(throws: SigningServiceError(.passphraseNeeded)) { try await rig.live.update(looser) }
        }
        try await rig.live.update(less)
    }

    @Test("so does every way of pairing with full trust")
    func pairs() async throws {
        let rig = try await asking()
        await #expect(throws: SigningServiceError(.passphraseNeeded)) {
            _ = try await rig.live.renewInvitation(trust: .full)
        }
        #expect(try await rig.live.renewInvitation(trust: .medium).trust == .medium)
        #expect(try await rig.live.typing(Self.right).renewInvitation(trust: .full).trust == .full)
        let token = NostrConnectURI(client: TestPerson.carol.publicKey, relays: rig.own, secret: "s")
        await #expect(throws: SigningServiceError(.passphraseNeeded)) {
            _ = try await rig.live.accept(token, name: nil, trust: .full, grants: [])
        }
        let protected = Grant(RemotePermission(.signEvent, kind: 0), .allow, made: Self.start)
        await #expect(throws: SigningServiceError(.passphraseNeeded)) {
            _ = try await rig.live.accept(token, name: nil, trust: .low, grants: [protected])
        }
        #expect(try await rig.live.clients().isEmpty)
    }

    @Test("wrong ones cost pauses that grow; a right one within a pause is not looked at, after it all is forgotten")
    func pauses() async throws {
        let rig = try await asking()
        let request = try await waiting(0, rig)
        @Sendable func decide(_ typed: String) async -> SigningServiceError? {
            do {
                _ = try await rig.live.typing(TypedPassphrase(typed))
                    .decide([request.id], .once(allow: true), knowingLoss: false)
                return nil
            } catch { return error as? SigningServiceError }
        }
        for _ in 1...3 { #expect(await decide("wrong") == SigningServiceError(.wrongPassphrase)) }
        let looks = passphrase.looks.withLock { $0 }
        #expect(await decide(ScriptedPassphrase.right) == SigningServiceError(.tooManyTries, wait: .seconds(5)))
        #expect(passphrase.looks.withLock { $0 } == looks)
        rig.clock.advance(by: .seconds(5))
        #expect(await decide("wrong") == SigningServiceError(.wrongPassphrase))
        #expect(await decide("wrong") == SigningServiceError(.tooManyTries, wait: .seconds(10)))
        rig.clock.advance(by: .seconds(10))
        #expect(await decide(ScriptedPassphrase.right) == nil)
    }

    @Test("many tries at once are no way around the pauses, and the pause has an end")
    func bounded() {
        var tries = PassphraseTries()
        #expect((0..<100).filter { _ in tries.begin(at: .zero) == nil }.count == PassphraseTries.free)
        var uptime = Duration.zero
        for _ in 0..<100 {
            uptime += tries.pause(at: uptime) ?? .zero
            #expect(tries.begin(at: uptime) == nil)
        }
        #expect(tries.pause(at: uptime) == PassphraseTries.longestPause)
        tries.succeed()
        #expect(tries.pause(at: uptime) == nil)
    }

    @Test("no description shows what was typed")
    func hidden() throws {
        let typed = try #require(TypedPassphrase("correct horse"))
        var dumped = ""
        dump(typed, to: &dumped)
        #expect(!("\(typed)" + String(reflecting: [typed]) + dumped).contains("horse"))
        #expect(TypedPassphrase("") == nil)
    }

    @Test("is that of the key as it is kept, locked or not")
    func keystore() async throws {
        let home = KeystoreHome()
        try await home.addAlice()
        let alice = TestPerson.alice.publicKey
        let checked = KeystorePassphrases(home.keystore)
        #expect(try await checked.hasPassphrase(alice))
        #expect(try await !checked.hasPassphrase(TestPerson.bob.publicKey))
        for (text, isRight) in [("correct horse", true), ("correct hors", false), ("x", false)] {
            #expect(try await checked.isPassphrase(try #require(TypedPassphrase(text)), of: alice) == isRight)
        }
    }
}
