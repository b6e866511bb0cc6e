internal import Circles
import Logging
import NostrClient

/// Commands that reach a running `linnet circle share --every`.
extension CircleCommand.Share {
    /// Listens for commands; where it cannot, signals end it all the same.
    private static func listen(in directory: DataDirectory) async -> ControlServer? {
        do { return try await ControlServer.bind(directory, log: Logger(label: "linnet")) } catch {
            Output.error("\(error)\n")
            return nil
        }
    }

    /// Does some work, and meanwhile what commands ask; the reading stops when the circle is not shared with any more.
    ///
    /// - Parameter directory: the one that this program holds.
    static func hearing(
        in directory: DataDirectory, of account: any Account, _ circles: AccountCircles, _ id: CircleID,
        until reading: StoppableWork, _ work: @escaping @Sendable () async -> Void
    ) async throws {
        guard let control = await listen(in: directory) else { return await work() }
        let orders = SharingOrders(accounts: OneOpenAccount(account: account))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await control.run { order, answer in
                    guard case .sharing(let change) = order.verb else {
                        throw CommandFailure("The Linnet that runs here only shares a place: end it first.")
                    }
                    try await orders.perform(change, of: order.account, answer)
                } answered: { _ in
                    // A circle that cannot be read now is left to go on being shared with.
                    let state = try? await circles.sharing.state(in: id)
                    if state?.isOn == false { await reading.stop() }
                }
            }
            group.addTask { await work() }
            defer { group.cancelAll() }
            // A socket that breaks ends nothing: the work goes on without it.
            do { _ = try await group.next() } catch { _ = try await group.next() }
        }
    }
}
