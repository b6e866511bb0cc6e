import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

/// Does what `linnet sign-url` asks of the running program about signer links.
struct LinkOrders: Sendable {
    let links: OpenLinks
    /// The page of a link, with a login that works once; `nil` where there are no pages.
    let page: @Sendable (String) -> String?
    /// The page an address leads to, with a login that works once; `nil` where there are no pages.
    var shown: @Sendable (String) -> String? = { _ in nil }

    /// Takes in an address, and says which page shows what it leads to.
    func show(_ address: String, _ answer: ControlServer.Answer) async throws {
        guard let page = shown(address) else { throw CommandFailure("The running program has no pages.") }
        try await answer(JSONValue.object([JSONMember("page", .string(page))]).text)
    }

    /// Hands a link in.
    func open(_ text: String, isCarriedElsewhere: Bool, _ answer: ControlServer.Answer) async throws {
        var link = await links.open(text, isCarriedElsewhere: isCarriedElsewhere)
        if let account = link.choice?.accounts.first, page(link.id) == nil {
            // Without a page nobody can choose; it is the account in use.
            await links.choose(account, for: link.id)
            link = await links.link(link.id) ?? link
        }
        if let outcome = link.outcome {
            try await answer(LinkReply(outcome).json)
        } else {
            try await answer(LinkReply.asks(id: link.id, page: page(link.id)).json)
        }
    }

    /// Tells what became of a link, if that is known within so many seconds.
    func outcome(_ id: String, within seconds: Int, _ answer: ControlServer.Answer) async throws {
        guard await links.link(id) != nil else { throw CommandFailure("The link is no longer known here.") }
        let outcome = await links.outcome(of: id)
        let patience = Duration.seconds(min(max(seconds, 0), 60))
        let known = await withDeadline(patience, on: ContinuousClock()) { await outcome.first { _ in true } }
        if let known = known ?? nil { try await answer(LinkReply(known).json) }
    }
}

/// What the running program says to a link.
enum LinkReply: Equatable {
    /// The person is asked, on this page where there is one.
    case asks(id: String, page: String?)
    /// It is answered: open this, put this on the clipboard, or neither; and why there is no result.
    case answered(open: String?, copy: String?, problem: String?)
    /// There is no result; the app hears so when the person opens this.
    case offered(String, problem: String?)
    /// It is answered: post this, by a page.
    case posted(PostedAnswer)

    init(_ outcome: LinkOutcome) {
        let problem = outcome.error.map { "\($0.code.rawValue): \($0.sentence)" }
        self =
            switch outcome.delivery {
            case .open(let url): .answered(open: url, copy: nil, problem: problem)
            case .post(let answer): .posted(answer)
            case .offer(let url): .offered(url, problem: problem)
            case .copy(let text): .answered(open: nil, copy: text, problem: problem)
            case .nothing: .answered(open: nil, copy: nil, problem: problem)
            }
    }

    /// As it is sent.
    var json: String {
        let pairs: [(String, String?)] =
            switch self {
            case .asks(let id, let page): [("asks", id), ("page", page)]
            case .answered(let open, let copy, let problem):
                [("answered", "yes"), ("open", open), ("copy", copy), ("problem", problem)]
            case .offered(let url, let problem): [("offered", url), ("problem", problem)]
            case .posted: []
            }
        if case .posted(let answer) = self { return answer.json }
        return JSONValue.object(pairs.compactMap { name, value in value.map { JSONMember(name, .string($0)) } }).text
    }

    /// Reads what was sent; `nil` for what makes no sense.
    init?(json: String) {
        guard let value = try? JSONValue(Array(json.utf8), depth: 4) else { return nil }
        if let id = value["asks"]?.string {
            self = .asks(id: id, page: value["page"]?.string)
        } else if let url = value["offered"]?.string {
            self = .offered(url, problem: value["problem"]?.string)
        } else if let posted = PostedAnswer(json: value) {
            self = .posted(posted)
        } else if value["answered"] != nil {
            self = .answered(
                open: value["open"]?.string, copy: value["copy"]?.string, problem: value["problem"]?.string)
        } else {
            return nil
        }
    }
}

extension PostedAnswer {
    /// As one line: where it goes, and the fields of the form.
    var json: String {
        let fields = fields.map { JSONMember($0.name, .string($0.value)) }
        return JSONValue.object([JSONMember("post", .string(address)), JSONMember("fields", .object(fields))]).text
    }

    /// Reads what was sent; `nil` for what makes no sense.
    fileprivate init?(json: JSONValue) {
        guard let address = json["post"]?.string, case .object(let members)? = json["fields"] else { return nil }
        self.init(to: address, members.compactMap { member in member.value.string.map { Field(member.name, $0) } })
    }
}

/// The accounts at work, as links need them: the one used last first.
struct LinkedAccounts: LinkAccounts {
    let host: AccountHost

    func accounts() async -> [PublicKey] {
        // Accounts that cannot be read have no key that could be used.
        let all = (try? await host.accounts()) ?? []
        return all.filter { $0.custody == .key || $0.custody == .demo }.map(\.key)
    }

    func signer(of account: PublicKey) async -> (any SigningService)? {
        // An account not at work yet is put to work, locked; one that cannot be has no signer.
        _ = try? await host.open(account)
        return await host.signer(of: account)
    }
}

extension SignerLinkHandler {
    /// The desk of the accounts of this machine.
    static func serving(_ host: AccountHost, in directory: DataDirectory) -> SignerLinkHandler {
        SignerLinkHandler(
            accounts: LinkedAccounts(host: host), name: "linnet", addresses: .linnet,
            pasteboard: LocalPasteboard(directory), now: { .current })
    }
}
