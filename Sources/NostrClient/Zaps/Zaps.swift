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
    private static let mostPlaceless = 1_000

    private struct Count {
        /// How many events that claim to be receipts there were.
        var claimed = -1
        /// Receipts that were judged for good; `nil` for one that does not count.
        var judged: [EventID: (payment: [UInt8], zap: Zap)?] = [:]
        /// When to try again to judge the others.
        var retryAt: Timestamp?
    }

    private struct State {
        var counts: [EventID: Count] = [:]
        /// The notes that were counted, the one counted longest ago first.
        var order: [EventID] = []
        var kept = 0
        /// Notes with receipts that cannot be judged before somebody's profile says where they are paid.
        var placeless: [PublicKey: Set<EventID>] = [:]
    }

    private let context: AccountContext
    private let people: People
    private let payees: LightningPayees
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
        guard claimed > 0, payees.isAvailable else { return ZapTally() }
        let now = context.time.now()
        let known = state.withLock { $0.counts[note] }
        if known?.claimed != claimed || known?.retryAt.map({ $0 <= now }) ?? false { waiting.add(note) }
        var payments: Set<[UInt8]> = []
        let judged = (known?.judged.values).map { $0.compactMap(\.self) } ?? []
        let zaps = judged.filter { payments.insert($0.payment).inserted && !muted.contains($0.zap.sender) }
        return ZapTally(zaps.map(\.zap))
    }

    /// A profile may say where a person is paid, at last or anew.
    func stored(_ event: Event) {
        guard event.kind == ProfileMetadata.kind else { return }
        for note in state.withLock({ $0.placeless.removeValue(forKey: event.pubkey) }) ?? [] { waiting.add(note) }
    }

    private func count(_ note: EventID) async {
        do {
            guard let event = try await context.store.query([Filter(ids: [note])]).first else { return }
            var filters = [Filter(kinds: [ZapReceipt.kind], tags: ["e": [note.hex]], limit: Self.mostReceipts)]
            if let address = event.address {
                filters.append(
                    Filter(kinds: [ZapReceipt.kind], tags: ["a": [address.description]], limit: Self.mostReceipts))
            }
            let receipts = try await context.store.query(filters)
            var count = state.withLock { $0.counts[note] } ?? Count()
            count.claimed = receipts.count { $0.tags.contains { $0.name == "e" && $0.value == note.hex } }
            count.retryAt = nil
            let new = receipts.filter { count.judged[$0.id] == nil }
            let read = await mapOnAllCores(new, priority: .utility) { receipt in
                // Why a receipt does not count is shown nowhere: it is as if it were not there.
                let checked = try? ZapReceipt(receipt)
                return (receipt.id, checked.flatMap { (try? $0.check(on: event)) == nil ? nil : $0 })
            }
            let recipients = Set(read.compactMap { $0.1?.request.recipient })
            let (known, placeless) = await wallets(of: recipients)
            wait(for: placeless, with: note)
            for (id, receipt) in read {
                guard let receipt else {
                    count.judged[id] = .some(nil)
                    continue
                }
                if placeless.contains(receipt.request.recipient) { continue }
                guard let wallet = known[receipt.request.recipient] else {
                    count.retryAt = context.time.now() + LightningPayees.pause
                    continue
                }
                let counts = (try? receipt.check(by: wallet)) != nil
                count.judged[id] = .some(counts ? (receipt.paymentHash, Self.zap(receipt)) : nil)
            }
            keep(count, of: note)
        } catch {
            context.report("zaps could not be counted", error)
        }
    }

    private func wait(for people: Set<PublicKey>, with note: EventID) {
        state.withLock { state in
            // Who waited for long is asked for again when a page shows the note.
            if state.placeless.count >= Self.mostPlaceless { state.placeless = [:] }
            for person in people { state.placeless[person, default: []].insert(note) }
        }
    }

    /// What people's places of payment say, without those that cannot be asked now; and who names none.
    private func wallets(
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

    private static func zap(_ receipt: ZapReceipt) -> Zap {
        Zap(
            sender: receipt.request.sender, isAnonymous: receipt.request.isAnonymous,
            millisatoshis: receipt.millisatoshis,
            comment: String(receipt.request.event.content.prefix(longestComment)), paidAt: receipt.paidAt)
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
            while state.kept > Self.mostKept, state.order.count > 1 {
                let oldest = state.order.removeFirst()
                state.kept -= state.counts.removeValue(forKey: oldest)?.judged.count ?? 0
            }
        }
    }
}
