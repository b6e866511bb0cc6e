/// When a program that has little to do lets go of what only makes it faster, as a value.
///
/// Code that only its start needed, and pages of files that nobody asks for, are worth their memory while there is much
/// to do, and not on a small machine that runs all day.
struct QuietTime {
    /// How often in a row little had been done.
    private var looks = 0
    /// What the program had done in all when it was last looked at.
    private var worked: Duration
    /// What was held right after it was last let go of, in bytes; `nil` before the first time.
    private var left: Int?
    /// Little is at most a twentieth of one processor's time.
    private let little = 20
    /// What idling itself needs again is less.
    private let slack = 16 << 20

    /// - Parameter worked: the processor time of the program until now.
    init(worked: Duration) {
        self.worked = worked
    }

    /// The first time soon after the start, and then only when nobody comes for a minute.
    private var enough: Int { left == nil ? 2 : 12 }

    /// Whether it has just become quiet.
    var isBeginning: Bool { looks == 1 }

    /// Whether to let go now; asked every five seconds.
    ///
    /// - Parameters:
    ///   - held: what the program holds, in bytes, pages of files included.
    ///   - worked: its processor time until now.
    ///   - elapsed: the time since it was last asked.
    mutating func shouldLetGo(held: Int, worked: Duration, after elapsed: Duration) -> Bool {
        let isQuiet = (worked - self.worked) * little <= elapsed
        self.worked = worked
        looks = isQuiet ? looks + 1 : 0
        guard looks >= enough else { return false }
        return left.map { held > $0 + slack } ?? true
    }

    /// It was let go of, and so much was held after that.
    mutating func letGo(leaving held: Int) {
        left = held
        looks = 0
    }
}
