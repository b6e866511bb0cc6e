import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

/// Does what commands ask of the running signers.
struct SignerControl: Sendable {
    let signers: any SignersAtWork
    let now: @Sendable () -> Timestamp
    var links: LinkOrders?
    var logins: LoginOrders?
    var registrar: PushRegistrar?
    var sharing: (any SharingControl)?

    /// Does one order.
    ///
    /// - Throws: ``CommandFailure``, or ``/NostrSigner/SigningServiceError``.
    func perform(_ order: ControlOrder, _ answer: @escaping ControlServer.Answer) async throws {
        switch order.verb {
        case .list(let unlike, let seconds):
            try await list(order, unlike: unlike, within: seconds, answer)
        case .show(let id):
            let (service, request) = try await request(id, order)
            try await answer(SignerJSON.whole(request, account: service.account).text)
        case .decide(let selection, let verdict, let knowingLoss):
            try await decide(selection, verdict, knowingLoss: knowingLoss, order, answer)
        case .restore(let id):
            let (service, request) = try await request(id, order)
            try await service.restore(insteadOf: request.id)
        case .clients, .update, .revoke: try await tendApps(order, answer)
        case .log(let filter):
            try await log(filter, order, answer)
        case .link(let text, let isCarriedElsewhere):
            try await links?.open(text, isCarriedElsewhere: isCarriedElsewhere, answer)
        case .linkOutcome(let id, let seconds):
            try await links?.outcome(id, within: seconds, answer)
        case .loginLink:
            try await logins?.link(answer)
        case .open(let address):
            try await links?.show(address, answer)
        case .push(let push): try await self.push(push, order, answer)
        case .sharing(let change):
            guard let sharing else { throw CommandFailure("The running program has no circles.") }
            try await sharing.perform(change, of: order.account, answer)
        case .invite, .connect, .relays, .setRelays, .pause, .settings:
            try await tend(order, answer)
        }
    }

    /// Orders about the apps that are paired.
    private func tendApps(_ order: ControlOrder, _ answer: ControlServer.Answer) async throws {
        switch order.verb {
        case .clients:
            for service in try await services(order) {
                for client in try await service.clients() { try await answer(SignerJSON.line(client).text) }
            }
        case .update(let app, let change):
            var (service, client) = try await client(app, order)
            try change.apply(to: &client, now: now())
            try await service.update(client)
            try await answer(SignerJSON.line(client).text)
        case .revoke(let app):
            let (service, client) = try await client(app, order)
            try await service.revoke(client.app)
        default: break
        }
    }

    /// Orders about what wakes a signer.
    private func push(_ push: PushOrder, _ order: ControlOrder, _ answer: ControlServer.Answer) async throws {
        guard let registrar else { throw CommandFailure("The running program does not use a push proxy.") }
        switch push {
        case .register(let device, let proxy):
            let account = try await only(order).account
            try await registrar.add(device, of: account, at: proxy)
            try await answer(SignerPushCommand.line(await registrar.ledger(of: account), account))
        case .unregisterAll:
            let account = try await only(order).account
            try await registrar.removeAll(of: account)
            try await answer(SignerPushCommand.line(await registrar.ledger(of: account), account))
        case .status:
            for account in await registrar.accounts {
                try await answer(SignerPushCommand.line(await registrar.ledger(of: account), account))
            }
        }
    }

    /// Orders about a signer itself.
    private func tend(_ order: ControlOrder, _ answer: ControlServer.Answer) async throws {
        switch order.verb {
        case .invite(let renews, let trust):
            let service = try await only(order)
            let wanted = try trust.map(SignerArguments.trust)
            var invitation = try await service.invitation()
            // A token that gives something else than is wanted is not handed out: a new one takes its place.
            if renews || (wanted ?? invitation.trust) != invitation.trust {
                invitation = try await service.renewInvitation(trust: wanted ?? .medium)
            }
            try await answer(SignerJSON.line(invitation).text)
        case .connect(let uri, let name, let trust, let permissions):
            let outcome = try await connect(try await only(order), uri, name, trust, permissions)
            try await answer(SignerJSON.line(outcome).text)
        case .relays:
            for service in try await services(order) {
                for report in try await service.relays() {
                    try await answer(SignerJSON.line(report, account: service.account).text)
                }
            }
        case .setRelays(let adding, let removing):
            let service = try await only(order)
            var settings = try await service.settings()
            let removed = try removing.map(Reading.relay), added = try adding.map(Reading.relay)
            settings.relays.removeAll { removed.contains($0) }
            settings.relays += added.filter { !settings.relays.contains($0) }
            try await service.setSettings(settings)
        case .pause(let isPaused):
            for service in try await services(order) {
                var settings = try await service.settings()
                settings.isPaused = isPaused
                try await service.setSettings(settings)
            }
        case .settings(let asks): try await settings(asking: asks, order, answer)
        default: break
        }
    }

