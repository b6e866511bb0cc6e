/// Where positions come from: a receiver, a browser, a file, a fixed place.
///
/// Nothing runs while nobody reads; each stream has one reader, and ends with it.
public protocol LocationSource: Sendable {
    /// Positions and failures as they come, until the reader leaves or the source has no more.
    ///
    /// - Parameter interval: how often the reader has use for a position. A source rests in between if it can; it may
    ///   also send more often. Who needs another interval drops the stream and asks again.
    func readings(every interval: Duration) -> AsyncStream<LocationReading>
}

/// What a source has to say.
public enum LocationReading: Hashable, Sendable {
    /// A position.
    case fix(Fix)
    /// There is none, and why; the source goes on unless the stream ends.
    case failure(LocationFailure)
}

/// Why a source has no position.
public enum LocationFailure: String, Error, Hashable, Sendable, Codable {
    /// The person or the system does not allow it.
    case notAllowed
    /// There is no receiver.
    case noDevice
    /// The receiver does not know where it is: indoors, or just switched on.
    case noFix
    /// The program or the file the positions come from is gone; some sources come back.
    case sourceGone
}

extension LocationReading {
    /// A position, or ``LocationFailure/noFix`` for numbers that make none.
    init(_ fix: () throws(FixProblem) -> Fix) {
        do {
            self = .fix(try fix())
        } catch {
            self = .failure(.noFix)
        }
    }
}

/// The shortest wait between two readings of our own sources: a hint of nothing must not make one run hot.
let shortestRest: Duration = .seconds(1)
