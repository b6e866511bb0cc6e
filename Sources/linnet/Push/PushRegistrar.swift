import AsyncPrimitives
import Foundation
import Logging
import NostrCore
import NostrSigner
import ViewModels

/// The signers whose push proxies are kept informed.
protocol PushedSigners: Sendable {
    /// The accounts whose signers are at work.
    func accountsAtWork() async -> Set<PublicKey>
    /// Now, and whenever an account begins to work or ends.
    func accountsComeAndGo() async -> AsyncStream<Void>
    /// The apps an account is paired with, with the relays their requests come over; `nil` while it is not at work.
    func pairings(of account: PublicKey) async -> [PublicKey: [RelayURL]]?
    /// Whenever an app comes, goes or changes, until the account closes.
    func pairingChanges(of account: PublicKey) async -> AsyncStream<Void>
    /// Signs for the program itself.
    func sign(_ draft: EventDraft, by key: PublicKey) async throws -> Event
}

extension AccountHost: PushedSigners {
    func accountsAtWork() async -> Set<PublicKey> { Set(await signersAtWork().map(\.account)) }

    func pairings(of account: PublicKey) async -> [PublicKey: [RelayURL]]? {
        // Records that cannot be read now say nothing; it is looked again.
        guard let clients = try? await signer(of: account)?.clients() else { return nil }
        var pairings: [PublicKey: [RelayURL]] = [:]
        for client in clients {
            if case .remote(let app) = client.app { pairings[app] = client.relays }
        }
        return pairings
    }

    func pairingChanges(of account: PublicKey) async -> AsyncStream<Void> {
        let changes = await signer(of: account)?.changes()
        return AsyncStream(unfolding: {
            guard let changes else { return nil }
            for await change in changes where change == .clients { return () }
            return nil
        })
    }
}

