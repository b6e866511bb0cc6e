public import NostrCore
internal import NostrNIPs
public import NostrSigner

// What a request to sign is about, in words: to whom it says who you are, how much money, and what would be lost.

extension ChangeReport {
    /// One or two sentences about what signing does, such as “Stops following 2 people”.
    public var headline: String { summary.asked }

    /// One or two sentences about signing a draft: what it does, at which relay or site, and how much it costs.
    public func headline(of draft: EventDraft) -> String {
        if let address = draft.loginAddress {
            let shown = oneLine(address, limit: 200)
            if draft.kind == RelayAuthentication.kind { return "Says who you are to the relay \(shown)." }
            let method = draft.tags.firstValue("method").map { " (\(oneLine($0, limit: 10)))" } ?? ""
            return "Says who you are to \(shown)\(method)."
        }
        guard let amount else { return headline }
        let (whole, rest) = amount.quotientAndRemainder(dividingBy: 1000)
        return headline + (rest == 0 ? " Amount: \(whole) sats." : " Amount: \(amount) millisats.")
    }

    /// What saying yes would lose, as the beginning of “… would go”: "7 fields of the profile (Name, About)", "12 entries".
    ///
    /// Empty where nothing would.
    public var loss: String {
        if case .deletion(let events, let addresses) = summary {
            return Self.count(events + addresses, "published thing", "published things")
        }
        let fields = change?.fields.filter { $0.after == nil && $0.before?.isEmpty == false } ?? []
        var parts: [String] = []
        if summary.kind == ProfileMetadata.kind, !fields.isEmpty {
            let names = fields.prefix(12).map { ProfileWords.field($0.name) }.joined(separator: ", ")
            let more = fields.count > 12 ? " and \(fields.count - 12) more" : ""
            parts.append(Self.count(fields.count, "field", "fields") + " of the profile (\(names)\(more))")
        }
        let entries = (change?.dropped.count ?? 0) + (change?.droppedUnknown ?? 0)
        if entries > 0 { parts.append(Self.count(entries, "entry", "entries")) }
        if case .replacement(let replacement) = summary, replacement.remarks.contains(.replacesUnread) {
            parts.append("a private part that cannot be read now")
        }
        return parts.count < 2
            ? parts.joined() : parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
    }

    private static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}

extension SigningSummary {
    /// The kind it is about; `nil` for a deletion.
    fileprivate var kind: Kind? {
        switch self {
        case .event(let kind, _): kind
        case .replacement(let replacement): replacement.kind
        case .deletion: nil
        }
    }
}