    /// What holds for all apps; first asks for the passphrase with a yes to what is protected, or no longer, if that is wanted.
    private func settings(
        asking asks: Bool?, _ order: ControlOrder, _ answer: ControlServer.Answer
    ) async throws {
        for service in asks == nil ? try await services(order) : [try await only(order)] {
            var settings = try await service.settings()
            if let asks, asks != settings.asksForPassphrase {
                settings.asksForPassphrase = asks
                try await service.setSettings(settings)
            }
            let line = SignerJSON.line(settings, try await service.passphraseAsking(), account: service.account)
            try await answer(line.text)
        }
    }

    /// Lets an app in by the token it shows.
    private func connect(
        _ service: any SigningService, _ uri: String, _ name: String?, _ trust: String?, _ permissions: [String]
    ) async throws -> AppPairing {
        let token = try SignerArguments.token(uri)
        let grants = try permissions.map { try SignerArguments.allowance($0, made: now()) }
        // As the page suggests: who says what they need gets that one by one.
        let usual: TrustLevel = token.permissions.contains { $0.method.usesKey } ? .low : .medium
        return try await service.accept(
            token, name: name, trust: try trust.map(SignerArguments.trust) ?? usual, grants: grants)
    }

    // MARK: - Requests

    private func decide(
        _ selection: RequestSelection, _ verdict: SpokenVerdict, knowingLoss: Bool, _ order: ControlOrder,
        _ answer: ControlServer.Answer
    ) async throws {
        var left = 0
        let all = try await chosen(selection, order)
        // Before anything is decided: the order comes again with it, whole.
        if verdict.allows, order.passphrase == nil, all.contains(where: { $0.1.contains { $0.passphrase == .always } })
        {
            throw SigningServiceError(.passphraseNeeded)
        }
        for (service, chosen) in all where !chosen.isEmpty {
            var decided: Set<EventID> = []
            for (verdict, ids) in try verdicts(verdict, about: chosen) {
                decided.formUnion(try await service.decide(ids, verdict, knowingLoss: knowingLoss))
            }
            for request in chosen {
                let isDecided = decided.contains(request.id)
                if !isDecided { left += 1 }
                let line = JSONValue.object([
                    JSONMember("id", .string(request.id.hex)), JSONMember("decided", .bool(isDecided)),
                    JSONMember("needs_second_step", .bool(request.needsSecondStep)),
                ])
                try await answer(line.text)
            }
        }
        guard left == 0 else {
            throw CommandFailure(
                """
                \(left == 1 ? "One request still waits" : "\(left) requests still wait"): look at it with linnet signer \
                show; what drops more than a handful of entries needs --knowing-loss, and --always says nothing of links \
                without a callback and of text that a server would get.
                """)
        }
    }

    /// What is said to which; always lets an app in with what of its wishes is given unless a person says otherwise, at low
    /// trust unless they say another.
    private func verdicts(
        _ spoken: SpokenVerdict, about requests: [WaitingRequest]
    ) throws -> [(RequestVerdict, [EventID])] {
        let trust = try spoken.trust.map(SignerArguments.trust) ?? .low
        guard spoken.isAlways || spoken.trust != nil else {
            return [(SignerArguments.verdict(spoken), requests.map(\.id))]
        }
        var verdicts: [(RequestVerdict, [EventID])] = []
        var others: [EventID] = []
        for request in requests {
            switch request.content {
            case _ where !spoken.allows && request.rule == .notPaired, .connect where !spoken.allows:
                // Of an app that is not paired nothing is kept: each of its requests is refused by itself.
                verdicts.append((.once(allow: false), [request.id]))
            case .connect(_, let wishes):
                let given = spoken.isAlways ? wishes.filter(\.isGivenByDefault) : []
                verdicts.append((.pair(granting: given, trust: trust), [request.id]))
            case _ where spoken.trust != nil && !spoken.isAlways && request.rule == .notPaired:
                verdicts.append((.pair(granting: [], trust: trust), [request.id]))
            default: others.append(request.id)
            }
        }
        return others.isEmpty ? verdicts : verdicts + [(SignerArguments.verdict(spoken), others)]
    }

    /// The requests that are meant, by signer.
    private func chosen(
        _ selection: RequestSelection, _ order: ControlOrder
    ) async throws -> [(any SigningService, [WaitingRequest])] {
        let all = try await waiting(order)
        let (texts, isTogether): ([String], Bool)
        switch selection {
        case .all: return all
        case .these(let ids): (texts, isTogether) = (ids, false)
        case .together(let ids): (texts, isTogether) = (ids, true)
        }
        var wanted: Set<EventID> = []
        for text in texts {
            let one = try Self.one(text, among: all.flatMap(\.1))
            wanted.insert(one.id)
            guard isTogether else { continue }
            wanted.formUnion(all.flatMap(\.1).filter { $0.burst == one.burst }.map(\.id))
        }
        return all.map { service, requests in (service, requests.filter { wanted.contains($0.id) }) }
    }

