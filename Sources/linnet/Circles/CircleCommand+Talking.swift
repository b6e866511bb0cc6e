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
            abstract: "Print your circles, those you asked to join, and those you were let into unasked.")

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
        @Argument(help: "The text; left out or - reads standard input, unless a file is sent.") var text: String?
        @OptionGroup var file: SealedFileArgument
        @Option(help: ArgumentHelp("The line it answers.", valueName: "id")) var reply: String?

        func run() async throws {
            let parent = try reply.map(Reading.eventID)
            let body = try file.text(text)
            let attached = try file.read()
            try await options.change { circles, id in
                let line =
                    if let attached {
                        try await circles.files.send(attached, body, replyTo: parent, in: id)
                    } else {
                        try await circles.messaging.send(body, replyTo: parent, in: id)
                    }
                for one in try await circles.reader.page(of: id, before: nil, limit: 50).lines where one.id == line {
                    Output.line(CircleJSON.line(one))
                }
            }
        }
    }

    /// `linnet circle save`.
    struct Save: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetch an encrypted file that a line names, check it, and save it in clear.")

        @OptionGroup var options: CircleOptions
        @Argument(help: ArgumentHelp("The line, as linnet circle read prints it.", valueName: "id")) var line: String
        @Option(help: ArgumentHelp("Which of its files, counted from 1.", valueName: "n")) var number = 1
        @OptionGroup var file: OpenedFileArgument

        func validate() throws {
            guard number > 0 else { throw ValidationError("--number takes a number above 0.") }
        }

        func run() async throws {
            let id = try Reading.eventID(line)
            let opened = try await options.run { [number] circles, circle in
                try await circles.files.open(number - 1, of: id, in: circle)
            }
            try file.write(opened)
        }
    }

    /// `linnet circle read`.
    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the lines of a circle, oldest first.",
            discussion: """
                Reading marks nothing as read unless --mark is given. Of a line that you muted it says only why it is \
                not shown; --muted prints it all the same.
                """)

        @OptionGroup var options: CircleOptions
        @Option(name: .shortAndLong, help: "The most lines, the newest ones.") var limit = 50
        @Flag(help: "Mark the circle as read.") var mark = false
        @Flag(help: "Print what you muted, too.") var muted = false

        func validate() throws {
            guard limit > 0 else { throw ValidationError("--limit takes a number above 0.") }
        }

        func run() async throws {
            try await options.run { [limit, mark, muted] circles, id in
                let page = try await circles.reader.page(of: id, before: nil, limit: limit)
                if let warning = page.warning { Output.error(warning.sentence + "\n") }
                for line in page.lines {
                    guard muted, case .muted = line.body, let whole = try await circles.reader.line(line.id, in: id)
                    else {
                        Output.line(CircleJSON.line(line))
                        continue
                    }
                    Output.line(CircleJSON.line(whole))
                }
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
