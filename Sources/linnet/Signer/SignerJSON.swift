import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

/// What a signer tells, as lines of JSON.
enum SignerJSON {
    /// A request that waits, in one line a person can decide by.
    static func line(_ request: WaitingRequest, account: PublicKey) -> JSONValue {
        var members = app(request.client.app, request.client.title, isClaimed: request.client.isTitleClaimed)
        members.insert(JSONMember("id", .string(request.id.hex)), at: 0)
        members += [
            JSONMember("account", .string(account.npub)), JSONMember("trust", .string(request.client.trust.rawValue)),
            JSONMember("method", .string(request.method)), JSONMember("what", .string(words(request.content))),
            JSONMember("why", .string(request.rule.rawValue)), JSONMember("received", number(request.received)),
            JSONMember("burst", .string(request.burst.hex)),
        ]
        if case .sign(let draft, _) = request.content { members.append(JSONMember("kind", number(draft.kind))) }
        if case .connect(_, let permissions) = request.content, !permissions.isEmpty {
            members.append(JSONMember("asks_for", .array(permissions.map { .string($0.text) })))
        }
        if request.needsSecondStep, case .sign(_, let report) = request.content {
            members += [JSONMember("needs_second_step", .bool(true)), JSONMember("drops", .string(report.loss))]
        }
        if request.passphrase == .always { members.append(JSONMember("needs_passphrase", .bool(true))) }
        return .object(members)
    }

    /// What holds for all apps.
    static func line(_ settings: SignerSettings, _ asking: PassphraseAsking, account: PublicKey) -> JSONValue {
        .object([
            JSONMember("account", .string(account.npub)), JSONMember("paused", .bool(settings.isPaused)),
            JSONMember("protected", .array(settings.protectedKinds.sorted().map(number))),
            JSONMember("relays", .array(settings.relays.map { .string($0.text) })),
            JSONMember("asks_for_passphrase", .bool(asking == .on)),
            JSONMember("has_passphrase", .bool(asking != .noPassphrase)),
        ])
    }

    /// The same with everything that is known of it.
    static func whole(_ request: WaitingRequest, account: PublicKey) -> JSONValue {
        guard case .object(var members) = line(request, account: account) else { return .null }
        switch request.content {
        case .sign(let draft, let report):
            members.append(JSONMember("event", event(draft)))
            members += change(report)
        case .encrypt(let text, for: let peer, let cipher):
            members += [
                JSONMember("text", .string(text)), JSONMember("peer", .string(peer.npub)),
                JSONMember("cipher", .string(cipher.rawValue)),
            ]
        case .decrypt(from: let peer, let cipher):
            members += [JSONMember("peer", .string(peer.npub)), JSONMember("cipher", .string(cipher.rawValue))]
        case .connect, .decryptZap, .locked: break
        }
        return .object(members)
    }

    /// A request as it is kept while nothing runs that could read it.
    static func line(_ kept: KeptRequest, client: SignerClient?) -> JSONValue {
        let request = kept.request
        var members = app(request.app, client?.title ?? request.app.text, isClaimed: client?.isTitleClaimed ?? true)
        members.insert(JSONMember("id", .string(request.event.hex)), at: 0)
        members.append(JSONMember("account", .string(request.account.npub)))
        if let client { members.append(JSONMember("trust", .string(client.trust.rawValue))) }
        if let permission = request.permission {
            members.append(JSONMember("method", .string(permission.method.rawValue)))
            if let kind = permission.kind { members.append(JSONMember("kind", number(kind))) }
        }
        if let rule = kept.rule { members.append(JSONMember("why", .string(rule.rawValue))) }
        members.append(JSONMember("received", number(request.received)))
        return .object(members)
    }

    /// An app.
    static func line(_ client: SignerClient) -> JSONValue {
        var members = app(client.app, client.title, isClaimed: client.isTitleClaimed)
        members += [
            JSONMember("account", .string(client.account.npub)), JSONMember("trust", .string(client.trust.rawValue)),
            JSONMember("grants", .array(client.grants.map(grant))),
            JSONMember("asked_for", .array(client.requested.map { .string($0.text) })),
            JSONMember("relays", .array(client.relays.map { .string($0.text) })),
            JSONMember("requests", .number("\(client.requests)")),
            JSONMember("connected", number(client.connected)),
        ]
        if let url = client.claims.url { members.append(JSONMember("claimed_url", .string(url))) }
        if let perHour = client.perHour { members.append(JSONMember("per_hour", .number("\(perHour)"))) }
        if let hours = client.hours {
            members.append(JSONMember("hours", .array([.number("\(hours.from)"), .number("\(hours.until)")])))
        }
        if client.answersAck { members.append(JSONMember("answers_ack", .bool(true))) }
        if let seen = client.lastSeen { members.append(JSONMember("last_seen", number(seen))) }
        return .object(members)
    }

    /// A line of the log.
    static func line(_ entry: ActivityEntry) -> JSONValue {
        var members = [
            JSONMember("id", .number("\(entry.id)")), JSONMember("time", number(entry.time)),
            JSONMember("account", .string(entry.account.npub)), JSONMember("app", .string(entry.app.text)),
            JSONMember("title", .string(entry.title)), JSONMember("method", .string(entry.method)),
        ]
        if let kind = entry.kind { members.append(JSONMember("kind", number(kind))) }
        if let peer = entry.peer { members.append(JSONMember("peer", .string(peer.npub))) }
        members += [
            JSONMember("outcome", .string(entry.outcome.rawValue)), JSONMember("rule", .string(entry.rule.rawValue)),
        ]
        if let result = entry.result { members.append(JSONMember("result", .string(result.hex))) }
        if !entry.summary.isEmpty { members.append(JSONMember("summary", .string(entry.summary))) }
        if let error = entry.error { members.append(JSONMember("error", .string(error))) }
        return .object(members)
    }

