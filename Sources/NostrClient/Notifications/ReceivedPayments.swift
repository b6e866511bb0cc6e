internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Payments to the account: judged from receipts that name it, by the rules of ``Zaps``.
///
/// A page shows those that were judged before; `run()` judges the others and says so. A class over one lock, since every
/// page asks.
final class ReceivedPayments: Sendable {
    private static let mostKept = 20_000
    private static let mostWaiting = 4_000
    private static let mostAtOnce = 200

    private struct State {
        /// What was judged; `nil` for a receipt that does not count.
        var judged: [EventID: Zap?] = [:]
        /// Those that do not count since another wallet signed them than is known, and since when.
        var doubted: [EventID: Timestamp] = [:]
        /// Which receipt was the first of each payment.
        var payments: [[UInt8]: EventID] = [:]
        var waiting: [EventID: Event] = [:]
        /// Receipts that cannot be judged now, and when to try again.
        var retryAt: [EventID: Timestamp] = [:]
        /// How many profiles of the account came.
        var profiles = 0
    }

    private let context: AccountContext
    private let zaps: Zaps
    private let state = Mutex(State())
    private let bell = Doorbell()

    init(_ context: AccountContext, zaps: Zaps) {
        self.context = context
        self.zaps = zaps
    }

    /// Whether receipts wait to be judged.
    var isJudging: Bool { state.withLock { !$0.waiting.isEmpty } }

    /// The payments of receipts that are known to count; the others are judged soon.
    func zaps(of receipts: [Event]) -> [EventID: Zap] {
        guard !receipts.isEmpty, zaps.payees.isAvailable else { return [:] }
        let now = context.time.now()
        let (zaps, hasNew) = state.withLock { state in
            var zaps: [EventID: Zap] = [:]
            var hasNew = false
            for receipt in receipts {
                let isDoubted = state.doubted[receipt.id].map { $0 + LightningPayees.lifetime <= now } ?? false
                if !isDoubted, let judged = state.judged[receipt.id] {
                    zaps[receipt.id] = judged
                } else if state.retryAt[receipt.id].map({ $0 <= now }) ?? true, state.waiting.count < Self.mostWaiting {
                    state.waiting[receipt.id] = receipt
                    hasNew = true
                }
            }
            return (zaps, hasNew)
        }
        if hasNew { bell.ring() }
        return zaps
    }

    /// The account's profile may say anew where it is paid.
    func stored(_ event: Event) {
        guard event.kind == ProfileMetadata.kind, event.pubkey == context.publicKey else { return }
        state.withLock { state in
            state.profiles += 1
            state.retryAt = [:]
            for id in state.doubted.keys { state.judged[id] = nil }
            state.doubted = [:]
        }
    }

    /// Judges what pages asked for until cancelled.
    ///
    /// - Parameter tell: called when a payment counts that did not before.
    func run(_ tell: @Sendable () -> Void) async {
        guard zaps.payees.isAvailable else { return }
        while !Task.isCancelled {
            let next = state.withLock { Array($0.waiting.values.prefix(Self.mostAtOnce)) }
            if next.isEmpty {
                await bell.wait()
            } else if await judge(next) {
                tell()
            }
        }
    }

    /// - Returns: whether one of them counts.
    private func judge(_ receipts: [Event]) async -> Bool {
        let read = await mapOnAllCores(receipts, givesWay: true) { receipt in
            // Why a receipt does not count is shown nowhere: it is as if it were not there.
            (id: receipt.id, receipt: try? ZapReceipt(receipt))
        }
        let profiles = state.withLock { $0.profiles }
        let zapped = await zapped(by: read.compactMap(\.receipt))
        let wallet = await zaps.wallets(of: [context.publicKey]).wallets[context.publicKey]
        var outcomes: [EventID: Outcome] = [:]
        for (id, receipt) in read {
            guard let receipt, receipt.request.recipient == context.publicKey else {
                outcomes[id] = .refused
                continue
            }
            outcomes[id] = outcome(of: receipt, zapped, wallet)
        }
        return keep(outcomes, asOf: profiles)
    }

    private enum Outcome {
        case counts(ZapReceipt)
        case refused
        /// Another wallet signed it than is known.
        case doubted
        /// What it depends on is not known.
        case later
    }

    /// What receipts name, as far as it is here.
    private struct Zapped {
        var events: [EventID: Event] = [:]
        /// The versions in force.
        var versions: [EventAddress: Event] = [:]

        func event(of request: ZapRequest) -> Event? {
            request.target.flatMap { events[$0] } ?? request.address.flatMap { versions[$0] }
        }
    }

    private func outcome(of receipt: ZapReceipt, _ zapped: Zapped, _ wallet: LightningPayee?) -> Outcome {
        let request = receipt.request
        if let event = zapped.event(of: request) {
            // Also what others published and the account is to be paid for: a stream it hosts, a note that names it.
            guard (try? receipt.check(on: event)) != nil else { return .refused }
        } else if request.target != nil || request.address.map({ $0.author != context.publicKey }) ?? false {
            return .later
        }
        guard let wallet else { return .later }
        return (try? receipt.check(by: wallet)) == nil ? .doubted : .counts(receipt)
    }

    /// - Parameter profiles: how many had come when the wallet was looked up.
    private func keep(_ outcomes: [EventID: Outcome], asOf profiles: Int) -> Bool {
        let now = context.time.now()
        let retryAt = now + LightningPayees.pause
        return state.withLock { state in
            if state.judged.count > Self.mostKept {
                // Judged again when a page shows them.
                state.judged = [:]
                state.doubted = [:]
                state.payments = [:]
            }
            if state.retryAt.count > Self.mostKept { state.retryAt = [:] }
            var hasNew = false
            for (id, outcome) in outcomes.sorted(by: { $0.key < $1.key }) {
                state.doubted[id] = nil
                // A profile that came meanwhile may name another wallet: it waits on and is judged once more.
                if case .doubted = outcome, state.profiles != profiles {
                    state.judged[id] = nil
                    continue
                }
                state.waiting[id] = nil
                switch outcome {
                case .later:
                    // One that was doubted before is not for good.
                    state.judged[id] = nil
                    state.retryAt[id] = retryAt
                case .refused: state.judged[id] = .some(nil)
                case .doubted:
                    state.judged[id] = .some(nil)
                    state.doubted[id] = now
                case .counts(let receipt):
                    let first = state.payments[receipt.paymentHash] ?? id
                    state.payments[receipt.paymentHash] = first
                    state.judged[id] = .some(first == id ? Zaps.zap(receipt) : nil)
                    hasNew = hasNew || first == id
                }
            }
            return hasNew
        }
    }

    private func zapped(by receipts: [ZapReceipt]) async -> Zapped {
        let ids = Set(receipts.compactMap(\.request.target))
        // Without an identifier it would be all that an author wrote.
        let addresses = Set(receipts.compactMap(\.request.address).filter { !$0.identifier.isEmpty })
        let filters = (ids.isEmpty ? [] : [Filter(ids: ids)]) + addresses.map(\.filter)
        guard !filters.isEmpty else { return Zapped() }
        do {
            let found = try await context.store.query(filters)
            var zapped = Zapped()
            for event in found {
                if ids.contains(event.id) { zapped.events[event.id] = event }
                if let address = event.address, addresses.contains(address) { zapped.versions[address] = event }
            }
            return zapped
        } catch {
            context.report("what was paid for could not be read from disk", error)
            return Zapped()
        }
    }
}