    private func request(_ id: String, _ order: ControlOrder) async throws -> (any SigningService, WaitingRequest) {
        let all = try await waiting(order)
        let found = try Self.one(id, among: all.flatMap(\.1))
        guard let service = all.first(where: { $0.1.contains { $0.id == found.id } })?.0 else {
            throw CommandFailure("No request \(id) is waiting.")
        }
        return (service, found)
    }

    private static func one(_ text: String, among requests: [WaitingRequest]) throws -> WaitingRequest {
        let found = requests.filter { text.utf8.count >= 4 && $0.id.hex.hasPrefix(text.lowercased()) }
        guard let one = found.first else { throw CommandFailure("No request \(text) is waiting.") }
        guard found.count == 1 else {
            throw CommandFailure("More than one request begins with \(text): give more of it.")
        }
        return one
    }

    private func waiting(_ order: ControlOrder) async throws -> [(any SigningService, [WaitingRequest])] {
        var all: [(any SigningService, [WaitingRequest])] = []
        for service in try await services(order) { all.append((service, try await service.waiting())) }
        return all
    }

    private func list(
        _ order: ControlOrder, unlike: [String]?, within seconds: Int, _ answer: ControlServer.Answer
    ) async throws {
        if let unlike {
            await newsOf(try await services(order), unlike: Set(unlike), within: .seconds(min(seconds, 60)))
        }
        for (service, requests) in try await waiting(order) {
            for request in requests {
                try await answer(SignerJSON.line(request, account: service.account).text)
            }
        }
    }

    /// Returns when other requests wait than these, or after a time.
    private func newsOf(_ services: [any SigningService], unlike known: Set<String>, within time: Duration) async {
        // Time passing is the other way to end it.
        _ = await withDeadline(time, on: ContinuousClock()) {
            await withTaskGroup(of: Void.self) { group in
                for service in services {
                    group.addTask { await Self.news(of: service, unlike: known, among: services) }
                }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private static func news(
        of service: any SigningService, unlike known: Set<String>, among services: [any SigningService]
    ) async {
        // What changes while it is looked at is heard of too.
        let changes = await service.changes()
        let own = { (ids: [String]) in Set(ids) != known }
        func differs() async -> Bool {
            var ids: [String] = []
            for service in services { ids += (try? await service.waiting().map(\.id.hex)) ?? [] }
            return own(ids)
        }
        if await differs() { return }
        for await change in changes where change == .waiting {
            if await differs() { return }
        }
    }

    // MARK: - Apps and accounts

    private func client(_ text: String, _ order: ControlOrder) async throws -> (any SigningService, SignerClient) {
        var found: [(any SigningService, SignerClient)] = []
        for service in try await services(order) {
            for client in try await service.clients() where SignerArguments.names(text, client) {
                found.append((service, client))
            }
        }
        guard let one = found.first else { throw CommandFailure("No app \(text) is paired here.") }
        guard found.count == 1 else {
            throw CommandFailure("More than one app is meant by \(text): give its key, and --account.")
        }
        return one
    }

    private func log(_ filter: LogFilter, _ order: ControlOrder, _ answer: ControlServer.Answer) async throws {
        var entries: [ActivityEntry] = []
        for service in try await services(order) {
            let query = try SignerArguments.query(filter, apps: try await service.clients())
            entries += try await service.activityInWords(query)
        }
        for entry in entries.newest(filter.limit) { try await answer(SignerJSON.line(entry).text) }
    }

    private func services(_ order: ControlOrder) async throws -> [any SigningService] {
        let passphrase = TypedPassphrase(order.passphrase)
        return try await servicesAtWork(order).map { $0.typing(passphrase) }
    }

    private func servicesAtWork(_ order: ControlOrder) async throws -> [any SigningService] {
        guard let account = order.account else { return await signers.signersAtWork() }
        let key = try Reading.key(account)
        guard let service = await signers.signer(of: key) else {
            throw CommandFailure("The account \(key.npub) is not at work, or its key is not here: open it first.")
        }
        return [service]
    }

    private func only(_ order: ControlOrder) async throws -> any SigningService {
        let services = try await services(order)
        guard let only = services.first else {
            throw CommandFailure("No account with a key is at work: open one first.")
        }
        guard services.count == 1 else {
            throw CommandFailure("Several accounts are at work: choose one with --account.")
        }
        return only
    }
}
