public import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Relays to begin with: what was found, and what the person makes of it.
public struct RelaySelection: Equatable, Sendable {
    /// One relay that answers.
    public struct Row: Equatable, Sendable {
        /// Its address.
        public let address: String
        /// Its address without the scheme.
        public let name: String
        /// Who uses it, and how fast it answers.
        public let facts: String
        /// What it is for.
        public var use: OwnRelaysEditor.Use
    }

    /// The most relays a first list may name.
    private static let most = 8

    /// The relays, the best first.
    public private(set) var rows: [Row] = []
    /// Whether relays are still looked for.
    public private(set) var isSearching = false
    /// How the search stands, in a sentence.
    public private(set) var sentence = ""
    /// Whether the list is published.
    public private(set) var isPublished = false
    /// What relays answered to it.
    public private(set) var receipts: [ReceiptItem] = []
    /// What is wrong with what was filled in.
    public private(set) var problem: String?

    /// Whether more is still to come: relays, or answers to the list.
    public var isWaiting: Bool {
        isSearching || receipts.contains { if case .waiting = $0.standing { true } else { false } }
    }

    /// Shows a search.
    init(_ search: RelaySearch?, published: OwnRelayList? = nil, receipts: [ReceiptItem] = []) {
        self.receipts = receipts
        isPublished = published != nil
        if let published {
            rows = published.entries.map { entry in
                Row(
                    address: entry.relay.text, name: shortAddress(entry.relay), facts: "",
                    use: OwnRelaysEditor.Use(entry.usage))
            }
            let accepted = receipts.count { if case .accepted = $0.standing { true } else { false } }
            sentence = FirstRunWords.relaysPublished(accepted: accepted, of: receipts.count)
            return
        }
        isSearching = search?.phase != .over
        let chosen = Set(search?.choice ?? [])
        let candidates = search?.candidates ?? []
        // As long as relays are tried, what there is moves; it is shown when it stands.
        rows = (isSearching ? [] : candidates).filter { $0.delay != nil }.map { candidate in
            Row(
                address: candidate.relay.text, name: shortAddress(candidate.relay),
                facts: FirstRunWords.facts(of: candidate), use: chosen.contains(candidate.relay) ? .both : .none)
        }
        sentence = FirstRunWords.search(search)
    }

    /// What an account is offered, or has published.
    public static func load(of account: any Account) async throws(Trouble) -> RelaySelection {
        try await troubled {
            guard let run = account.firstRun else { throw Trouble(FirstRunWords.noFirstRun, canRetry: false) }
            let own = try await account.ownRelays.current()
            guard own.isPublished else { return RelaySelection(await run.relays()) }
            return RelaySelection(nil, published: own, receipts: onePerRelay(try await run.relayReceipts()))
        }
    }

    /// What each relay answered, once: where it has one list and not the other, what is missing.
    static func onePerRelay(_ receipts: [PublishReceipt]) -> [ReceiptItem] {
        var items: [ReceiptItem] = []
        for item in receipts.map(ReceiptItem.init) {
            if let place = items.firstIndex(where: { $0.relay == item.relay }) {
                if case .accepted = items[place].standing { items[place] = item }
            } else {
                items.append(item)
            }
        }
        return items
    }

    /// Publishes what was chosen.
    ///
    /// Afterwards ``problem`` says what is wrong with it, or nothing is.
    ///
    /// - Parameters:
    ///   - uses: what each relay is for, by its address.
    ///   - added: one more relay to write to and read; empty for none.
    public mutating func publish(_ uses: [String: OwnRelaysEditor.Use], adding added: String, of account: any Account)
        async
    {
        var usages: [RelayURL: RelayList.Usage] = [:]
        for (address, use) in uses where use != .none {
            // Addresses of the page itself; what is none was not on it.
            if let relay = try? RelayURL(address) { usages[relay] = use.usage }
        }
        for place in rows.indices { rows[place].use = uses[rows[place].address] ?? rows[place].use }
        let word = added.trimmingSpace()
        if !word.isEmpty {
            guard let relay = OwnRelaysEditor.relay(word) else { return problem = RelaysWords.notAnAddress }
            usages[relay] = .both
        }
        problem =
            switch usages.count {
            case 0: FirstRunWords.noRelayChosen
            case (Self.most + 1)...: FirstRunWords.tooManyRelays(usages.count, most: Self.most)
            case _ where !usages.values.contains { $0.contains(.write) }: FirstRunWords.nowhereToWrite
            case _ where !usages.values.contains { $0.contains(.read) }: FirstRunWords.nowhereToRead
            default: nil
            }
        guard problem == nil, let run = account.firstRun else { return }
        do {
            try await run.publish(relays: usages)
            try await run.apply(.finished(.relays))
        } catch {
            problem = Trouble(error).sentence
        }
    }
}

extension OwnRelaysEditor.Use {
    init(_ usage: RelayList.Usage) {
        self = usage == .both ? .both : usage == .read ? .read : usage == .write ? .write : .none
    }
}
