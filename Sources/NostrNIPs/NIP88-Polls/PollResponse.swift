public import NostrCore

/// What one person answers to a poll: kind 1018.
///
/// Source: NIP-88, "Responses".
public struct PollResponse: Hashable, Sendable {
    /// The kind of a response.
    public static let kind: Kind = 1018
    /// The most answers that are read from one response.
    static let mostRead = 256

    /// The response's own id.
    public let id: EventID
    /// Who answers.
    public let author: PublicKey
    /// When, as they say.
    public let createdAt: Timestamp
    /// The poll.
    public let poll: EventID
    /// The identifiers of the answers, as written: in order, perhaps one twice, perhaps some the poll does not have.
    public let options: [String]
    /// The work in it (NIP-13).
    public let work: ProofOfWork

    /// Reads an event; `nil` unless it is of kind 1018 and names a poll.
    ///
    /// Of several `e` tags the first that holds an id counts.
    public init?(_ event: Event) {
        guard event.kind == Self.kind,
            let poll = event.tags.named("e").lazy.compactMap({ $0.eventID(at: 1) }).first
        else { return nil }
        id = event.id
        author = event.pubkey
        createdAt = event.createdAt
        self.poll = poll
        options = event.tags.named("response").prefix(Self.mostRead).compactMap { $0.text(at: 1) }
        work = ProofOfWork(event)
    }

    /// A response whose facts are known.
    ///
    /// - Parameter committedTarget: the work its author meant to do, if they said so.
    public init(
        id: EventID, author: PublicKey, createdAt: Timestamp, poll: EventID, options: [String],
        committedTarget: Int? = nil
    ) {
        self.id = id
        self.author = author
        self.createdAt = createdAt
        self.poll = poll
        self.options = options
        work = ProofOfWork(difficulty: id.difficulty, committedTarget: committedTarget)
    }

    /// A vote.
    ///
    /// - Parameter options: the identifiers of what was chosen.
    public static func draft(to poll: EventID, options: [String], createdAt: Timestamp) -> EventDraft {
        let tags = [Tag(["e", poll.hex])] + options.map { Tag(["response", $0]) }
        return EventDraft(kind: kind, tags: tags, content: "", createdAt: createdAt)
    }

    /// Which answers of a poll this one stands for, each once.
    ///
    /// With a single choice it is the first that was written, and nothing where the poll has no such answer.
    public func chosen(in poll: Poll) -> [String] {
        let known = Set(poll.options.map(\.id))
        switch poll.choice {
        case .single: return options.prefix(1).filter(known.contains)
        case .multiple: return options.filter(known.contains).withoutDuplicates()
        }
    }

    /// Whether it counts where another of the same person does: the later one, at the same second the smaller id.
    func outdoes(_ other: PollResponse) -> Bool {
        createdAt != other.createdAt ? createdAt > other.createdAt : id < other.id
    }
}
