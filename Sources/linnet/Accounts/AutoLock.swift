import Foundation
import NostrStore

/// When an account locks itself: after some time in which nobody was there.
///
/// Times count from any one moment, by a clock that also runs while the machine sleeps.
struct AutoLock: Hashable, Sendable {
    /// After how long; `nil` for never.
    var after: Duration?
    /// When somebody was last there.
    private(set) var lastTouch: Duration

    /// The shortest that still lets a person read a page.
    static let shortest = Duration.seconds(60)

    init(after: Duration?, at now: Duration) {
        self.after = after
        lastTouch = now
    }

    /// Somebody is there.
    mutating func touch(at now: Duration) {
        lastTouch = max(lastTouch, now)
    }

    /// Whether it is time.
    func isDue(at now: Duration) -> Bool {
        after.map { now - lastTouch >= $0 } ?? false
    }
}

extension AutoLock {
    private static let table = "keys", key = "auto-lock"

    /// What an account's records say; `nil` for never, which is also what nothing means.
    static func kept(in records: any RecordStore) async throws -> Duration? {
        guard let value = try await records.value(key, in: table),
            let seconds = Int64(String(decoding: value, as: UTF8.self)), seconds > 0
        else { return nil }
        return max(.seconds(seconds), shortest)
    }

    /// Writes it into an account's records.
    static func keep(_ after: Duration?, in records: any RecordStore) async throws {
        guard let after else { return try await records.remove(key, in: table) }
        try await records.put(Array("\(after.components.seconds)".utf8), for: key, in: table)
    }
}

/// The time since it was made, by a clock that never jumps.
struct Uptime: Sendable {
    /// How long it has run.
    let elapsed: @Sendable () -> Duration

    init(_ clock: some Clock<Duration> = ContinuousClock()) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }
}
