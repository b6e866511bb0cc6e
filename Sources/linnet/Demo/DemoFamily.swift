import AsyncPrimitives
internal import Circles
internal import Location
import Logging
import NostrClient
import NostrCore
import NostrSigner

/// The family of the demo person: five people with accounts of their own, in one circle with them.
///
/// They are accounts as everybody's, over the relays of the simulated network: one has a battery that dies, one is
/// offline at times, and one of the circle's relays lies. The demo person is invited, and asked, once there is one.
struct DemoFamily: Sendable {
    /// How the accounts are put together; their records lie beside the demo person's.
    let factory: AccountFactory
    /// The circle's relays; one of them lies.
    let relays: [RelayURL]
    /// When they set out.
    let start: Timestamp
    /// The demo person's account, once somebody is the demo person.
    let hero: @Sendable () async -> (any Account)?
    let log: Logger
    var time = Time<Timestamp>(clock: ContinuousClock(), now: { .current })

    private static let members: [DemoMember] = [
        DemoMember(
            name: "Marta", key: "c1", greeting: "Supper at seven. Where is everybody?",
            walk: DemoWalk(middle: (46.9571, 8.3661), reach: 20, round: nil) { _ in 82 }),
        DemoMember(
            name: "Jonas", key: "c2", greeting: "On the lake path, back by six",
            walk: DemoWalk(middle: (46.9622, 8.3752), reach: 420, round: 1500) { _ in 67 }),
        DemoMember(
            name: "Lena", key: "c3", greeting: "At practice. My phone is nearly empty!",
            walk: DemoWalk(middle: (46.9533, 8.3580), reach: 160, round: 700) { max(3, 24 - Int($0 / 20)) }),
        DemoMember(
            name: "Emil", key: "c4", greeting: "No signal in the tunnel, as always",
            walk: DemoWalk(middle: (46.9700, 8.3900), reach: 900, round: 1100) { _ in 54 },
            isOnline: { $0.truncatingRemainder(dividingBy: 420) < 240 }),
        DemoMember(
            name: "Grandpa", key: "c5", greeting: "Feeding the geese",
            walk: DemoWalk(middle: (46.9480, 8.3705), reach: 60, round: 2400) { _ in nil }),
    ]

    /// Keeps the family about until cancelled; begins once somebody is the demo person.
    func run() async {
        while await hero() == nil { guard await rest(.seconds(2)) else { return } }
        await withTaskGroup { group in
            for member in Self.members { group.addTask { await live(as: member) } }
        }
    }

    /// Somebody's days: online as they are, and gone in between.
    private func live(as member: DemoMember) async {
        while !Task.isCancelled {
            if member.isOnline(elapsed) { await work(as: member) }
            guard await rest(.seconds(5)) else { return }
        }
    }

    private func work(as member: DemoMember) async {
        do {
            let signer = try member.signer()
            let lock = LockableSigner(signer.publicKey)
            let opened = try factory.open(signer.publicKey, signer: lock)
            try lock.unlock(with: signer)
            await opened.account.keyDidUnlock()
            opened.places.set(
                DemoReceiver(walk: member.walk, start: start, time: time))
            await withTaskGroup { group in
                group.addTask { await opened.work.run() }
                group.addTask { await act(as: member, with: opened.account) }
                // A member that goes offline leaves everything as it is.
                await group.next()
                group.cancelAll()
            }
        } catch {
            log.error("\(member.name) of the demo's family cannot come: \(error)")
            _ = await rest(.seconds(60))
        }
    }

    /// What they do while they are online: found the circle or join it, share their place, say a word.
    private func act(as member: DemoMember, with account: LiveAccount) async {
        await settle("name", account) { account in
            if try await account.people.person(account.publicKey).fields["name"] == nil {
                _ = try await account.profile.update(["name": member.name])
            }
            try await account.openCircles().membership.becomeInvitable()
        }
        var invited: [PublicKey: Timestamp] = [:]
        while member.isOnline(elapsed) {
            await settle("circle", account) { account in
                if member.name == Self.members[0].name { try await gather(account, &invited) }
                let circles = try await account.openCircles()
                for invitation in try await circles.reader.overview().invitations {
                    try await circles.membership.acceptInvitation(to: invitation.id)
                }
                try await join(member, account)
            }
            guard await rest(.seconds(4)) else { return }
        }
    }

    /// Founds the circle, and lets in who is not.
    private func gather(_ account: LiveAccount, _ invited: inout [PublicKey: Timestamp]) async throws {
        let circles = try await account.openCircles()
        guard let circle = try await circles.reader.overview().circles.first else {
            _ = try await circles.membership.create(
                "Family", about: "Who is where, and when is supper", relays: relays)
            return
        }
        let hero = await hero()
        try await hero?.circles?.membership.becomeInvitable()
        let inside = Set(try await circles.reader.page(of: circle.id, before: nil, limit: 1).members.map(\.id))
        let everybody = try Self.members.map { try $0.signer().publicKey } + [hero?.publicKey].compactMap { $0 }
        for person in everybody where !inside.contains(person) {
            // Who was asked a moment ago may only not have been let in yet.
            if let before = invited[person], time.now() < before + .seconds(30) { continue }
            invited[person] = time.now()
            // Who has no key package yet is asked again later.
            try? await circles.membership.add([person], to: circle.id)
        }
    }

    /// Shares a member's place, and sends their line once everybody is there to read it.
    private func join(_ member: DemoMember, _ account: LiveAccount) async throws {
        let circles = try await account.openCircles()
        guard let circle = try await circles.reader.overview().circles.first(where: { $0.standing == .member }) else {
            return
        }
        if try await !circles.sharing.state(in: circle.id).isOn {
            try await circles.sharing.share(SharingSettings(interval: SharingInterval(clamping: 30)), in: circle.id)
        }
        let page = try await circles.reader.page(of: circle.id, before: nil, limit: 100)
        let isGreeted = page.lines.contains { $0.author.key == account.publicKey }
        guard !isGreeted, page.members.count > Self.members.count else { return }
        _ = try await circles.messaging.send(member.greeting, replyTo: nil, in: circle.id)
    }

    /// Does what may fail while relays come and go; it is done again a moment later.
    private func settle(_ what: String, _ account: LiveAccount, _ body: (LiveAccount) async throws -> Void) async {
        do { try await body(account) } catch {
            if !Task.isCancelled { log.debug("the demo's family waits", metadata: ["with": "\(what)"]) }
        }
    }

    private var elapsed: Double { Double(time.now().seconds - start.seconds) }

    /// False once nobody wants it any more.
    private func rest(_ span: Duration) async -> Bool {
        do {
            try await time.sleep(for: span)
            return true
        } catch {
            return false
        }
    }
}

/// Somebody of the demo's family.
private struct DemoMember: Sendable {
    let name: String
    /// A byte that their key repeats: everybody knows it, as everybody knows the demo.
    let key: String
    let greeting: String
    let walk: DemoWalk
    /// Whether they have a network, by seconds since the family set out.
    var isOnline: @Sendable (Double) -> Bool = { _ in true }

    func signer() throws -> LocalSigner {
        LocalSigner(try SecretKey(hex: String(repeating: key, count: 32)))
    }
}
