/// How often in a row a wrong passphrase was typed, and how long none is looked at.
///
/// A value without a clock: moments go in.
package struct PassphraseTries: Hashable, Sendable {
    /// How many wrong ones cost no pause.
    static let free = 3
    /// The pause after the first that does; each one more doubles it.
    static let firstPause = Duration.seconds(5)
    /// The longest pause.
    static let longestPause = Duration.seconds(900)

    private var wrong = 0
    private var begun = Duration.zero

    /// No try so far.
    package init() {}

    /// How long is still to be waited; `nil` when a try may be made.
    func pause(at uptime: Duration) -> Duration? {
        let left = begun + pause - uptime
        return left > .zero ? left : nil
    }

    /// Counts a try, as a wrong one until it is known to be right: several at once are no way around the pauses.
    ///
    /// - Parameter uptime: the moment, by a clock that does not jump.
    /// - Returns: how long is still to be waited; then nothing was counted.
    package mutating func begin(at uptime: Duration) -> Duration? {
        if let pause = pause(at: uptime) { return pause }
        wrong += 1
        begun = uptime
        return nil
    }

    /// The right one was typed.
    mutating func succeed() { self = PassphraseTries() }

    /// Nothing could be found out by a try.
    package mutating func takeBack() { wrong = max(wrong - 1, 0) }

    private var pause: Duration {
        guard wrong >= Self.free else { return .zero }
        // Bounded before it is doubled, as shifts are not.
        return min(Self.firstPause * (1 << min(wrong - Self.free, 16)), Self.longestPause)
    }
}
