/// Nothing came of a command in time.
struct TimedOut: Error, CustomStringConvertible {
    var description: String { "It took too long; try again, or look at what became of it." }
}
