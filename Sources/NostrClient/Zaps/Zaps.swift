internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// What was paid for notes: counted from receipts that keep every rule, and from nothing else.
///
/// A receipt is two signatures and an invoice to check, and a place of payment to be asked who signs there. So a page
/// shows what was counted before, and `run()` counts what came since; then the note has changed. A class over one lock,
/// since every page asks.
final class Zaps: Sendable {
    /// Receipts of one note that are looked at, the newest first.
    private static let mostReceipts = 2_000
    /// Receipts remembered in all.
    private static let mostKept = 20_000
    private static let mostNotesAtOnce = 3
    private static let longestComment = 280
    private static let mostPlaceless = 1_000, mostClaims = 2_000
    /// Notes whose counts are remembered.
    private static let mostNotes = 5_000

    private struct Count {
        /// How many events claimed to be receipts when a page last asked for a count.
        var claimed = -1
        /// Receipts that were judged for good.
        var judged: [EventID: ZapVerdict] = [:]
        /// When to try again to judge the others.
        var retryAt: Timestamp?
        /// Since when there are some of another wallet than is known.
        var doubtedAt: Timestamp?

        /// Judges those of other wallets once more.
        mutating func judgeAnew() {
            judged = judged.filter { $0.value != .otherWallet }
            doubtedAt = nil
        }
    }

    private struct State {
        var counts: [EventID: Count] = [:]
        /// What pages say is claimed for notes that wait to be counted.
        var claims: [EventID: Int] = [:]
        /// The notes that were counted, the one counted longest ago first.
        var order: [EventID] = []
        var kept = 0
        /// Notes with receipts that cannot be judged before somebody's profile says where they are paid, or would be
        /// judged otherwise if it said another place.
        var placeless: [PublicKey: Set<EventID>] = [:]
        /// Of which this has happened.
        var anew: Set<EventID> = []
        /// Notes that are being counted, and whose profiles came meanwhile.
        var counting: [EventID: Set<PublicKey>] = [:]
    }

    private let context: AccountContext
    private let people: People
    /// Who signs receipts for what is paid to people.
    let payees: LightningPayees
    private let state = Mutex(State())
    private let waiting: PendingRequests<EventID>

    init(_ context: AccountContext, people: People) {
        self.context = context
        self.people = people
        payees = LightningPayees(context)
        waiting = PendingRequests(context.changes)
    }

    /// Counts what pages asked for, until cancelled.
    func run() async {
        guard payees.isAvailable else { return }
        await waiting.serve(atMost: Self.mostNotesAtOnce) { note in
            await self.count(note)
            return .touched(note)
        }
    }

    /// What was paid for a note, as far as it was counted; what came since is counted soon.
    ///
    /// - Parameters:
    ///   - claimed: how many events claim to be receipts for it.
    ///   - muted: people whose payments are not shown.
    func tally(of note: EventID, claimed: Int, without muted: Set<PublicKey>) -> ZapTally {
        ZapTally(payments(for: note, claimed: claimed, without: muted))
    }

    /// The payments themselves, as ``tally(of:claimed:without:)`` counts them.
    func payments(for note: EventID, claimed: Int, without muted: Set<PublicKey>) -> [Zap] {
        guard claimed > 0, payees.isAvailable else { return [] }
        let now = context.time.now()
        // What is to be counted anew since a profile came while it was counted was not added then.
        let (known, isAnew) = state.withLock { ($0.counts[note], $0.anew.contains(note)) }
        if isAnew || known?.claimed != claimed || known?.retryAt.map({ $0 <= now }) ?? false {
            state.withLock { state in
                // What no longer waits to be counted is claimed again when its page is read anew.
                if state.claims.count >= Self.mostClaims { state.claims = [:] }
                state.claims[note] = claimed
            }
            waiting.add(note)
        }
        var payments: Set<[UInt8]> = []
        return (known?.judged ?? [:]).values.compactMap { verdict -> Zap? in
            guard case .counts(let payment, let zap) = verdict, payments.insert(payment).inserted,
                !muted.contains(zap.sender)
            else { return nil }
            return zap
        }
    }

    /// A profile may say where a person is paid, at last or anew.
    func stored(_ event: Event) {
        guard event.kind == ProfileMetadata.kind else { return }
        let notes = state.withLock { state in
            let notes = state.placeless.removeValue(forKey: event.pubkey) ?? []
            state.anew.formUnion(notes)
            for note in state.counting.keys { state.counting[note]?.insert(event.pubkey) }
            return notes
        }
        for note in notes { waiting.add(note) }
    }

