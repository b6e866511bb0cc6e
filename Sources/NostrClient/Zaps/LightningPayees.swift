internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Who signs receipts for what is paid to people, as their places of payment say, kept for a day.
final class LightningPayees: Sendable {
    private static let table = "lightning-payee"
    static let lifetime: Duration = .seconds(24 * 3600)
    /// For so long a place that gave no answer is left alone.
    static let pause: Duration = .seconds(15 * 60)
    private static let mostKept = 5_000

    private struct Answer {
        /// `nil` where the place gave no document.
        var payee: LightningPayee?
        var readAt: Timestamp

        func isFresh(_ now: Timestamp) -> Bool {
            readAt <= now && readAt + (payee == nil ? pause : lifetime) > now
        }
    }

    private let context: AccountContext
    private let answers = Mutex<[LightningPlace: Answer]>([:])

    init(_ context: AccountContext) { self.context = context }

    /// Whether anybody can be asked at all.
    var isAvailable: Bool { context.payees != nil }

    /// What a place says; `nil` where it gives no document now.
    func payee(at place: LightningPlace) async -> LightningPayee? {
        let now = context.time.now()
        if let answer = answers.withLock({ $0[place] }), answer.isFresh(now) { return answer.payee }
        if let kept = await kept(place), kept.isFresh(now) {
            answers.withLock { $0[place] = kept }
            return kept.payee
        }
        // Why a place gives nothing makes no difference: its receipts cannot be checked.
        let bytes = try? await context.payees?.document(at: place)
        let answer = Answer(payee: bytes.flatMap { LightningPayee(place, json: $0) }, readAt: context.time.now())
        let dropped = answers.withLock { answers -> LightningPlace? in
            answers[place] = answer
            guard answers.count > Self.mostKept else { return nil }
            let oldest = answers.min { $0.value.readAt < $1.value.readAt }?.key
            if let oldest { answers[oldest] = nil }
            return oldest
        }
        await keep(answer, of: place, without: dropped)
        return answer.payee
    }

    private func kept(_ place: LightningPlace) async -> Answer? {
        do {
            guard let record = try await context.records.value(place.url, in: Self.table) else { return nil }
            let parts = String(decoding: record, as: UTF8.self).split(separator: " ")
            guard let seconds = parts.first.flatMap({ Int64($0) }), parts.count == 2 else { return nil }
            // A `-` stands for nobody.
            let issuer = try? PublicKey(hex: String(parts[1]))
            return Answer(payee: LightningPayee(place, zapIssuer: issuer), readAt: Timestamp(seconds: seconds))
        } catch {
            context.report("what a place of payment said could not be read from disk", error)
            return nil
        }
    }

    private func keep(_ answer: Answer, of place: LightningPlace, without dropped: LightningPlace?) async {
        var changes: [RecordChange] = []
        if let payee = answer.payee {
            let text = "\(answer.readAt.seconds) \(payee.zapIssuer?.hex ?? "-")"
            changes.append(.put(table: Self.table, key: place.url, value: Array(text.utf8)))
        }
        if let dropped { changes.append(.remove(table: Self.table, key: dropped.url)) }
        guard !changes.isEmpty else { return }
        do { try await context.records.apply(changes) } catch {
            context.report("what a place of payment said could not be kept", error)
        }
    }
}
