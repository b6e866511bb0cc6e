import ArgumentParser
internal import Circles
import NostrClient
import NostrCore
import NostrNIPs
internal import ViewModels

/// `linnet circle`: private circles (Marmot).
///
/// Its files hold its verbs, those that belong together in one.
struct CircleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "circle",
        abstract: "Private circles: a chat and places that only their members can read (Marmot).",
        discussion: """
            Works with an account of this machine while no other Linnet uses its directory. A circle is named by its id, \
            by the first digits of it, or by its name. Prints one line of JSON per thing. What rests here is encrypted; \
            the account's passphrase opens it.
            """,
        subcommands: [
            Create.self, Invite.self, Request.self, Accept.self, List.self, Send.self, Read.self, Save.self, Where.self,
            Share.self, Guest.self, Settings.self, Pause.self, Resume.self, Stop.self, Members.self, Add.self,
            Remove.self,
            Rename.self, Avatar.self, Picture.self, Leave.self,
            Burn.self, Forget.self, Health.self,
        ])
}

/// Which circle, and how long to wait for its relays.
struct CircleOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The circle: its id, the first digits of it, or its name.", valueName: "circle"))
    var circle: String
    @OptionGroup var waiting: CircleWaiting
    @OptionGroup var session: AccountSession

    /// Does something with the circle, once what its relays have is here.
    func run<Value: Sendable>(
        catchingUp: Bool = true, _ body: @escaping @Sendable (AccountCircles, CircleID) async throws -> Value
    ) async throws -> Value {
        try await run(catchingUp: catchingUp) { _, circles, id in try await body(circles, id) }
    }

    /// Does something with the circle that needs its account, too.
    func run<Value: Sendable>(
        catchingUp: Bool = true,
        _ body: @escaping @Sendable (any Account, AccountCircles, CircleID) async throws -> Value
    ) async throws -> Value {
        try await session.run { [circle, waiting] account in
            let circles = try await account.circlesWithKey()
            let id = try await circles.circle(named: circle)
            if catchingUp { try await waiting.catchUp(with: [id], circles) }
            return try await body(account, circles, id)
        }
    }
}

extension CircleOptions {
    /// Changes something in the circle, and waits until all that this sends is on some relay.
    func change(_ body: @escaping @Sendable (AccountCircles, CircleID) async throws -> Void) async throws {
        try await run { [waiting] circles, id in
            try await body(circles, id)
            try await waiting.settle(id, circles)
        }
    }
}

/// How long to wait for relays.
struct CircleWaiting: ParsableArguments {
    @Flag(help: "Use what is here without waiting for relays.") var offline = false
    @Option(help: ArgumentHelp("How long to wait for the relays, in seconds.", valueName: "seconds")) var wait = 15

    func validate() throws { try Waiting.check(wait) }

    /// Waits until the account's inbox relays gave the invitations and requests they have.
    func catchUp(with account: any Account) async throws {
        guard !offline else { return }
        let came = try await isTrue(within: .seconds(wait)) {
            guard let state = await account.messagingState() else { return false }
            return state.vault == .open && !state.inbox.isEmpty && state.caughtUp.isSuperset(of: state.inbox)
        }
        if !came { Output.error("Not every inbox relay has answered; there may be more.\n") }
    }

    /// Waits until relays gave what they have of some circles.
    func catchUp(with ids: [CircleID], _ circles: AccountCircles) async throws {
        guard !offline else { return }
        let came = try await isTrue(within: .seconds(wait)) {
            for id in ids where try await !circles.reader.health(of: id).isCaughtUp { return false }
            return true
        }
        if !came { Output.error("Not every circle's relays have answered; there may be more.\n") }
    }

    /// Waits until all that the account sends is on some relay.
    func settle(_ id: CircleID, _ circles: AccountCircles) async throws {
        let isDone = try await isTrue(within: .seconds(wait)) {
            let health = try await circles.reader.health(of: id)
            return health.unsent == 0 && health.pending == 0 && health.undelivered == 0
        }
        guard isDone else {
            Output.error("No relay has all of it yet; it is kept and goes out when Linnet runs again.\n")
            throw ExitCode.failure
        }
    }
}

extension AccountCircles {
    /// The circle that a person means: its id, the first digits of it, or its name.
    ///
    /// - Throws: a ``CommandFailure`` for none or several.
    func circle(named text: String) async throws -> CircleID {
        let all = try await reader.overview().circles
        let found = all.filter { $0.id.hex == text.lowercased() || $0.name == text }
        let meant = found.isEmpty ? all.filter { $0.id.hex.hasPrefix(text.lowercased()) } : found
        guard let first = meant.first else {
            throw CommandFailure("There is no circle \(text) here: linnet circle list prints those there are.")
        }
        guard meant.count == 1 else { throw CommandFailure("Several circles are called \(text): name one by its id.") }
        return first.id
    }
}

extension CircleCommand {
    /// `linnet circle create`.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Make a circle, and print it.")

        @Argument(help: "What it is called.") var name: String
        @Option(help: "What it is about.") var about = ""
        @Option(
            name: .customLong("relay"), help: ArgumentHelp("Where its events go; may be given again.", valueName: "url")
        )
        var relays: [String] = []
        @OptionGroup var waiting: CircleWaiting
        @OptionGroup var session: AccountSession