    /// A relay and how it is doing.
    static func line(_ report: SignerRelayReport, account: PublicKey) -> JSONValue {
        var members = [
            JSONMember("relay", .string(report.relay.text)), JSONMember("account", .string(account.npub)),
            JSONMember("own", .bool(report.isOwn)),
        ]
        switch report.state {
        case .listening: members.append(JSONMember("state", .string("listening")))
        case .connecting: members.append(JSONMember("state", .string("connecting")))
        case .failing(let why):
            members += [JSONMember("state", .string("failing")), JSONMember("failure", .string(why.sentence))]
        }
        members += [
            JSONMember("apps", .array(report.apps.map { .string($0.text) })),
            JSONMember("requests", .number("\(report.requests)")),
            JSONMember("answers_taken", .number("\(report.answersTaken)")),
            JSONMember("answers_refused", .number("\(report.answersRefused)")),
        ]
        if let last = report.lastRequest { members.append(JSONMember("last_request", number(last))) }
        return .object(members)
    }

    /// The token that lets the next app in, and what it gives.
    static func line(_ invitation: SignerInvitation) -> JSONValue {
        .object([
            JSONMember("token", .string(invitation.uri.text)), JSONMember("trust", .string(invitation.trust.rawValue)),
        ])
    }

    /// What became of pairing with an app's token.
    static func line(_ outcome: AppPairing) -> JSONValue {
        guard case .object(let members) = line(outcome.client) else { return .null }
        return .object(
            members + [
                JSONMember("told", .array(outcome.told.map { .string($0.text) })),
                JSONMember("heard_of", .bool(outcome.isHeardOf)),
            ])
    }

    /// That a signer listens.
    static func listening(_ account: PublicKey, _ relays: [RelayURL]) -> JSONValue {
        .object([
            JSONMember("signer", .string(account.npub)),
            JSONMember("relays", .array(relays.map { .string($0.text) })),
        ])
    }

    // MARK: - Parts

    /// What a request would do, in one sentence.
    static func words(_ content: WaitingRequest.Content) -> String {
        switch content {
        case .sign(let draft, let report): report.headline(of: draft)
        case .encrypt(let text, for: let peer, _): "Encrypt a text of \(text.count) characters for \(peer.npub)"
        case .decrypt(from: let peer, _): "Decrypt what came from \(peer.npub)"
        case .decryptZap: "Read a private zap"
        case .connect(_, let permissions):
            permissions.isEmpty
                ? "Pair" : "Pair, and be allowed: " + permissions.map(\.text).joined(separator: ", ")
        case .locked: "Locked: unlock the account to read it"
        }
    }

    private static func app(_ app: RequestingApp, _ title: String, isClaimed: Bool) -> [JSONMember] {
        var members = [JSONMember("app", .string(app.text)), JSONMember("title", .string(title))]
        if isClaimed { members.append(JSONMember("title_is_claimed", .bool(true))) }
        return members
    }

    private static func grant(_ grant: Grant) -> JSONValue {
        var members = [
            JSONMember("permission", .string(grant.text)),
            JSONMember("verdict", .string(grant.verdict.rawValue)), JSONMember("made", number(grant.made)),
        ]
        if let expires = grant.expires { members.append(JSONMember("expires", number(expires))) }
        if let perHour = grant.perHour { members.append(JSONMember("per_hour", .number("\(perHour)"))) }
        return .object(members)
    }

    private static func event(_ draft: EventDraft) -> JSONValue {
        .object([
            JSONMember("kind", number(draft.kind)),
            JSONMember("tags", .array(draft.tags.map { .array($0.elements.map(JSONValue.string)) })),
            JSONMember("content", .string(draft.content)), JSONMember("created_at", number(draft.createdAt)),
        ])
    }

    private static func field(_ name: String, _ before: String?, _ after: String?) -> JSONValue {
        .object([
            JSONMember("name", .string(name)), JSONMember("before", before.map(JSONValue.string) ?? .null),
            JSONMember("after", after.map(JSONValue.string) ?? .null),
        ])
    }

    private static func change(_ report: ChangeReport) -> [JSONMember] {
        var members: [JSONMember] = []
        if let change = report.change {
            members += [
                JSONMember("added", .array(change.added.map(\.tag).map(tag))),
                JSONMember("dropped", .array(change.dropped.map(\.tag).map(tag))),
                JSONMember(
                    "fields",
                    .array(
                        change.fields.map { field($0.name, $0.before, $0.after) }
                            + change.usages.map { field($0.relay.text, $0.before.words, $0.after.words) })),
            ]
        }
        if let current = report.current { members.append(JSONMember("in_force", .string(current.id.hex))) }
        if !report.isCurrentFresh { members.append(JSONMember("in_force_is_fresh", .bool(false))) }
        if !report.deleted.isEmpty {
            members.append(JSONMember("deletes", .array(report.deleted.map { .string($0.id.hex) })))
        }
        if report.isUnknownKind { members.append(JSONMember("kind_is_unknown", .bool(true))) }
        return members
    }

    private static func tag(_ tag: Tag) -> JSONValue { .array(tag.elements.map(JSONValue.string)) }

    private static func number(_ moment: Timestamp) -> JSONValue { .number("\(moment.seconds)") }

    private static func number(_ kind: Kind) -> JSONValue { .number("\(kind.rawValue)") }
}
