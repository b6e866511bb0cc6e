public import NostrCore

/// What a reading of the store is told whenever it asks, so that it takes its turn among others and ends with its reason.
public struct ReadingLimit: Sendable {
    /// What a reading is told.
    public enum Sign: Hashable, Sendable {
        /// Go on.
        case goOn
        /// Stop at the next place from which it can go on later.
        case pause
        /// Stop at once; nobody waits for it any more, or it has cost too much.
        case stop
    }

    /// Quick: asked for every event, and from inside the database.
    public let sign: @Sendable () -> Sign

    /// Goes by what somebody else decides each time it is asked.
    public init(_ sign: @escaping @Sendable () -> Sign) {
        self.sign = sign
    }

    /// Ends with the task that reads, and no earlier.
    public static var cancellation: ReadingLimit {
        ReadingLimit { Task.isCancelled ? .stop : .goOn }
    }
}

/// A question that is answered in steps; in each, an ``EventStore`` takes it up where it was left.
public struct AnswerReading: Sendable {
    /// What is asked.
    public let filters: [Filter]
    /// Roughly how much memory the events may take; the first one is given in any case.
    public let bytes: Int
    /// How many events are listed; the older ones are left out.
    public let most: Int
    /// What was found, once everything has been read.
    public var answer: StoredAnswer?

    /// Where the store goes on.
    package var walk = FilterWalk()
    package var builder: StoredAnswerBuilder

    /// A question of which nothing has been read.
    public init(_ filters: [Filter], bytes: Int, most: Int) {
        (self.filters, self.bytes, self.most) = (filters, bytes, most)
        builder = StoredAnswerBuilder(bytes: bytes)
    }
}

/// A COUNT in steps, as ``AnswerReading``.
public struct CountReading: Sendable {
    /// How it ended.
    public enum Outcome: Hashable, Sendable {
        /// So many distinct events.
        case count(Int)
        /// More would have had to be looked at than may be.
        case tooMuch
    }

    /// What is asked.
    public let filters: [Filter]
    /// How many events may be looked at.
    public let most: Int
    /// Which events count, quick; all where there is none.
    public let isCounted: (@Sendable (Event) -> Bool)?
    /// How it ended, once it has.
    public var outcome: Outcome?

    /// Where the store goes on.
    package var walk: FilterWalk
    package var found: Set<EventID> = []

    /// A count of which nothing has been read.
    public init(_ filters: [Filter], lookingAt most: Int, where isCounted: (@Sendable (Event) -> Bool)?) {
        (self.filters, self.most, self.isCounted) = (filters, most, isCounted)
        walk = FilterWalk(left: most)
    }
}

/// How far a store has come with the filters of a question; the numbers are its own.
package struct FilterWalk: Hashable, Sendable {
    /// Within one filter.
    package struct Place: Hashable, Sendable {
        /// What was found in an index and is to be read next.
        package var keys: ArraySlice<Int64> = []
        /// Where more is to be looked for after those; `nil` when that is all.
        package var range: ClosedRange<Int64>?
        /// How many keys are looked for at once.
        package var page: Int
        /// How many events are still wanted.
        package var missing: Int

        package init(range: ClosedRange<Int64>, page: Int, missing: Int) {
            (self.range, self.page, self.missing) = (range, page, missing)
        }
    }

    /// The filter that is being read.
    package var filter = 0
    /// Where in it; `nil` at its beginning.
    package var place: Place?
    /// How many events may still be looked at.
    package var left: Int

    package init(left: Int = .max) {
        self.left = left
    }
}

extension EventStore {
    /// Reads everything in one step: for stores that have their events in memory anyway.
    public func read(_ reading: inout AnswerReading, until limit: ReadingLimit) async throws {
        reading.answer = try await answer(reading.filters, bytes: reading.bytes, most: reading.most)
    }

    /// Counts in one step: for stores that have their events in memory anyway.
    public func read(_ reading: inout CountReading, until limit: ReadingLimit) async throws {
        let count = try await count(reading.filters, lookingAt: reading.most, where: reading.isCounted)
        reading.outcome = count.map { .count($0) } ?? .tooMuch
    }
}
