import ArgumentParser
internal import Circles
import NostrClient
import NostrCore

extension CircleCommand {
    /// `linnet circle guest`.
    struct Guest: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print, make or take back links by which people without an account see where you are.",
            discussion: """
                Without options it prints the links of the circle. A guest sees in a browser what the circle is told of \
                your place, by its blur and its pauses, and nothing else. Whoever has a link can use it until it ends; \
                all it takes to read stands behind #, which browsers send to no server. Your place is sent while Linnet \
                runs and you share it with the circle.
                """)

        @Option(help: ArgumentHelp("Make a link that works so long, 1 to 168 hours.", valueName: "hours"))
        var hours: Int?
        @Option(
            help: ArgumentHelp(
                "With --hours: the page it opens, of any Linnet that the guest can reach.", valueName: "url"))
        var page = "http://127.0.0.1:4869/guest"
        @Option(help: "With --hours: whom it is for; stays here.") var note = ""
        @Option(help: ArgumentHelp("Take a link back, and have relays delete the place.", valueName: "id"))
        var revoke: String?
        @OptionGroup var options: CircleOptions

        func validate() throws {
            if let hours, !(1...168).contains(hours) { throw ValidationError("--hours takes 1 to 168.") }
            if hours != nil, revoke != nil { throw ValidationError("Make a link or take one back.") }
        }

        func run() async throws {
            let chosen = self
            try await options.run(catchingUp: false) { circles, id in
                if let hours = chosen.hours {
                    let made = try await circles.guests.make(
                        in: id, for: .seconds(hours * 3600), note: chosen.note, page: chosen.page)
                    return Output.line(CircleJSON.guest(made))
                }
                if let link = chosen.revoke { return try await chosen.revoke(link, circles, id) }
                for link in try await circles.guests.links(in: id) { Output.line(CircleJSON.guest(link)) }
            }
        }

        private func revoke(_ link: String, _ circles: AccountCircles, _ id: CircleID) async throws {
            guard try await circles.guests.links(in: id).contains(where: { $0.id == link }) else {
                throw CommandFailure("There is no guest link \(Shown.text(link)) in this circle.")
            }
            try await circles.guests.revoke(link, in: id)
            let isDeleted = try await isTrue(within: .seconds(options.waiting.wait)) {
                try await !circles.guests.links(in: id).contains { $0.id == link }
            }
            guard isDeleted else {
                Output.error("Not every relay has deleted the place yet; they are asked again when Linnet runs.\n")
                throw ExitCode.failure
            }
        }
    }
}
