internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs

/// What is known of a receipt for good.
enum ZapVerdict: Hashable, Sendable {
    /// It keeps every rule.
    case counts(payment: [UInt8], Zap)
    /// It does not, and never will.
    case never
    /// It keeps them but for who signed it: no wallet of the recipient, as far as that is known. Their profile may name
    /// another one, and a wallet another key.
    case otherWallet
}

/// What judging some receipts gave.
struct ZapJudgement: Sendable {
    /// Those that could be judged for good.
    var verdicts: [EventID: ZapVerdict] = [:]
    /// Whose profile names no place of payment: their receipts wait for it.
    var placeless: Set<PublicKey> = []
    /// Of whose receipts one was signed by another wallet than theirs, as far as that is known.
    var doubted: Set<PublicKey> = []
    /// Whether a place of payment did not answer, so that its receipts are to be judged later.
    var isOpen = false
}

extension Zaps {
    /// Judges receipts about one event: a note, or a live stream.
    func judge(_ receipts: [Event], on event: Event) async -> ZapJudgement {
        let read = await mapOnAllCores(receipts, givesWay: true) { receipt in
            // Why a receipt does not count is shown nowhere: it is as if it were not there.
            let checked = try? ZapReceipt(receipt)
            return (receipt.id, checked.flatMap { (try? $0.check(on: event)) == nil ? nil : $0 })
        }
        let (known, placeless) = await wallets(of: Set(read.compactMap { $0.1?.request.recipient }))
        var judgement = ZapJudgement(placeless: placeless)
        for (id, receipt) in read {
            guard let receipt else {
                judgement.verdicts[id] = .never
                continue
            }
            if placeless.contains(receipt.request.recipient) { continue }
            guard let wallet = known[receipt.request.recipient] else {
                judgement.isOpen = true
                continue
            }
            guard (try? receipt.check(by: wallet)) != nil else {
                judgement.verdicts[id] = .otherWallet
                judgement.doubted.insert(receipt.request.recipient)
                continue
            }
            judgement.verdicts[id] = .counts(payment: receipt.paymentHash, Self.zap(receipt))
        }
        return judgement
    }
}
