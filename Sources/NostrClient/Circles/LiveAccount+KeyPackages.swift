internal import Marmot
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrSigner
internal import NostrStore

/// One's own key packages: what others need to let one into a circle.
///
/// Nothing is published for who is in no circle and asked for none: a key package tells everybody that its owner uses
/// such groups.
extension LiveAccount {
    private static let mostKeyPackageRelays = 5

    /// Publishes a new key package when the last one was used or is old.
    func tendKeyPackages() async {
        while !Task.isCancelled {
            await keyPackageBell.wait(atMost: .seconds(3600), time)
            guard sealed != nil, await circleKeeper.isInUse else { continue }
            do { _ = try await freshKeyPackage() } catch { report("no key package could be published", error) }
        }
    }

    /// A key package that nobody has used, published.
    ///
    /// - Returns: nil where there is no relay to publish it on.
    @discardableResult
    func freshKeyPackage() async throws -> KeptKeyPackage? {
        try await changingLists.take {
            if let known = try await circleKeeper.currentKeyPackage() { return known }
            guard let signer else { throw AccountError.readOnly }
            let relays = try await keyPackageRelays()
            guard !relays.isEmpty else { return nil }
            let unsigned = try await circleKeeper.newKeyPackage(at: relays)
            let event = try await signer.sign(unsigned.draft)
            let record = unsigned.published(by: event)
            // The private keys are on the disk before anybody can use the public ones.
            try await circleKeeper.keep(record)
            try await enqueue(event, only: relays)
            if try await ownKeyPackageRelays() == nil {
                // Who looks only where a list says finds it, too.
                try await enqueue(try await signer.sign(KeyPackageRelays(relays).draft(now: time.now())))
            }
            return record
        }
    }

    /// Lets others put one into a circle unasked, by publishing a key package and where it is; one is asked then.
    public func becomeInvitable() async throws {
        _ = try await openedCircles()
        guard try await freshKeyPackage() != nil else { throw CircleError.noRelay }
        feed.send(.circles)
    }

    private func ownKeyPackageRelays() async throws -> KeyPackageRelays? {
        try await store.query([
            Filter(authors: [publicKey], kinds: [.keyPackageRelays], limit: 1)
        ]).first.flatMap { KeyPackageRelays($0) }
    }

    /// Where one's key packages go: where one's list says (kind 10051), else where one writes (NIP-65).
    private func keyPackageRelays() async throws -> [RelayURL] {
        let list = try await ownKeyPackageRelays()
        let listed = (list?.relays ?? []).filter { !router.blocked.contains($0) }
        let chosen = listed.isEmpty ? router.ownWrite : listed
        return Array(chosen.prefix(Self.mostKeyPackageRelays))
    }

    /// The newest usable key package of each of some people, looked up where they publish them.
    func keyPackages(of people: Set<PublicKey>) async throws -> [PublicKey: Event] {
        await discover(people)
        try await learnRelayLists(of: people)
        let lists = try await listedKeyPackageRelays(of: people)
        var requests: [RelayURL: Set<PublicKey>] = [:]
        for person in people {
            let general = router.lists[person]?.write ?? []
            let chosen = lists[person].map(\.relays) ?? []
            let named = (chosen.isEmpty ? general : chosen).filter(router.trusts)
            // Who uses Whistle has published a key package, and no list that says where.
            let asked =
                named.isEmpty ? router.relays(about: person, limit: 3, now: time.now()) + router.ownWrite : named
            for relay in asked.uniqued().prefix(Self.mostKeyPackageRelays) {
                requests[relay, default: []].insert(person)
            }
        }
        let questions = requests.mapValues { [Filter(authors: $0, kinds: [.keyPackage, .legacyKeyPackage])] }
        var found: [PublicKey: Event] = [:]
        for update in await collect(questions, deadline: configuration.deadlines.discovery) {
            guard case .events(let events, _) = update else { continue }
            for event in events where people.contains(event.pubkey) {
                // One that cannot be added is as good as none.
                guard (try? GenerationB().keyPackage(in: event, now: time.now())) != nil else { continue }
                if let known = found[event.pubkey], known.createdAt >= event.createdAt { continue }
                found[event.pubkey] = event
            }
        }
        return found
    }

    private func listedKeyPackageRelays(of people: Set<PublicKey>) async throws -> [PublicKey: KeyPackageRelays] {
        var asked: [RelayURL: Set<PublicKey>] = [:]
        for person in people {
            let written = router.relays(about: person, limit: 3, now: time.now())
            for relay in Set(router.indexers + written) { asked[relay, default: []].insert(person) }
        }
        let requests = asked.mapValues { [Filter(authors: $0, kinds: [.keyPackageRelays])] }
        await ask(requests, deadline: configuration.deadlines.discovery)
        let lists = try await store.query([Filter(authors: people, kinds: [.keyPackageRelays])])
        let pairs = lists.compactMap { event in KeyPackageRelays(event).map { (event.pubkey, $0) } }
        return Dictionary(pairs) { first, _ in first }
    }
}
