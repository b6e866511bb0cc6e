internal import FoundationEssentials
public import NostrCore
public import NostrStore

/// The steps that lead somebody who is new from a key to a home page worth reading, and how far they have come.
///
/// A value with a pure transition, kept in the account's records, so that a person goes on where they were after the
/// browser was closed or the program restarted. Every step can be skipped.
public struct FirstRunProgress: Hashable, Sendable {
    /// The steps, in their order.
    public enum Step: String, CaseIterable, Sendable {
        case key, relays, profile, people, topics, note

        /// Its place, from 1.
        public var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }
    }

    /// How a step ended.
    public enum Outcome: String, Sendable {
        case done, skipped
    }

    /// What can happen.
    public enum Input: Hashable, Sendable {
        /// It begins, or goes on after the program was restarted.
        case resumed
        /// A step was done.
        case finished(Step)
        /// A step was skipped.
        case skipped(Step)
        /// The person goes home; what is open is skipped.
        case left
        /// The key is not new any more, and the steps are still open: who closed the browser on the way is to be found, too.
        case waited
        /// What nobody chose was published: the usual relays, and the name that the key was made with.
        case announced
    }

    /// What is to be done.
    public enum Effect: Hashable, Sendable {
        /// Look for relays, for people, for topics.
        case findRelays, findPeople, findTopics
        /// Publish what makes the person findable, where they did not do it themselves.
        case announce
    }

    /// For so long after its beginning nobody else has written with the key.
    static let novelty: Duration = .seconds(7200)

    /// What the person called themselves when the key was made.
    public let name: String
    /// When it began.
    public let began: Timestamp
    /// How each step ended; those that are open are missing.
    public private(set) var outcomes: [Step: Outcome] = [:]
    /// Whether the person has gone home.
    public private(set) var isOver = false
    private var isAnnounced = false

    /// Begins.
    public init(name: String, began: Timestamp) {
        self.name = name
        self.began = began
    }

    /// The first step that is open; `nil` when none is.
    public var current: Step? { isOver ? nil : Step.allCases.first { outcomes[$0] == nil } }

    /// Whether something is still to be published that nobody chose.
    public var mustAnnounce: Bool { isOver && lacksAnnouncement }

    private var lacksAnnouncement: Bool {
        !isAnnounced && (outcomes[.relays] != .done || outcomes[.profile] != .done)
    }

    /// Whether the key is so new that what lies here is all that was ever written with it.
    public func isKeyNew(at now: Timestamp) -> Bool { (!isOver || mustAnnounce) && now < began + Self.novelty }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .resumed:
            if isOver { return mustAnnounce ? [.announce] : [] }
            return [(Step.relays, Effect.findRelays), (.people, .findPeople), (.topics, .findTopics)].compactMap {
                outcomes[$0] == nil ? $1 : nil
            }
        case .finished(let step):
            outcomes[step] = .done
        case .skipped(let step):
            // What was done stays done.
            if outcomes[step] == nil { outcomes[step] = .skipped }
        case .left:
            if isOver { return [] }
            for step in Step.allCases where outcomes[step] == nil { outcomes[step] = .skipped }
        case .waited:
            return lacksAnnouncement ? [.announce] : []
        case .announced:
            isAnnounced = true
            return []
        }
        guard !isOver, Step.allCases.allSatisfy({ outcomes[$0] != nil }) else { return [] }
        isOver = true
        return mustAnnounce ? [.announce] : []
    }
}

extension FirstRunProgress {
    /// Its table in the account's records.
    static let table = "first-run"
    /// Its key there.
    static let record = "progress"

    /// Notes that an account's key was just made where nobody is led through the steps, as in a terminal: the first
    /// start with the key publishes what makes the person findable.
    ///
    /// - Parameters:
    ///   - name: what the person called themselves; may be empty.
    ///   - records: those of the account, which is not at work.
    /// - Throws: ``/NostrStore/StoreError``.
    public static func noteNewKey(name: String, in records: any RecordStore, now: Timestamp) async throws {
        // The key may have gone to another program since: relays are asked before anything of it is replaced.
        var progress = FirstRunProgress(name: name, began: now - novelty)
        // What is to be done is done by whoever opens the account.
        _ = progress.apply(.left)
        try await records.put(try progress.encoded(), for: record, in: table)
    }

    private struct Record: Codable {
        var name: String
        var began: Int64
        var steps: [String: String]
        var isOver: Bool
        var isAnnounced: Bool
    }

    /// Reads the form it is kept in; `nil` for bytes that are none.
    init?(_ bytes: [UInt8]) {
        // What cannot be read is no first run: the person is not led through it twice.
        guard let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)) else { return nil }
        self.init(name: record.name, began: Timestamp(seconds: record.began))
        for (step, outcome) in record.steps {
            // A step of a later version is none here.
            if let step = Step(rawValue: step) { outcomes[step] = Outcome(rawValue: outcome) }
        }
        (isOver, isAnnounced) = (record.isOver, record.isAnnounced)
    }

    /// The form it is kept in.
    func encoded() throws -> [UInt8] {
        let steps = Dictionary(uniqueKeysWithValues: outcomes.map { ($0.key.rawValue, $0.value.rawValue) })
        return [UInt8](
            try JSONEncoder().encode(
                Record(name: name, began: began.seconds, steps: steps, isOver: isOver, isAnnounced: isAnnounced)))
    }
}
