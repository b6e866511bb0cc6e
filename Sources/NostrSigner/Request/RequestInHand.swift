internal import NostrCore
internal import NostrNIPs

/// A request that was read and admitted, with all that later steps need.
struct RequestInHand: Sendable {
    /// How the answer goes back.
    enum Way: Hashable, Sendable {
        /// By relays, encrypted for the app.
        case relays(PublicKey, ContentCipher)
        /// The caller waits for it.
        case direct
    }

    /// As it is kept.
    var kept: AdmittedRequest
    /// What it asks for.
    var read: ReadRequest
    /// How the answer goes back.
    var way: Way
    /// What its app says of itself, for apps that are not paired yet.
    var claims = ClientMetadata()

    var event: EventID { kept.event }
    var app: RequestingApp { kept.app }
    var action: RequestedAction { read.action }
    var permission: RemotePermission? { read.permission }

    /// The app's line in the log.
    func line(
        _ outcome: ActivityEntry.Outcome, by rule: Rule, title: String, at time: Timestamp,
        result: RequestResult? = nil, error: String? = nil
    ) -> ActivityEntry {
        ActivityEntry(
            time: time, account: kept.account, app: app, title: title, method: read.request.name,
            kind: action.kind, peer: action.peer, outcome: outcome, rule: rule, result: result?.event?.id,
            summary: result?.summary ?? "", error: error)
    }
}

extension RequestedAction {
    /// The kind of the event to sign.
    var kind: Kind? { if case .sign(let draft) = self { draft.kind } else { nil } }

    /// Whom something is encrypted for or came from.
    var peer: PublicKey? {
        switch self {
        case .encrypt(_, let peer, _), .decrypt(_, let peer, _): peer
        default: nil
        }
    }
}

/// What a request brought about.
struct RequestResult: Hashable, Sendable {
    /// As the method has it.
    var text: String
    /// The signed event.
    var event: Event?
    /// What was done, in a few words.
    var summary: String
}

/// What is answered to an app: a result, or why there is none.
enum RequestAnswer: Hashable, Sendable {
    case done(RequestResult, by: Rule)
    /// The sentence is for the app.
    case refused(String, by: Rule)
    /// The sentence is for the app.
    case failed(String, by: Rule)

    var outcome: ActivityEntry.Outcome {
        switch self {
        case .done: .done
        case .refused: .refused
        case .failed: .failed
        }
    }

    var rule: Rule {
        switch self {
        case .done(_, let rule), .refused(_, let rule), .failed(_, let rule): rule
        }
    }

    var result: RequestResult? { if case .done(let result, _) = self { result } else { nil } }

    var error: String? {
        switch self {
        case .done: nil
        case .refused(let sentence, _), .failed(let sentence, _): sentence
        }
    }

    /// The response to a request.
    func response(to id: String) -> RemoteResponse {
        switch self {
        case .done(let result, _): RemoteResponse(id: id, result: result.text)
        case .refused(let sentence, _), .failed(let sentence, _): RemoteResponse(id: id, error: sentence)
        }
    }

    /// For one who waits for it.
    var direct: DirectAnswer {
        switch self {
        case .done(let result, _): .done(result.text, result.event)
        case .refused(_, let rule): .refused(rule)
        case .failed(let sentence, _): .failed(sentence)
        }
    }
}

/// What apps are told, in plain words.
enum RefusalWords {
    /// The person said no.
    static let person = "user rejected"
    static let notPaired = "Client is not paired; send connect with a valid secret first"
    static let wrongSecret = "Invalid or missing secret"
    static let tooManyWaiting = "Too many requests are waiting for the user"
    static let timedOut = "The signer could not do it in time"

    /// The sentence for a rule that refuses.
    static func of(_ rule: Rule) -> String {
        switch rule {
        case .notPaired: notPaired
        case .grant: "user rejected: not allowed for this app"
        case .unanswered: "Nobody answered in time"
        case .repeated: "This request was made before"
        default: person
        }
    }
}
