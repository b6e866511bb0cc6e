import Foundation
import NostrSigner
import ViewModels

/// What a command asks of the running program: one line of JSON on the control socket.
struct ControlOrder: Codable, Hashable, Sendable {
    /// What is wanted.
    enum Verb: Codable, Hashable, Sendable {
        /// What waits; with `unlike`, as soon as other requests wait than these, or after the time.
        case list(unlike: [String]?, seconds: Int)
        case show(id: String)
        case decide(RequestSelection, verdict: SpokenVerdict, knowingLoss: Bool)
        case restore(id: String)
        case clients
        case update(app: String, change: ClientChange)
        case revoke(app: String)
        case invite(renews: Bool, trust: String?)
        case connect(uri: String, name: String?, trust: String?, allowing: [String])
        case relays
        case setRelays(adding: [String], removing: [String])
        case pause(Bool)
        /// What holds for all apps; asks for the passphrase again from now on, or no longer, where that is said.
        case settings(asksForPassphrase: Bool?)
        case log(LogFilter)
        /// Takes in a signer link.
        case link(String, isCarriedElsewhere: Bool)
        /// What became of it, if that is known within the time.
        case linkOutcome(id: String, seconds: Int)
        /// Makes a login link.
        case loginLink
        /// Has devices woken by a push proxy, or tells what it knows.
        case push(PushOrder)
        /// Takes in an address to be shown on a page.
        case open(String)
        /// Changes how a place is shared with a circle.
        case sharing(SharingOrder)
    }

    /// Whose signer, in hex; `nil` for all, or for the only one.
    var account: String?
    /// What is wanted.
    var verb: Verb
    /// The passphrase of the account's key, typed for this order because the program asked for it.
    var passphrase: String?

    /// The longest order, in bytes: a signer link of the greatest length, escaped.
    static let longest = 2 * SignerLink.longest

    /// Reads a line.
    init(line: [UInt8]) throws {
        self = try JSONDecoder().decode(ControlOrder.self, from: Data(line))
    }

    init(_ verb: Verb, account: String? = nil) {
        self.verb = verb
        self.account = account
    }

    /// As it is sent, with its line feed.
    var line: [UInt8] {
        get throws { [UInt8](try JSONEncoder().encode(self)) + [0x0A] }
    }
}

/// Which of the requests that wait an order is about; texts are ids, or the beginnings of them.
enum RequestSelection: Codable, Hashable, Sendable {
    case all
    case these([String])
    /// These, and what their apps asked within the same half second.
    case together([String])
}

/// A verdict as it is sent.
struct SpokenVerdict: Codable, Hashable, Sendable {
    var allows: Bool
    var isAlways = false
    /// How far an app is trusted that is paired by it: `full`, `medium` or `low`.
    var trust: String?
    /// Seconds since 1970.
    var until: Int64?
}

/// What a person says anew of an app; what is `nil` stays.
struct ClientChange: Codable, Hashable, Sendable {
    var name: String?
    var trust: String?
    /// Uses per hour; 0 for no limit.
    var perHour: Int?
    var answersAck: Bool?
    /// Choices as `permission=allow|refuse|ask|none`.
    var choices: [String] = []
}

/// Which lines of the log are wanted.
struct LogFilter: Codable, Hashable, Sendable {
    var app: String?
    var outcome: String?
    var method: String?
    var kind: Int?
    var text = ""
    var before: Int64?
    var limit = 50
}

/// What the running program answers: any number of items, then one end; each one line of JSON.
struct ControlAnswer: Codable, Hashable, Sendable {
    /// A line for the person, JSON itself.
    var item: String?
    /// Whether it was done.
    var isDone: Bool?
    /// Why it was not, in one plain sentence.
    var failure: String?
    /// Whether it can be done with the passphrase of the account's key.
    var needsPassphrase: Bool?

    static func item(_ json: String) -> ControlAnswer { ControlAnswer(item: json) }
    static let done = ControlAnswer(isDone: true)
    static func failed(_ sentence: String) -> ControlAnswer { ControlAnswer(failure: sentence) }
    static func failed(needingPassphrase error: SigningServiceError) -> ControlAnswer {
        ControlAnswer(failure: error.sentence, needsPassphrase: true)
    }

    /// The longest answer, in bytes: an event to sign with its explanation.
    static let longest = 4 << 20

    /// As it is sent, with its line feed.
    var line: [UInt8] {
        get throws { [UInt8](try JSONEncoder().encode(self)) + [0x0A] }
    }
}
