internal import AsyncPrimitives
internal import NostrCore
public import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Whether the names people claim are theirs (NIP-05), and whom a name leads to.
///
/// Domains learn who is asked for, so they are asked when a person is looked at, and for those one follows slowly and
/// one by one: never for every name that passes by. A class over one lock, since every page asks how a claim stands.
public final class NameChecks: Sendable {
    /// How many domains are asked at the same time.
    private static let width = 4
    /// How long after one followed person the next is looked at.
    private static let rhythm: Duration = .seconds(30)
    private static let mostKept = 10_000

    private struct State {
        var verdicts: [PublicKey: NameVerdict] = [:]
        var isLoaded = false
    }

    private struct Claim: Hashable, Sendable {
        var person: PublicKey
        var identifier: InternetIdentifier
    }

    private let context: AccountContext
    private let gossip: Gossip
    private let state = Mutex(State())
    private let waiting: PendingRequests<Claim>

    init(_ context: AccountContext, gossip: Gossip) {
        self.context = context
        self.gossip = gossip
        waiting = PendingRequests(context.changes)
    }

    /// Reads what domains said before; does nothing the second time.
    func load() async {
        guard !state.withLock({ $0.isLoaded }) else { return }
        do {
            let records = try await context.records.records(in: NameVerdict.table, prefix: "")
            state.withLock { state in
                for record in records {
                    // A key that was written here is one.
                    guard let key = try? PublicKey(hex: record.key), let verdict = NameVerdict(record: record.value)
                    else { continue }
                    state.verdicts[key] = state.verdicts[key] ?? verdict
                }
                state.isLoaded = true
            }
        } catch {
            context.report("checked names could not be read from disk", error)
        }
    }

    /// Asks domains for people who are looked at, and slowly for those who are followed, until cancelled.
    ///
    /// - Parameter claimed: the name each of some people claims.
    func run(_ claimed: @escaping @Sendable (Set<PublicKey>) async -> [PublicKey: InternetIdentifier]) async {
        guard context.names != nil else { return }
        await load()
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.waiting.serve(atMost: Self.width) { claim in
                    await self.check(claim)
                    return .person(claim.person)
                }
            }
            group.addTask {
                while !Task.isCancelled {
                    await self.context.time.pause(for: Self.rhythm)
                    await self.lookAtFollowed(claimed)
                }
            }
        }
    }

    /// How a claim stands; `nil` for what is no name at a domain.
    func address(of person: PublicKey, claiming text: String?) -> NostrAddress? {
        text.flatMap(InternetIdentifier.init).map { identifier in
            NostrAddress(identifier, standing(of: Claim(person: person, identifier: identifier)))
        }
    }

    private func standing(of claim: Claim) -> NostrAddress.Standing {
        let now = context.time.now()
        let verdict = state.withLock { $0.verdicts[claim.person] }
        if let verdict, verdict.identifier == claim.identifier, verdict.isFresh(now) { return verdict.standing }
        return waiting.contains(claim) ? .checking : .unknown
    }

    /// Asks the domain about a person who is looked at, unless it said something lately.
    ///
    /// - Parameter isWanted: somebody wants to know now, whatever was said.
    func request(_ person: PublicKey, claiming identifier: InternetIdentifier, isWanted: Bool = false) {
        guard context.names != nil else { return }
        let claim = Claim(person: person, identifier: identifier)
        if isWanted { state.withLock { $0.verdicts[person] = nil } }
        if standing(of: claim) == .unknown { waiting.add(claim) }
    }

    /// Whom a name leads to, and at which relays they are to be found.
    ///
    /// - Throws: ``NameFailure``.
    public func find(_ identifier: InternetIdentifier) async throws -> ProfilePointer {
        guard let names = await document(for: identifier) else { throw NameFailure.unreachable }
        guard let pointer = names.pointer(for: identifier) else { throw NameFailure.nobody }
        gossip.learn(hints: Array(pointer.relays.prefix(3)), about: pointer.key)
        return pointer
    }

    private func check(_ claim: Claim) async {
        let names = await document(for: claim.identifier)
        let standing: NostrAddress.Standing =
            names.map { $0.confirms(claim.identifier, for: claim.person) ? .verified : .mismatch } ?? .unreachable
        if standing == .verified, let relays = names?.relays[claim.person] {
            gossip.learn(hints: Array(relays.prefix(3)), about: claim.person)
        }
        let verdict = NameVerdict(claim.identifier, standing, at: context.time.now())
        let dropped = state.withLock { state -> PublicKey? in
            state.verdicts[claim.person] = verdict
            guard state.verdicts.count > Self.mostKept else { return nil }
            let oldest = state.verdicts.min { $0.value.checkedAt < $1.value.checkedAt }?.key
            if let oldest { state.verdicts[oldest] = nil }
            return oldest
        }
        do {
            let put = RecordChange.put(table: NameVerdict.table, key: claim.person.hex, value: verdict.record)
            let remove = dropped.map { RecordChange.remove(table: NameVerdict.table, key: $0.hex) }
            try await context.records.apply([put] + [remove].compactMap(\.self))
        } catch {
            context.report("a checked name could not be kept", error)
        }
    }

    private func document(for identifier: InternetIdentifier) async -> WellKnownNames? {
        // Why a domain gives nothing makes no difference to whoever asks.
        guard let bytes = try? await context.names?.document(for: identifier) else { return nil }
        return WellKnownNames(json: bytes)
    }

    /// One of those followed whose name was not checked lately, if there is one.
    private func lookAtFollowed(
        _ claimed: @Sendable (Set<PublicKey>) async -> [PublicKey: InternetIdentifier]
    ) async {
        let now = context.time.now()
        let open = gossip.followed.filter { person in
            state.withLock { !($0.verdicts[person]?.isFresh(now) ?? false) }
        }
        guard !open.isEmpty else { return }
        // A few, as not everybody claims a name.
        var generator = context.random.generator
        let some = Set(open.sorted().shuffled(using: &generator).prefix(20))
        if let (person, identifier) = await claimed(some).min(by: { $0.key < $1.key }) {
            request(person, claiming: identifier)
        }
    }
}
