internal import Circles
import NostrClient
import NostrCore

extension SharingOrder {
    /// Makes the change, waits until the circle was told, and hands over how sharing stands, as JSON.
    ///
    /// - Throws: a ``CommandFailure`` where no relay has it in time, too.
    func perform(in circles: AccountCircles, _ answer: (String) async throws -> Void) async throws {
        let id = try await circles.circle(named: circle)
        switch change {
        case .pause(let until):
            try await circles.sharing.pause(until: until.map { Timestamp(seconds: $0) }, in: id)
        case .resume: try await circles.sharing.resume(in: id)
        case .stop: try await circles.sharing.stop(in: id)
        }
        // The running program ends every order after two minutes.
        let isTold = try await isTrue(within: .seconds(min(max(wait, 0), 100))) {
            try await !circles.sharing.state(in: id).isBusy
        }
        try await answer(CircleJSON.sharing(try await circles.sharing.state(in: id)))
        guard isTold else {
            throw CommandFailure("No relay has it yet; it is kept, and goes out once one of them is reached.")
        }
    }
}

/// Does such orders in the running program.
struct SharingOrders: SharingControl {
    let accounts: any OpenAccounts

    /// - Parameter key: whose circle, in hex; `nil` where only one account is open.
    func perform(_ order: SharingOrder, of key: String?, _ answer: ControlServer.Answer) async throws {
        let open = await accounts.openAccounts()
        let meant: (any Account)?
        if let key {
            meant = try open[Reading.key(key)]
            guard meant != nil else {
                throw CommandFailure("This account is not open in the Linnet that runs here: open it there first.")
            }
        } else {
            meant = open.count == 1 ? open.values.first : nil
        }
        guard let meant else {
            throw CommandFailure(
                open.isEmpty
                    ? "No account is open in the Linnet that runs here." : "Several accounts are open: add --account.")
        }
        try await order.perform(in: try await meant.circlesWithKey(), answer)
    }
}

/// The one account of a command.
struct OneOpenAccount: OpenAccounts {
    let account: any Account

    func openAccounts() -> [PublicKey: any Account] { [account.publicKey: account] }
}
