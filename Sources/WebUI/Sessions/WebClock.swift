internal import Foundation
public import NostrCore

/// The time, as the face sees it.
public struct WebClock: Sendable {
    /// The moment now.
    public let now: @Sendable () -> Timestamp
    /// Waits, or throws when cancelled.
    public let sleep: @Sendable (Duration) async throws -> Void

    /// Takes both.
    public init(
        now: @escaping @Sendable () -> Timestamp, sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.sleep = sleep
    }

    /// The machine's clock.
    public static let system = WebClock(
        now: { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) },
        sleep: { try await Task.sleep(for: $0) })
}
