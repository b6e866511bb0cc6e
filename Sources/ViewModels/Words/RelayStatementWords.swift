internal import NostrCore
internal import NostrNIPs

/// What a relay says of itself, in words.
enum RelayStatementWords {
    /// What it asks of those who come, in sentences; what asks for nothing says nothing.
    static func rules(_ limits: RelayLimitation) -> [String] {
        [
            limits.authRequired == true ? "It asks everyone to log in." : nil,
            limits.paymentRequired == true ? "It wants to be paid." : nil,
            limits.restrictedWrites == true ? "It takes notes only from some people, or of some sort." : nil,
            limits.minPowDifficulty.flatMap { $0 > 0 ? "It takes only notes with \($0) bits of work." : nil },
            limits.maxContentLength.map { "A note may have \($0) characters." },
            limits.maxMessageLength.map { "A message may have \($0) bytes." },
            limits.maxEventTags.map { "A note may have \($0) tags." },
            limits.maxSubscriptions.map { "It answers \($0) \($0 == 1 ? "request" : "requests") at once." },
            limits.maxLimit.map { "An answer has at most \($0) \($0 == 1 ? "note" : "notes")." },
            limits.createdAtLowerLimit.flatMap { $0 > 0 ? "A note may be \(span($0)) old." : nil },
            limits.createdAtUpperLimit.flatMap { $0 > 0 ? "A note may be dated \(span($0)) ahead." : nil },
        ].compactMap(\.self)
    }

    /// What is paid, and for what.
    static func fee(_ fee: RelayFee) -> String {
        let amount =
            ["msats", "msat"].contains(fee.unit.lowercased())
            ? InvoiceWords.amount(fee.amount) : "\(fee.amount) \(oneLine(fee.unit, limit: 20))"
        switch fee.occasion {
        case .admission: return "\(amount) to be let in"
        case .subscription:
            return fee.period.map { "\(amount) for \(span(Int(clamping: $0)))" } ?? "\(amount) to stay"
        case .publication:
            let kinds = fee.kinds.prefix(10).map { String($0.rawValue) }.joined(separator: ", ")
            return kinds.isEmpty ? "\(amount) for each event" : "\(amount) for each event of kind \(kinds)"
        }
    }

    /// A length of time, in the largest unit that leaves no odd rest worth telling.
    private static func span(_ seconds: Int) -> String {
        let units = [("day", 86_400), ("hour", 3_600), ("minute", 60)]
        guard let (word, size) = units.first(where: { seconds >= $0.1 }) else { return count(seconds, "second") }
        return count((seconds + size / 2) / size, word)
    }

    private static func count(_ number: Int, _ word: String) -> String {
        number == 1 ? "1 \(word)" : "\(number) \(word)s"
    }
}
