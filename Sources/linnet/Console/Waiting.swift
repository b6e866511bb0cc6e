import ArgumentParser

/// How long a command may be told to wait for others.
enum Waiting {
    /// In seconds; what took longer has failed.
    static let longest = 3600

    /// Refuses a span below zero, and one that looks like waiting for ever.
    static func check(_ seconds: Int) throws {
        guard (0...longest).contains(seconds) else {
            throw ValidationError("--wait takes 0 to \(longest) seconds, not \(seconds).")
        }
    }
}
