import NostrCore
import NostrNIPs
import NostrSigner

/// What a person types, as a signer's values.
enum SignerArguments {
    static func token(_ text: String) throws -> NostrConnectURI {
        do { return try NostrConnectURI(text) } catch {
            let why =
                switch error {
                case .wrongScheme: "it does not begin with nostrconnect://"
                case .noKey: "it names no key"
                case .noRelay: "it names no relay that can be used"
                case .noSecret: "it has no secret"
                case .tooLong: "it is too long"
                }
            throw CommandFailure("This is not an app's connection token: \(why).")
        }
    }

    /// Shows a token alone on standard output, as a code at a terminal, and what it gives beside it.
    static func show(token: String, trust: String) {
        Output.line(token)
        TerminalCode.show(token)
        Output.error(
            "The app that comes with this token gets \(trust) trust; linnet signer invite --trust makes another.\n")
    }

    static func trust(_ text: String) throws -> TrustLevel {
        guard let trust = TrustLevel(rawValue: text) else {
            throw CommandFailure("'\(text)' is not a trust level: use full, medium or low.")
        }
        return trust
    }

    static func permission(_ text: String) throws -> RemotePermission {
        guard let permission = RemotePermission(text), permission.method.usesKey else {
            throw CommandFailure(
                "'\(text)' is not a permission: use sign_event, sign_event:KIND, nip44_encrypt, nip44_decrypt, …")
        }
        return permission
    }

    /// A permission, and the place it is for behind it.
    static func subject(_ text: String) throws -> (permission: RemotePermission, audience: Audience?) {
        guard let subject = Grant.subject(text), subject.permission.method.usesKey else {
            return (try permission(text), nil)
        }
        return subject
    }

    /// Something an app is allowed, with the place it is for where it needs one.
    static func allowance(_ text: String, made moment: Timestamp) throws -> Grant {
        let (permission, audience) = try subject(text)
        try requirePlace(permission, audience)
        return Grant(permission, .allow, for: audience, made: moment)
    }

    /// Refuses a login that would be allowed for no place in particular.
    static func requirePlace(_ permission: RemotePermission, _ audience: Audience?) throws {
        guard !permission.needsAudience || audience != nil else {
            throw CommandFailure("A login is allowed for one place: write '\(permission.text) ADDRESS'.")
        }
    }

    static func verdict(_ spoken: SpokenVerdict) -> RequestVerdict {
        spoken.isAlways
            ? .always(allow: spoken.allows, until: spoken.until.map(Timestamp.init(seconds:)))
            : .once(allow: spoken.allows)
    }

    /// Whether a text means an app: its key or origin, the beginning of its key, an npub, or what it is called.
    static func names(_ text: String, _ client: SignerClient) -> Bool {
        if client.app.text == text || client.title == text { return true }
        guard case .remote(let key) = client.app else { return client.app.text == "link:\(text)" }
        return text.utf8.count >= 4 && (key.hex.hasPrefix(text.lowercased()) || key.npub == text)
    }

    /// Which lines of the log are wanted.
    static func query(_ filter: LogFilter, apps: [SignerClient]) throws -> ActivityQuery {
        var query = ActivityQuery(limit: max(filter.limit, 0))
        if let text = filter.app {
            // An app that was unpaired is known by its key alone.
            guard let app = apps.first(where: { names(text, $0) })?.app ?? RequestingApp(text) else {
                throw CommandFailure("No app \(text) is paired here: give its key as remote:… or its origin as link:….")
            }
            query.app = app
        }
        if let text = filter.outcome {
            guard let outcome = ActivityEntry.Outcome(rawValue: text) else {
                let all = ActivityEntry.Outcome.allCases.map(\.rawValue).joined(separator: ", ")
                throw CommandFailure("'\(text)' is not an outcome: use one of \(all).")
            }
            query.outcome = outcome
        }
        query.method = filter.method
        query.kind = try filter.kind.map { number in
            guard let kind = UInt16(exactly: number) else { throw CommandFailure("\(number) is not a kind.") }
            return Kind(kind)
        }
        query.text = filter.text
        query.before = filter.before
        return query
    }
}

extension ClientChange {
    /// Changes what was given.
    func apply(to client: inout SignerClient, now: Timestamp) throws {
        if let name { client.name = name.isEmpty ? nil : name }
        if let trust { client.trust = try SignerArguments.trust(trust) }
        if let perHour { client.perHour = perHour > 0 ? perHour : nil }
        if let answersAck { client.answersAck = answersAck }
        for choice in choices {
            // The address of a site may hold the sign itself.
            guard let sign = choice.lastIndex(of: "=") else {
                throw CommandFailure("'\(choice)' is not a choice: write permission=allow, =refuse, =ask or =none.")
            }
            let word = String(choice[choice.index(after: sign)...])
            let (permission, audience) = try SignerArguments.subject(String(choice[..<sign]))
            if word == "none" {
                client.grants.removeAll { $0.permission == permission && $0.audience == audience }
                continue
            }
            guard let verdict = Grant.Verdict(rawValue: word) else {
                throw CommandFailure("'\(word)' is not a choice: use allow, refuse, ask or none.")
            }
            if verdict == .allow { try SignerArguments.requirePlace(permission, audience) }
            client.choose(Grant(permission, verdict, for: audience, made: now))
        }
    }
}

extension [ActivityEntry] {
    /// The newest lines of several accounts, newest first; their numbers count through all accounts.
    func newest(_ limit: Int) -> ArraySlice<ActivityEntry> {
        sorted { $0.id > $1.id }.prefix(Swift.max(limit, 0))
    }
}