/// Keeps push proxies informed: devices register at the start and every half hour, apps are told when they are paired or
/// revoked, and what could not be told is kept on disk and tried again after a minute.
actor PushRegistrar {
    /// Sends one request; a proxy of a test in tests.
    typealias Post = @Sendable (PushProxyRequest, Event) async -> PushProxyClient.Answer

    private let file: String
    private let signers: any PushedSigners
    private let post: Post
    private let time: Time<Timestamp>
    private let log: Logger
    private let bell = Doorbell()
    /// The accounts for which a device was added.
    private let added = Broadcast<PublicKey>()
    /// Of each account that has one, by its key.
    private var ledgers: [PublicKey: PushProxyLedger]

    /// Reads what is kept in a directory.
    ///
    /// - Throws: a ``CommandFailure`` for a file that is damaged, since it would be overwritten.
    init(
        _ directory: DataDirectory, signers: any PushedSigners,
        post: @escaping Post = { await PushProxyClient().post($0, signed: $1) },
        time: Time<Timestamp> = Time(clock: ContinuousClock(), now: { .current }), log: Logger
    ) throws {
        file = directory.pushLedgers
        (self.signers, self.post, self.time, self.log) = (signers, post, time, log)
        ledgers = try Self.read(file)
    }

    // MARK: - What is wanted

    /// Has a device woken for an account, and tells the proxy at once.
    ///
    /// - Throws: a ``/ViewModels/Trouble`` when the proxy did not take it; then nothing is kept.
    func add(_ device: PushProxyLedger.Device, of account: PublicKey, at proxy: String) async throws {
        var wanted = PushProxyLedger(proxy: proxy)
        if let known = ledgers[account], known.proxy == wanted.proxy { wanted = known }
        let before = ledgers[account]
        wanted.add(device)
        try await perform(.register(device), of: account, in: &wanted)
        // Another proxy takes the place of the one before, which is told so as far as it answers.
        if let before, before.proxy != wanted.proxy { await leave(before, account) }
        ledgers[account] = wanted
        added.send(account)
        try save()
        await settle(account)
        bell.ring()
    }

    /// The accounts for which a device is woken from now on.
    nonisolated func additions() -> AsyncStream<PublicKey> { added.listen() }

    /// Has a device woken no longer; the proxy is told now, or when it answers.
    func remove(_ device: PushProxyLedger.Device, of account: PublicKey) async throws {
        guard var ledger = ledgers[account] else { return }
        ledger.remove(device)
        ledgers[account] = ledger
        try save()
        await settle(account)
        bell.ring()
    }

    /// Takes back everything of an account.
    func removeAll(of account: PublicKey) async throws {
        for device in ledgers[account]?.devices ?? [] { try await remove(device, of: account) }
    }

    /// What each account has told its proxy.
    func ledger(of account: PublicKey) -> PushProxyLedger? { ledgers[account] }

    /// The accounts that have a ledger.
    var accounts: [PublicKey] { ledgers.keys.sorted { $0.hex < $1.hex } }

    /// Whether a browser is woken for an account.
    func hasBrowsers(_ account: PublicKey) -> Bool { ledgers[account]?.hasBrowsers == true }

    /// Has the browsers of an account told that something happened, without saying what; nothing where none is woken.
    ///
    /// A proxy that does not answer is not asked again: a notice that comes late is none.
    func notify(_ account: PublicKey) async {
        guard let ledger = ledgers[account], ledger.hasBrowsers else { return }
        let request = PushProxyRequest.notify(at: ledger.proxy)
        let draft = request.authorization(createdAt: time.now(), nonce: UUID().uuidString)
        // A key that is locked signs nothing; who is told something then is not told here.
        guard let signed = try? await signers.sign(draft, by: account) else { return }
        let answer = await post(request, signed)
        if case .done = answer { return }
        log.info("a push proxy did not pass a notice on")
    }

    // MARK: - Telling

    /// Tells proxies what they do not know, until cancelled.
    func run() async {
        for account in accounts { ledgers[account]?.start() }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.watch() }
            while !Task.isCancelled {
                for account in accounts { await settle(account) }
                await rest()
            }
        }
    }

    /// Waits for a change, or until something is due.
    private func rest() async {
        var due: Timestamp?
        for (account, ledger) in ledgers {
            let next = ledger.next(pairings: await signers.pairings(of: account) ?? [:], now: time.now())
            due = [due, next].compactMap { $0 }.min()
        }
        guard let due else { return await bell.wait() }
        // At least a second, so that an account whose key is locked does not keep this busy.
        let span = Duration.seconds(max(due.seconds - time.now().seconds, 1))
        // Time that runs out is the other way to go on.
        _ = await withDeadline(span, on: time.clock) { [bell] in await bell.wait() }
    }

    /// Rings when an app comes or goes at a signer.
    private func watch() async {
        await withDiscardingTaskGroup { group in
            var watched: Set<PublicKey> = []
            for await _ in await signers.accountsComeAndGo() {
                let here = await signers.accountsAtWork()
                for account in here.subtracting(watched) {
                    group.addTask { [signers, bell] in
                        let changes = await signers.pairingChanges(of: account)
                        // What changed before is looked at now.
                        bell.ring()
                        for await _ in changes { bell.ring() }
                    }
                }
                watched = here
            }
        }
    }

    /// Tells one proxy what it does not know, as far as it answers.
    private func settle(_ account: PublicKey) async {
        guard let pairings = await signers.pairings(of: account) else { return }
        while let ledger = ledgers[account] {
            let calls = ledger.pendingCalls(pairings: pairings, now: time.now())
            guard !calls.isEmpty, !Task.isCancelled else { break }
            for call in calls {
                let answer = await send(call, of: account, at: ledger.proxy)
                note(answer, to: call, of: account)
                if case .failed = answer { return }
            }
        }
        if ledgers[account]?.isEmpty == true {
            ledgers[account] = nil
            keep()
        }
    }

    private func note(_ answer: PushProxyClient.Answer, to call: PushProxyLedger.Call, of account: PublicKey) {
        // It may be gone: what waits changes while the proxy is asked.
        guard ledgers[account] != nil else { return }
        switch answer {
        case .done: ledgers[account]?.done(call, now: time.now())
        case .refused(let status):
            ledgers[account]?.refuse(call, now: time.now())
            log.info("a push proxy refused something", metadata: ["status": "\(status)"])
        case .failed(let why):
            ledgers[account]?.fail(now: time.now())
            log.info("a push proxy could not be told something; it is tried again", metadata: ["why": "\(why)"])
        }
        keep()
    }

    private func perform(
        _ call: PushProxyLedger.Call, of account: PublicKey, in ledger: inout PushProxyLedger
    ) async throws {
        let request = call.request(at: ledger.proxy)
        let signed = try await signers.sign(
            request.authorization(createdAt: time.now(), nonce: UUID().uuidString), by: account)
        let answer = await post(request, signed)
        if let trouble = answer.trouble(with: Self.host(ledger.proxy)) { throw trouble }
        ledger.done(call, now: time.now())
    }

    private func send(
        _ call: PushProxyLedger.Call, of account: PublicKey, at proxy: String
    ) async -> PushProxyClient.Answer {
        let request = call.request(at: proxy)
        // A key that is locked signs nothing; it is tried again later.
        guard
            let signed = try? await signers.sign(
                request.authorization(createdAt: time.now(), nonce: UUID().uuidString), by: account)
        else {
            return .failed(.unwell)
        }
        return await post(request, signed)
    }

    private func leave(_ ledger: PushProxyLedger, _ account: PublicKey) async {
        for device in ledger.devices {
            // A proxy that does not answer forgets devices by itself when they no longer register.
            _ = await send(.unregister(device), of: account, at: ledger.proxy)
        }
    }

    private static func host(_ proxy: String) -> String {
        PublicAddress(argument: proxy)?.host ?? proxy
    }

    // MARK: - On disk

    private func keep() {
        // What is not kept is told once more after the next start, which does no harm.
        do { try save() } catch { log.warning("what a push proxy was told could not be kept") }
    }

    private func save() throws {
        let kept = Dictionary(ledgers.map { ($0.key.hex, $0.value) }, uniquingKeysWith: { a, _ in a })
        let bytes = Array(try JSONEncoder().encode(kept))
        do { try DurableFile.write(bytes, to: file, replacing: true) } catch {
            throw CommandFailure("Cannot write \(file): is the disk full?")
        }
    }

    private static func read(_ file: String) throws -> [PublicKey: PushProxyLedger] {
        do {
            guard let bytes = try DurableFile.read(file, limit: 4 << 20) else { return [:] }
            let kept = try JSONDecoder().decode([String: PushProxyLedger].self, from: Data(bytes))
            return Dictionary(try kept.map { (try PublicKey(hex: $0.key), $0.value) }, uniquingKeysWith: { a, _ in a })
        } catch let failure as DurableFile.Failure where failure.isMissing {
            return [:]
        } catch {
            throw CommandFailure("\(file) cannot be read; move it away to start afresh.")
        }
    }
}

/// Has a push proxy wake browsers, through the registrar that keeps it informed.
struct BrowsersWokenByProxy: BrowserWaking {
    /// Without a slash at the end.
    let proxy: PublicAddress
    let registrar: PushRegistrar

    var proxyName: String { proxy.host }
    var minuteOfDay: Int { Timestamp.minuteOfDay }

    func pushKey() async throws -> String {
        guard let key = await PushProxyClient().pushKey(of: proxy.text) else {
            throw Trouble("The push proxy \(proxy.host) does not answer, or wakes no browsers.")
        }
        return key
    }

    func wake(_ browser: BrowserSubscription, for account: PublicKey) async throws {
        try await registrar.add(device(browser), of: account, at: proxy.text)
    }

    func forget(_ browser: BrowserSubscription, for account: PublicKey) async throws {
        try await registrar.remove(device(browser), of: account)
    }

    private func device(_ browser: BrowserSubscription) -> PushProxyLedger.Device {
        .webPush(endpoint: browser.endpoint, key: browser.key, secret: browser.secret)
    }
}
