/// Why something did not come of a message bus.
enum DBusProblem: Error, Hashable, Sendable {
    /// There is no bus at the address, or the address is none that can be used here.
    case noBus
    /// The bus does not take this person.
    case refused
    /// What came breaks the rules of D-Bus.
    case malformed
    /// No answer in time.
    case noReply
    /// The bus went away, or the caller was cancelled.
    case gone
    /// The other side answered with an error of this name.
    case error(String)
}
