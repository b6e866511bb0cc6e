/// How the network stands, in one line.
public struct ConnectionSummary: Hashable, Sendable {
    /// Relays connected.
    public var connected: Int
    /// Relays that should be.
    public var wanted: Int
    /// Events waiting to be delivered.
    public var queued: Int
    /// Relays that asked who the person is and wait for the answer.
    public var questions: Int

    /// Counts of one moment.
    public init(connected: Int, wanted: Int, queued: Int, questions: Int = 0) {
        self.connected = connected
        self.wanted = wanted
        self.queued = queued
        self.questions = questions
    }
}