    private func count(_ note: EventID) async {
        do {
            // What is here may be more than a page claimed, without what is muted; compared is what pages say.
            let (claimed, isAnew) = state.withLock { state in
                state.counting[note] = []
                return (state.claims.removeValue(forKey: note), state.anew.remove(note) != nil)
            }
            defer { state.withLock { $0.counting[note] = nil } }
            guard let event = try await context.store.query([Filter(ids: [note])]).first else {
                // A page shows it all the same, out of a repost; it would be counted again whenever that is read.
                let later = context.time.now() + LightningPayees.pause
                return keep(Count(claimed: claimed ?? -1, retryAt: later), of: note)
            }
            var filters = [Filter(kinds: [ZapReceipt.kind], tags: ["e": [note.hex]], limit: Self.mostReceipts)]
            if let address = event.address {
                filters.append(
                    Filter(kinds: [ZapReceipt.kind], tags: ["a": [address.description]], limit: Self.mostReceipts))
            }
            let receipts = try await context.store.query(filters)
            var count = state.withLock { $0.counts[note] } ?? Count()
            count.claimed = claimed ?? count.claimed
            let now = context.time.now()
            if isAnew || count.doubtedAt.map({ $0 + LightningPayees.lifetime <= now }) ?? false { count.judgeAnew() }
            let judgement = await judge(receipts.filter { count.judged[$0.id] == nil }, on: event)
            count.judged.merge(judgement.verdicts) { _, new in new }
            if !judgement.doubted.isEmpty { count.doubtedAt = count.doubtedAt ?? now }
            let anew = count.doubtedAt.map { $0 + LightningPayees.lifetime }
            count.retryAt = judgement.isOpen ? context.time.now() + LightningPayees.pause : anew
            wait(for: judgement.placeless.union(judgement.doubted), with: note)
            keep(count, of: note)
        } catch {
            context.report("zaps could not be counted", error)
        }
    }

    /// Has a note counted anew when one of these people says where they are paid, or did while it was counted.
    private func wait(for people: Set<PublicKey>, with note: EventID) {
        state.withLock { state in
            if state.counting[note]?.isDisjoint(with: people) == false {
                state.anew.insert(note)
            }
            // Who waited for long is asked for again when a page shows the note.
            if state.placeless.count >= Self.mostPlaceless { state.placeless = [:] }
            for person in people { state.placeless[person, default: []].insert(note) }
        }
    }

    /// What people's places of payment say, without those that cannot be asked now; and who names none.
    func wallets(
        of recipients: Set<PublicKey>
    ) async -> (wallets: [PublicKey: LightningPayee], placeless: Set<PublicKey>) {
        // A store that cannot be read knows of none.
        let profiles = (try? await people.profiles(of: recipients)) ?? [:]
        people.request(recipients.filter { profiles[$0]?.isEmpty != false })
        var wallets: [PublicKey: LightningPayee] = [:]
        var placeless: Set<PublicKey> = []
        for key in recipients {
            guard let place = profiles[key].flatMap(LightningPlace.init(fields:)) else {
                placeless.insert(key)
                continue
            }
            wallets[key] = await payees.payee(at: place)
        }
        return (wallets, placeless)
    }

    /// The payment that a receipt which counts tells of.
    static func zap(_ receipt: ZapReceipt) -> Zap {
        Zap(
            sender: receipt.request.sender, isAnonymous: receipt.request.isAnonymous,
            millisatoshis: receipt.millisatoshis,
            comment: String(receipt.request.event.content.prefix(longestComment)), paidAt: receipt.paidAt,
            pollOption: ZapPoll.option(of: receipt.request.event))
    }

    private func keep(_ count: Count, of note: EventID) {
        state.withLock { state in
            if let old = state.counts[note] {
                state.kept -= old.judged.count
                state.order.removeAll { $0 == note }
            }
            state.counts[note] = count
            state.order.append(note)
            state.kept += count.judged.count
            while state.kept > Self.mostKept || state.order.count > Self.mostNotes, state.order.count > 1 {
                let oldest = state.order.removeFirst()
                state.kept -= state.counts.removeValue(forKey: oldest)?.judged.count ?? 0
            }
        }
    }
}
