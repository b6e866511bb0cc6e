/// Databases that are closed together at the end, each whatever becomes of the others, so that no log keeps what belongs
/// into its file.
struct OpenFiles {
    private let closings: [@Sendable () throws -> Void]

    init(_ closings: [@Sendable () throws -> Void]) {
        self.closings = closings
    }

    /// Closes all.
    ///
    /// - Throws: the first failure.
    func close() throws {
        var failure: (any Error)?
        for closing in closings {
            do { try closing() } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    /// Works with the files, then closes them, however the work ends.
    ///
    /// - Throws: what the work throws, else what closing does.
    func closing<Value>(after work: () async throws -> Value) async throws -> Value {
        let value: Value
        do {
            value = try await work()
        } catch {
            // The first failure is the one to tell.
            try? close()
            throw error
        }
        try close()
        return value
    }
}