        func run() async throws {
            let relays = try relays.map(Reading.relay)
            try await session.run { [name, about, waiting] account in
                let circles = try await account.circlesWithKey()
                // Relay lists may still be on their way.
                var id: CircleID?
                var trouble: CircleError?
                _ = try await isTrue(within: .seconds(waiting.wait)) {
                    do { id = try await circles.membership.create(name, about: about, relays: relays) } catch let error
                        as CircleError where error.code == .noRelay || error.code == .locked
                    {
                        trouble = error
                    }
                    return id != nil
                }
                guard let id else { throw CommandFailure(trouble?.sentence ?? "The circle could not be made.") }
                for circle in try await circles.reader.overview().circles where circle.id == id {
                    Output.line(CircleJSON.circle(circle))
                }
            }
        }
    }

    /// `linnet circle invite`.
    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print what lets others ask to join.",
            discussion: "It lets nobody in by itself: whoever has it can ask, and you accept them or not.")

        @Flag(help: "Print the link that opens Whistle and Linnet instead of the code.") var link = false
        @Option(
            help: ArgumentHelp(
                "Print a link for a browser that leads over this page, which must begin with https://; the code stands behind #.",
                valueName: "url"))
        var page: String?
        @OptionGroup var options: CircleOptions

        func run() async throws {
            try await options.run(catchingUp: false) { [link, page] circles, id in
                let invite = try await circles.membership.invite(to: id)
                if let page {
                    guard let link = invite.link(on: page) else { throw CommandFailure(CircleWords.noWebPage) }
                    return Output.line(link)
                }
                Output.line(link ? invite.whistleLink : invite.code)
            }
        }
    }

    /// `linnet circle request`.
    struct Request: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask to join a circle by its invitation.",
            discussion: "You are in when an admin accepts you; linnet circle list then shows the circle.")

        @Argument(help: "The code or link of the invitation; - reads standard input.") var invitation: String
        @Option(help: "What the admin is to read as your name.") var name: String?
        @OptionGroup var waiting: CircleWaiting
        @OptionGroup var session: AccountSession

        func run() async throws {
            let text = try invitation == "-" ? StandardInput.firstLine() ?? "" : invitation
            let read: CircleLink
            do { read = try CircleLink(text) } catch { throw CommandFailure(error.sentence) }
            guard case .invite(let invite) = read else { throw CommandFailure(CircleLinkError.notALink.sentence) }
            try await session.run { [name, waiting] account in
                let circles = try await account.circlesWithKey()
                var trouble: CircleError?
                let isAsked = try await isTrue(within: .seconds(waiting.wait)) {
                    do {
                        try await circles.membership.ask(invite, name: name)
                        return true
                    } catch let error as CircleError where error.code == .noRelay || error.code == .locked {
                        trouble = error
                        return false
                    }
                }
                guard isAsked else { throw CommandFailure(trouble?.sentence ?? "The request could not be sent.") }
                let isSent = try await isTrue(within: .seconds(waiting.wait)) {
                    try await circles.reader.undelivered() == 0
                }
                for asked in try await circles.reader.overview().asked where asked.id.bytes == invite.circle {
                    Output.line(CircleJSON.asked(asked))
                }
                guard isSent else {
                    Output.error("No relay has the request yet; it is kept and goes out when Linnet runs again.\n")
                    throw ExitCode.failure
                }
            }
        }
    }

    /// `linnet circle accept`.
    struct Accept: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let in people who ask to join, or join a circle you were let into without asking.",
            discussion: "Without people it prints who waits.")

        @Option(
            name: [.customShort("p"), .customLong("person")],
            help: ArgumentHelp("Whom to let in: npub or hex; may be given again.", valueName: "npub"))
        var people: [String] = []
        @Flag(help: "Let in everybody who asks.") var all = false
        @Flag(help: "Join the circle, to which somebody has let you in.") var invitation = false
        @OptionGroup var options: AcceptedCircle

        func run() async throws {
            let people = try Set(self.people.map(Reading.key))
            try await options.run { [all, invitation, waiting = options.waiting] circles, text in
                guard !invitation else { return try await join(text, circles, waiting) }
                let id = try await circles.circle(named: text)
                try await waiting.catchUp(with: [id], circles)
                let waits = try await circles.reader.page(of: id, before: nil, limit: 1).requests
                // Who is muted is let in by name alone.
                let chosen = all ? Set(waits.filter { !$0.person.isMuted }.map(\.id)) : people
                guard !chosen.isEmpty else {
                    for request in waits { Output.line(CircleJSON.request(request)) }
                    return
                }
                guard chosen.isSubset(of: waits.map(\.id)) else {
                    throw CommandFailure("Not all of these people have asked to join.")
                }
                try await circles.membership.admit(chosen, to: id)
                try await waiting.settle(id, circles)
                try await printMembers(of: id, circles)
            }
        }

        private func join(_ text: String, _ circles: AccountCircles, _ waiting: CircleWaiting) async throws {
            let word = text.lowercased()
            let invitations = try await circles.reader.overview().invitations
            guard let one = invitations.first(where: { $0.id.hex.hasPrefix(word) || $0.name == text }) else {
                throw CommandFailure("Nobody has let you into a circle \(text).")
            }
            try await circles.membership.acceptInvitation(to: one.id)
            try await waiting.catchUp(with: [one.id], circles)
            for circle in try await circles.reader.overview().circles where circle.id == one.id {
                Output.line(CircleJSON.circle(circle))
            }
        }
    }

    /// A circle that may only be known by an invitation.
    struct AcceptedCircle: ParsableArguments {
        @Argument(help: ArgumentHelp("The circle: its id, the first digits of it, or its name.", valueName: "circle"))
        var circle: String
        @OptionGroup var waiting: CircleWaiting
        @OptionGroup var session: AccountSession

        func run(_ body: @escaping @Sendable (AccountCircles, String) async throws -> Void) async throws {
            try await session.run { [circle, waiting] account in
                try await waiting.catchUp(with: account)
                try await body(try await account.circlesWithKey(), circle)
            }
        }
    }
}
