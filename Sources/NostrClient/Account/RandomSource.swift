internal import NostrCore
internal import Synchronization

/// The one source of randomness of an account, shared by its services.
///
/// A class over a lock, so that services in different isolations draw from one seeded sequence in tests.
public final class RandomSource: Sendable {
    private let state: Mutex<any RandomNumberGenerator & Sendable>

    /// Draws from a generator: the system's in the program, a seeded one in tests.
    public init(_ generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) {
        state = Mutex(generator)
    }

    /// A number of 0..<1, for the jitter between retries.
    public func fraction() -> Double {
        var generator = generator
        return Double.random(in: 0..<1, using: &generator)
    }

    /// Fresh random bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        var generator = generator
        return randomBytes(count, using: &generator)
    }

    /// A generator that draws from this source; what is passed across a wait holds no lock meanwhile.
    public var generator: Generator { Generator(source: self) }

    /// Draws from the source it was made by.
    public struct Generator: RandomNumberGenerator, Sendable {
        fileprivate let source: RandomSource

        public mutating func next() -> UInt64 {
            source.state.withLock { $0.next() }
        }
    }
}
