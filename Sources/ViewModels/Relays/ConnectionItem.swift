public import NostrClient

/// How the network stands, in one line.
public struct ConnectionItem: Hashable, Sendable {
    /// Relays connected, of those wanted.
    public let connected: Int, wanted: Int
    /// Own events waiting to be delivered.
    public let queued: Int
    /// Relays that asked who the person is and wait for the answer.
    public let questions: Int

    /// Reads a summary.
    public init(_ summary: ConnectionSummary) {
        connected = summary.connected
        wanted = summary.wanted
        queued = summary.queued
        questions = summary.questions
    }

    /// How it stands now.
    public static func load(from network: any NetworkReporting) async -> ConnectionItem {
        ConnectionItem(await network.connection())
    }
}
