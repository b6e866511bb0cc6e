import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs

/// `linnet report`: what was reported, and reporting a person.
struct ReportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Print what people you follow reported (NIP-56), or report a person in public.",
        discussion: "A note is reported with linnet note report.", subcommands: [List.self, OfPerson.self])

    /// `linnet report list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print reports about a note or a person, one reason per line.",
            discussion: "Only reports by people you follow are printed, and your own.")
        @Argument(help: "A person (npub1…, nprofile1…) or a note (note1…, nevent1… or hex).") var what: String
        @OptionGroup var session: AccountSession

        func run() async throws {
            let target = try ReportTarget(what)
            let groups = try await session.run { account in
                guard let reports = account.reports else {
                    throw CommandFailure("Reports cannot be looked at with this account.")
                }
                return try await target.reports(of: account, reports)
            }
            for group in groups { Output.line(ReportTarget.text(of: group)) }
        }
    }

    /// `linnet report person`.
    struct OfPerson: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "person", abstract: "Report a person, whatever they wrote, in public.")
        @Argument(help: "Whom: npub1…, nprofile1… or hex.") var person: String
        @Option(help: "nudity, malware, profanity, illegal, spam, impersonation or other.") var reason: String
        @Option(help: "More about it.") var text = ""
        @OptionGroup var session: AccountSession

        func run() async throws {
            let key = try Reading.key(person)
            guard let reason = Report.Reason(rawValue: reason) else {
                let all = Report.Reason.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure("\(Shown.text(self.reason)) is not a reason: give one of \(all).")
            }
            try await session.run { [text] account in
                guard account.canSign else { throw AccountError(.readOnly) }
                guard key != account.publicKey else { throw CommandFailure("That is you.") }
                try await account.report(
                    published: try await account.publishing.report(person: key, for: reason, text: text))
            }
        }
    }
}

/// What reports are about.
enum ReportTarget: Equatable {
    case person(PublicKey)
    case note(EventPointer)

    /// Relays are waited for so long.
    private static let patience: Duration = .seconds(8)

    /// Reads what was named.
    ///
    /// - Throws: a ``CommandFailure`` for what is neither a person nor a note.
    init(_ text: String) throws {
        let code = text.hasPrefix("nostr:") ? String(text.dropFirst(6)) : text
        // What is no code is read as hex.
        switch try? NostrEntity(code) {
        case .npub(let key): self = .person(key)
        case .nprofile(let pointer): self = .person(pointer.key)
        case .nevent(let pointer): self = .note(pointer)
        default: self = .note(EventPointer(id: try Reading.eventID(text)))
        }
    }

    /// What is reported of it, once relays had time to say so.
    func reports(of account: any Account, _ reports: any ReportReading) async throws -> [ReportGroup] {
        switch self {
        case .person(let key):
            // Asks for what there is about them.
            _ = try await account.people.person(key)
            _ = try await isTrue(within: Self.patience) { try await !reports.reports(about: key).isEmpty }
            return try await reports.reports(about: key)
        case .note(let pointer):
            _ = try await isTrue(within: .seconds(15)) {
                try await account.timeline.named(pointer.id, hints: pointer.relays) != nil
            }
            guard let note = try await account.timeline.named(pointer.id, hints: pointer.relays) else {
                throw CommandFailure("No relay asked has the note \(pointer.id.hex).")
            }
            let author = note.event.pubkey
            _ = try await isTrue(within: Self.patience) {
                try await !reports.reports(about: pointer.id, by: author).isEmpty
            }
            return try await reports.reports(about: pointer.id, by: author)
        }
    }

    /// A line of JSON.
    static func text(of group: ReportGroup) -> String {
        JSONValue.object([
            JSONMember("reason", .string(group.reason?.rawValue ?? "")), JSONMember("own", .bool(group.isOwn)),
            JSONMember("people", .array(group.people.map { .string($0.key.hex) })),
        ]).text
    }
}
