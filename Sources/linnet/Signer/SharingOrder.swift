/// What `linnet circle pause`, `resume` and `stop` ask of the program that shares with the same data directory.
struct SharingOrder: Codable, Hashable, Sendable {
    /// What becomes of sharing.
    enum Change: Codable, Hashable, Sendable {
        /// Until a moment in seconds since 1970, or until it is resumed.
        case pause(until: Int64?)
        case resume
        case stop
    }

    /// As it was typed: the circle's id, its first digits, or its name.
    var circle: String
    var change: Change
    /// How long to wait until the circle was told, in seconds.
    var wait: Int
}

/// Does such orders in the running program; what has circles is given to ``SignerControl``, which knows nothing of them.
protocol SharingControl: Sendable {
    /// - Parameter key: whose circle, in hex; `nil` where only one account is open.
    /// - Throws: a ``CommandFailure``.
    func perform(_ order: SharingOrder, of key: String?, _ answer: ControlServer.Answer) async throws
}
