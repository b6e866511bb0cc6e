import ArgumentParser
internal import Circles
import NostrClient
import NostrCore
import NostrNIPs
internal import ViewModels

extension CircleCommand {
    /// `linnet circle members`.
    struct Members: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print who is in a circle.")

        @OptionGroup var options: CircleOptions

        func run() async throws {
            try await options.run { circles, id in try await printMembers(of: id, circles) }
        }
    }

    /// `linnet circle add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let people into a circle who have published a key for that; they are asked first.",
            discussion: """
                A person may also be named by a name at a domain, as in ada@example.com, which is asked (NIP-05), or by \
                the name of somebody you follow, where it means one person.
                """)

        @OptionGroup var options: CircleOptions
        @OptionGroup var people: CirclePeople

        func run() async throws {
            let people = self.people
            try await options.run { [waiting = options.waiting] account, circles, id in
                try await circles.membership.add(try await people.keys(knownTo: account, for: id), to: id)
                try await waiting.settle(id, circles)
                try await printMembers(of: id, circles)
            }
        }
    }

    /// `linnet circle remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove people from a circle; they read nothing that is said from then on.")

        @OptionGroup var options: CircleOptions
        @OptionGroup var people: CirclePeople

        func run() async throws {
            let people = try people.keys()
            try await changeMembers(options) { try await $0.administration.remove(people, from: $1) }
        }
    }

    /// `linnet circle rename`.
    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change what a circle is called, or what you are called in it.")

        @OptionGroup var options: CircleOptions
        @Argument(help: "The new name.") var name: String
        @Flag(help: "Change what you are called in the circle.") var me = false

        func run() async throws {
            try await options.change { [name, me] circles, id in
                var edit = CircleEdit()
                edit.name = name
                if me {
                    try await circles.messaging.setNickname(name, in: id)
                } else {
                    try await circles.administration.edit(id, edit)
                }
            }
        }
    }

    /// `linnet circle leave`.
    struct Leave: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Leave a circle.",
            discussion: "You are out when the program of another member has let you go; circle list shows it.")

        @OptionGroup var options: CircleOptions

        func run() async throws {
            try await options.run { [waiting = options.waiting] circles, id in
                try await circles.administration.leave(id)
                let standing = try await circles.reader.overview().circles.first { $0.id == id }?.standing
                if standing == .leaving { try await waiting.settle(id, circles) }
            }
        }
    }

    /// `linnet circle forget`.
    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take everything of a circle off this machine; the others are not told.")

        @OptionGroup var options: CircleOptions

        func run() async throws {
            try await options.run(catchingUp: false) { circles, id in try await circles.administration.forget(id) }
        }
    }

    /// `linnet circle health`.
    struct Health: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print whether a circle works as it should.",
            discussion: "The fingerprint is the same for all members who are up to date. Ends with 1 when you are not.")

        @OptionGroup var options: CircleOptions

        func run() async throws {
            let isInStep = try await options.run { circles, id in
                let health = try await circles.reader.health(of: id)
                Output.line(CircleJSON.health(health))
                return !health.isOutOfStep
            }
            guard isInStep else { throw ExitCode.failure }
        }
    }
}

/// Whom a command is about.
struct CirclePeople: ParsableArguments {
    @Option(
        name: [.customShort("p"), .customLong("person")],
        help: ArgumentHelp("Who: npub or hex; may be given again.", valueName: "npub"))
    var people: [String] = []

    func validate() throws {
        if people.isEmpty { throw ValidationError("Say who: --person npub1…") }
    }

    func keys() throws -> Set<PublicKey> { Set(try people.map(Reading.key)) }

    /// The keys, also of people who are named by a name at a domain or as the account knows them.
    func keys(knownTo account: any Account, for circle: CircleID) async throws -> Set<PublicKey> {
        var keys: Set<PublicKey> = []
        for text in people {
            // Reading a key says what is wrong with a secret one, which is shown to nobody.
            if Secrets.isSecret(text) { _ = try Reading.key(text) }
            let found = try await CircleActions(of: account).newcomers(text, to: circle)
            guard let one = found.first, found.count == 1 else {
                let each = found.map { "\($0.key.npub) (\(Shown.text($0.name)))" }.joined(separator: ", ")
                throw CommandFailure("Several people you follow are called \(Shown.text(text)): \(each).")
            }
            keys.insert(one.key)
        }
        return keys
    }
}

private func changeMembers(
    _ options: CircleOptions, _ body: @escaping @Sendable (AccountCircles, CircleID) async throws -> Void
) async throws {
    try await options.run { [waiting = options.waiting] circles, id in
        try await body(circles, id)
        try await waiting.settle(id, circles)
        try await printMembers(of: id, circles)
    }
}

func printMembers(of id: CircleID, _ circles: AccountCircles) async throws {
    for member in try await circles.reader.page(of: id, before: nil, limit: 1).members {
        Output.line(CircleJSON.member(member))
    }
}
