public import NostrClient
public import NostrCore

/// How much work (NIP-13) goes into what is published, as a page asks for it.
public struct WorkChoice: Hashable, Sendable {
    /// Bits for notes, for reactions, and for each wrap of a message; 0 for none.
    public let notes: Int, reactions: Int, messages: Int

    /// The most bits a page lets one choose: about a quarter of an hour on a fast machine.
    public static let most = 30

    /// Bits below 0 count as 0, and those above ``most`` as that many.
    public init(notes: Int, reactions: Int, messages: Int) {
        func clamped(_ bits: Int) -> Int { max(0, min(bits, Self.most)) }
        self.notes = clamped(notes)
        self.reactions = clamped(reactions)
        self.messages = clamped(messages)
    }
}

/// Work that goes on right now, for people.
public struct WorkItem: Hashable, Sendable {
    /// The bits asked for.
    public let bits: Int
    /// How far it is on average, in percent; below 100 however long it takes.
    public let percent: Int
    /// How fast it goes and how long it still takes, in words.
    public let words: String

    /// Reads what an account tells.
    public init(_ work: WorkInProgress) {
        bits = work.bits
        let expected = Double(sign: .plus, exponent: max(0, min(work.bits, 60)), significand: 1)
        percent = Int(max(0, min(99, Double(work.hashes) / expected * 100)))
        let seconds = work.remaining.map { Int(min($0.components.seconds, 86_400 * 30)) }
        words = WorkWords.left(seconds, rate: work.rate)
    }
}

extension WorkChoice {
    /// How much work goes into what an account publishes.
    public static func load(from mining: any WorkControl) async throws(Trouble) -> WorkChoice {
        let policy = try await troubled { try await mining.policy() }
        return WorkChoice(notes: policy.notes, reactions: policy.reactions, messages: policy.wraps)
    }

    /// Changes that.
    public func keep(in mining: any WorkControl) async throws(Trouble) {
        let policy = WorkPolicy(notes: notes, reactions: reactions, wraps: messages)
        try await troubled { try await mining.setPolicy(policy) }
    }
}

extension OutgoingNotes {
    /// The work that goes on before a note is signed; `nil` when there is none.
    public func work(on id: String) async -> WorkItem? {
        guard let account = await publishing(id) else { return nil }
        return await account.mining.inProgress().map(WorkItem.init)
    }

    /// Publishes a note without the rest of its work; only who wrote it can.
    public func skipWork(on id: String, of key: PublicKey) async {
        guard let account = await publishing(id), account.publicKey == key else { return }
        await account.mining.skip()
    }
}
