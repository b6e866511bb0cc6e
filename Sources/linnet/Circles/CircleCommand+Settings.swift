import ArgumentParser
internal import Circles
internal import Location
import NostrClient
import NostrCore

extension CircleCommand {
    /// `linnet circle settings`.
    struct Settings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print or change how a circle is told where you are, and how often your keys in it are renewed.",
            discussion: "Without options it prints them. To change them neither begins nor ends sharing.")

        @Option(help: ArgumentHelp("How often while you move, 10 to 3600 seconds.", valueName: "seconds"))
        var every: Int?
        @Option(
            help: ArgumentHelp("To within how many metres, 10 to 5000; 0 for as exactly as known.", valueName: "metres")
        )
        var blur: Int?
        @Flag(inversion: .prefixedNo, help: "Save battery: look and send four times less often.") var lowPower: Bool?
        @Flag(inversion: .prefixedNo, help: "Send places later that could not be sent.") var trail: Bool?
        @Flag(inversion: .prefixedNo, help: "Tell the circle why there is nothing newer.") var why: Bool?
        @Option(help: ArgumentHelp("Tell the circle at once below this charge; 0 for never.", valueName: "percent"))
        var battery: Int?
        @Option(help: ArgumentHelp("Renew your keys after so many days, 1 to 30.", valueName: "days"))
        var renew: Int?
        @OptionGroup var options: CircleOptions

        func validate() throws {
            try check(every, in: 10...3600, "--every", "seconds")
            if blur != 0 { try check(blur, in: 10...5000, "--blur", "metres, or 0") }
            try check(battery, in: 0...99, "--battery", "percent")
            try check(renew, in: 1...30, "--renew", "days")
        }

        private func check(_ value: Int?, in range: ClosedRange<Int>, _ name: String, _ unit: String) throws {
            guard let value, !range.contains(value) else { return }
            throw ValidationError("\(name) takes \(range.lowerBound) to \(range.upperBound) \(unit).")
        }

        private var changesSharing: Bool {
            every != nil || blur != nil || lowPower != nil || trail != nil || why != nil || battery != nil
        }

        func run() async throws {
            let chosen = self
            try await options.run(catchingUp: false) { circles, id in
                if chosen.changesSharing {
                    let settings = chosen.applied(to: try await circles.sharing.state(in: id).settings)
                    try await circles.sharing.configure(settings, in: id)
                }
                if let days = chosen.renew { try await circles.administration.setRenewal(days: days, in: id) }
                let days = try await circles.administration.renewalDays(of: id)
                Output.line(CircleJSON.sharing(try await circles.sharing.state(in: id), renewalDays: days))
            }
        }

        private func applied(to settings: SharingSettings) -> SharingSettings {
            var settings = settings
            if let every { settings.interval = SharingInterval(clamping: every) }
            if let blur { settings.blur = blur == 0 ? nil : Double(blur) }
            settings.isLowPower = lowPower ?? settings.isLowPower
            settings.keepsTrail = trail ?? settings.keepsTrail
            settings.tellsWhy = why ?? settings.tellsWhy
            if let battery { settings.lowBattery = battery == 0 ? nil : battery }
            return settings
        }
    }

    /// `linnet circle pause`.
    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pause sharing where you are with a circle.", discussion: SharingElsewhere.discussion)

        @Option(help: ArgumentHelp("For how long; without it until linnet circle resume.", valueName: "hours"))
        var hours: Int?
        @OptionGroup var options: CircleOptions

        func validate() throws {
            if let hours, !(1...168).contains(hours) { throw ValidationError("--hours takes 1 to 168.") }
        }

        func run() async throws {
            let end = hours.map { Timestamp.current + .seconds($0 * 3600) }
            try await options.changeSharing(.pause(until: end?.seconds))
        }
    }

    /// `linnet circle resume`.
    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Go on sharing where you are with a circle.", discussion: SharingElsewhere.discussion)

        @OptionGroup var options: CircleOptions

        func run() async throws { try await options.changeSharing(.resume) }
    }

    /// `linnet circle stop`.
    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop sharing where you are with a circle.", discussion: SharingElsewhere.discussion)

        @OptionGroup var options: CircleOptions

        func run() async throws { try await options.changeSharing(.stop) }
    }
}

/// Sharing that another Linnet does with the same data directory, which has one owner at a time.
private enum SharingElsewhere {
    static let discussion = """
        Where a Linnet runs with this data directory, it is told: linnet circle share --every, which ends when it is \
        stopped, or linnet serve with the account open. Else it holds for what Linnet shares when it runs next.
        """
    static let sentence = """
        Another command of Linnet is using this data directory. Try again when it is done; linnet circle share --every \
        of an earlier version ends with Ctrl-C.
        """
}

extension CircleOptions {
    /// Changes how a place is shared, waits until the circle was told, and prints how it stands.
    ///
    /// The program that runs with this directory does it, or this one where none does.
    fileprivate func changeSharing(_ change: SharingOrder.Change) async throws {
        let order = SharingOrder(circle: circle, change: change, wait: waiting.wait)
        let directory = session.data.directory()
        guard DirectoryLock.isHeld(directory) else {
            return try await session.run { [waiting] account in
                let circles = try await account.circlesWithKey()
                try await waiting.catchUp(with: [try await circles.circle(named: order.circle)], circles)
                try await order.perform(in: circles) { Output.line($0) }
            }
        }
        let account = try session.account.map { try Reading.key($0).hex }
        do {
            try await ControlClient(directory: directory).order(ControlOrder(.sharing(order), account: account)) {
                Output.line($0)
            }
        } catch is ControlClient.NotRunning {
            throw CommandFailure(SharingElsewhere.sentence)
        }
    }
}
