internal import AsyncPrimitives
internal import Logging
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What goes between people of circles in gift wraps: Welcomes and requests to join.
final class CircleMail: Sendable {
    /// How many admins are asked to let us in again.
    private static let mostAdmins = 5

    private let context: UnlockedContext
    private let store: CircleStore
    private let work: CircleWork
    private let keyPackages: KeyPackages
    /// One wrapping of all Welcomes after the other.
    private let wrapping = SerialGate()
    /// Rings when something of it has come.
    private let arrivals = Doorbell()

    private var account: AccountContext { context.account }

    init(_ context: UnlockedContext, store: CircleStore, work: CircleWork, keyPackages: KeyPackages) {
        (self.context, self.store, self.work, self.keyPackages) = (context, store, work, keyPackages)
    }

    /// Receives Welcomes and requests until cancelled.
    func run() async {
        await context.mail?.observe([.welcome, JoinRequest.kind]) { [arrivals] in arrivals.ring() }
        while !Task.isCancelled {
            do { try await receiveAll() } catch {
                if !(error is CircleError) { account.report("mail of circles could not be read", error) }
            }
            await arrivals.wait()
        }
    }

    // MARK: - Out

    /// Wraps what members we added are waiting for; each is on the list until its wrap is on the disk.
    func sendWelcomes() async {
        await wrapping.run {
            do {
                let waiting = try await context.sealed.values(in: CircleTable.welcomes) { WelcomeRecord.record($0) }
                for case let record? in waiting {
                    let (rumor, person) = (try Rumor(json: record.rumor), try PublicKey(hex: record.person))
                    let address = SealedRecords.Address(CircleTable.welcomes, rumor.id.hex + record.person)
                    // A Welcome says where the circle is.
                    let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
                    let relays = try WelcomeRumor(gift).relays
                    try await send(rumor, to: person, orAt: relays, with: [context.sealed.remove(address)])
                }
            } catch {
                // The signer may be away; they are still on the list.
                account.report("a Welcome could not be wrapped", error)
            }
        }
    }

    /// Asks to join a circle, or every admin of one to take us out and in again.
    func askReadmission(to id: CircleID) async {
        do {
            let admins = await store.admins(of: id).subtracting([account.publicKey])
            guard !admins.isEmpty, let package = try await keyPackages.fresh() else { return }
            let rumor = try JoinRequest.rumor(for: id.bytes, with: package.event, now: account.time.now())
            let relays = await store.relays(of: id)
            for admin in admins.sorted().prefix(Self.mostAdmins) {
                try await send(rumor, to: admin, orAt: relays, with: [])
            }
        } catch {
            account.report("no admin could be asked to let us in again", error)
        }
    }

    /// Wraps a rumor for somebody, who is reached where their circle is if they have no list of relays at all.
    ///
    /// Whistle publishes no lists, and listens for everything on the relays of its circles. For somebody who has lists,
    /// the circle's relays do not learn of the wrap: it would tell them who is in it.
    private func send(
        _ rumor: Rumor, to person: PublicKey, orAt relays: [RelayURL], with changes: [RecordChange]
    ) async throws {
        let mail = try context.openMail
        let isListed = try await mail.isListed(person)
        try await mail.send(rumor, to: person, clearing: changes, besides: isListed ? [] : relays)
    }

    // MARK: - In

    /// Takes Welcomes and requests to join out of the mail.
    func receiveAll() async throws {
        guard let mail = context.mail else { return }
        for (rumor, removal) in try await mail.rumors(of: [.welcome, JoinRequest.kind]) {
            let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
            if rumor.kind == .welcome {
                if case .joined(_, let effects) = try await store.receive(welcome: gift, clearing: [removal]) {
                    await work.plan(effects)
                    keyPackages.due.ring()
                }
            } else {
                try await receive(request: gift, removal: removal)
            }
            await mail.rumorWasRemoved()
        }
        account.changes.send(.circles)
    }

    private func receive(request gift: UnwrappedGift, removal: RecordChange) async throws {
        let request: JoinRequest
        do { request = try JoinRequest(gift, now: account.time.now()) } catch {
            // Nobody is told: an answer would say that we are here.
            account.log.info("a request to join a circle was dropped", metadata: ["why": "\(error)"])
            return try await context.sealed.apply([removal])
        }
        guard let id = CircleID(request.circle) else { return }
        let record = RequestRecord(
            person: request.applicant.hex, name: request.name,
            keyPackage: String(decoding: request.keyPackageEvent.json, as: UTF8.self),
            arrivedAt: account.time.now().seconds)
        await work.plan(try await store.receive(record, for: id, clearing: [removal]))
    }
}

extension UnlockedContext {
    /// The mail, for what cannot be done without.
    ///
    /// - Throws: ``/NostrClient/MessagingError`` where it could not be read from disk.
    var openMail: any RumorMail {
        get throws {
            guard let mail else { throw MessagingError(.locked) }
            return mail
        }
    }
}
