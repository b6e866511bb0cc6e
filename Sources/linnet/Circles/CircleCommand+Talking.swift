import ArgumentParser
internal import Circles
import Foundation
import NostrClient
import NostrCore
import NostrNIPs
internal import ViewModels

extension CircleCommand {
    /// `linnet circle list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the circles, those one asked to join, and those one was let into unasked.")

        @OptionGroup var waiting: CircleWaiting
        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { [waiting] account in
                let circles = try await account.circlesWithKey()
                try await waiting.catchUp(with: account)
                let all = try await circles.reader.overview()
                let here = all.circles.filter { $0.standing == .member || $0.standing == .leaving }
                try await waiting.catchUp(with: here.map(\.id), circles)
                let now = try await circles.reader.overview()
                for circle in now.circles { Output.line(CircleJSON.circle(circle)) }
                for circle in now.asked { Output.line(CircleJSON.asked(circle)) }
                for invitation in now.invitations { Output.line(CircleJSON.invitation(invitation)) }
            }
        }
    }

    /// `linnet circle send`.
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say something in a circle.",
            discussion: """
                Ends with 0 when a relay of the circle has it. Otherwise it stays queued on disk and goes out when Linnet \
                runs again.
                """)

        @OptionGroup var options: CircleOptions
        @Argument(help: "The text; left out or - reads standard input.") var text: String?
        @Option(help: ArgumentHelp("The line it answers.", valueName: "id")) var reply: String?

        func run() async throws {
            let parent = try reply.map(Reading.eventID)
            let body = try wholeText()
            try await options.change { circles, id in
                let line = try await circles.messaging.send(body, replyTo: parent, in: id)
                for one in try await circles.reader.page(of: id, before: nil, limit: 50).lines where one.id == line {
                    Output.line(CircleJSON.line(one))
                }
            }
        }

        private func wholeText() throws -> String {
            if let text, text != "-" { return text }
            return try StandardInput.writing()
        }
    }

    /// `linnet circle read`.
    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the lines of a circle, oldest first.",
            discussion: "Reading marks nothing as read unless --mark is given.")

        @OptionGroup var options: CircleOptions
        @Option(name: .shortAndLong, help: "The most lines, the newest ones.") var limit = 50
        @Flag(help: "Mark the circle as read.") var mark = false

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit takes a number above 0.") }
        }

        func run() async throws {
            try await options.run { [limit, mark] circles, id in
                let page = try await circles.reader.page(of: id, before: nil, limit: limit)
                if let warning = page.warning { Output.error(warning.sentence + "\n") }
                for line in page.lines { Output.line(CircleJSON.line(line)) }
                if mark { try await circles.messaging.markRead(id) }
            }
        }
    }

    /// `linnet circle where`.
    struct Where: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "where", abstract: "Print where the members of a circle last said they are.")

        @OptionGroup var options: CircleOptions

        func run() async throws {
            try await options.run { circles, id in
                let now = Timestamp.current
                for member in try await circles.reader.page(of: id, before: nil, limit: 1).members {
                    guard let place = member.place else { continue }
                    Output.line(CircleJSON.place(place, of: member, now: now))
                }
            }
        }
    }
}
