internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// What pages say about the signer and the apps that ask it.
package enum SignerWords {
    package static let noSigner = "Linnet has no key for this account, so it cannot sign for other apps with it."
    package static let notPaired = "This app is not paired."
    package static let newToken = "This is a new token. The old one no longer lets anybody in."
    package static let forgottenLink =
        "This link was answered long ago, or never reached Linnet. Ask again from the app."
    package static let noWakeAddress = "The browser gave no address it could be woken by."
    static func key(_ key: PublicKey) -> String { "key \(key.hex.prefix(8))…\(key.hex.suffix(4))" }

    static let nobodyInParticular = "a link from an unknown app"
    static func wholeSite(_ address: String) -> String { "every page of \(address)" }

    // Requests

    static let encryptsFor = "Encrypts a text for"
    static let readsPrivate = "Reads something private between you and"
    static let readsZap = "Reads a private zap"
    static let wantsPairing = "Wants to be paired with you"
    static let cannotBeRead = "Cannot be read while your key is locked"
    static let severalApps = "several apps"
    static let chooseFirst = "Choose what to decide."
    static let notDecided = "This could not be decided now."
    static let notDecidedLookAgain = "This could not be decided. Look again at what it says now."
    static let waitsNoLonger = "This is no longer pending: it was decided elsewhere, or withdrawn."
    static let restored = "Refused. The current version was published again, as the newest."
    static let paused = "The signer is paused: requests wait until you resume it."
    static let goesOn = "The signer is running again."

    /// For how long the same holds for requests that are alike.
    enum Span { case once, hour, day, week, always }

    /// What was decided.
    static func decided(_ count: Int, of app: String, isYes: Bool, _ span: Span) -> String {
        let what = count == 1 ? "The request of “\(app)” is" : "\(count) requests of “\(app)” are"
        let verdict = isYes ? "approved" : "refused"
        switch span {
        case .once: return "\(what) \(verdict)."
        case .hour: return "\(what) \(verdict), and what is like it for an hour."
        case .day: return "\(what) \(verdict), and what is like it for a day."
        case .week: return "\(what) \(verdict), and what is like it for a week."
        case .always: return "\(what) \(verdict), and what is like it from now on."
        }
    }

    // An app

    static let saved = "Saved."
    static let leftToTrust = "Decided by the app's trust level."
    static let writePermission = "Write a permission like sign_event:1 or nip44_decrypt, or the number of a kind."
    static let writePlace =
        "A login is allowed for one relay or site: write sign_event:22242 and its address behind it."
    static func at(_ place: String) -> String { " at \(place)" }
    static let writeCount = "Write how often per hour as a number from 1 to 100000, or nothing."
    static let writeHours = "Write both times of the day like 08:00 and 22:30, or neither."
    static func unpaired(_ app: String) -> String { "“\(app)” is unpaired: it can no longer do anything." }
    static func unknownMethod(_ method: String) -> String {
        method.isEmpty ? "do what could not be read" : "“\(method)”, which no signer knows"
    }

    // The passphrase, asked for again

    package static let passphrase = "Passphrase of your key"
    package static let passphraseToGiveMore = "Passphrase of your key, to give full trust or what is protected"
    package static let asksForPassphrase = "Ask for my passphrase again"
    package static let cannotAskForPassphrase =
        "This needs a key with a passphrase. Yours is kept in the system's keyring, which opens with your session."
    package static let passphraseIsAskedFor =
        "Saying yes to a protected kind, or giving an app full trust, needs your passphrase, even while your key is unlocked."
    package static let passphraseIsNotAskedFor =
        "Whoever has this page open can say yes to anything. With this on, saying yes to a protected kind, or giving an app full trust, needs your passphrase, too. Apps that have full trust keep it."
    static func tooManyTries(wait: Duration) -> String {
        let seconds = max(wait.components.seconds + (wait.components.attoseconds > 0 ? 1 : 0), 1)
        let time = seconds == 1 ? "a second" : seconds <= 90 ? "\(seconds) seconds" : "\((seconds + 59) / 60) minutes"
        return "Too many wrong passphrases: try again in \(time). Nothing was changed."
    }

    // Relays and settings

    static let listening = "Listening"
    static let connecting = "Connecting"
    static let failing = "Failing"
    static let writeKinds = "Kinds are numbers from 0 to 65535."
    static func noRelay(_ word: String) -> String { "“\(word)” is not a relay address. Those begin with wss://." }
    static func tooManyRelays(most: Int) -> String {
        "At most \(most) relays; a few work better than many."
    }
}

extension SignerWords {
    /// What a person can do about a token they pasted.
    static func wrongToken(_ error: ConnectionTokenError, _ text: String, isSecretKey: Bool) -> String {
        switch error {
        case .wrongScheme where text.lowercased().hasPrefix("bunker://"):
            "This is the token of a signer, not of an app. Paste it into the app."
        case .wrongScheme where isSecretKey:
            "This is a secret key. Give it to nobody, and paste it only where Linnet asks for your key."
        case .wrongScheme: "An app's token begins with nostrconnect://."
        case .noKey: "There is no key in this token. Copy it from the app again, whole."
        case .noRelay: "This token names no relay, so the app could not be told. Copy it again, whole."
        case .noSecret: "This token has no secret, so anybody could answer for you. Copy it again, whole."
        case .tooLong: "This is longer than any token."
        }
    }

    /// What a permission lets an app do, as the end of "may …": "sign a note (kind 1)".
    ///
    /// - Parameter event: what events of the kind are called.
    static func permission(_ method: RemoteMethod, _ kind: Kind?, _ event: String?) -> String {
        switch method {
        case .signEvent:
            guard let kind, let event else { return "sign any event" }
            return "sign \(event)" + (event.hasSuffix("kind \(kind.rawValue)") ? "" : " (kind \(kind.rawValue))")
        case .nip04Encrypt: return "encrypt in the old style (NIP-04)"
        case .nip04Decrypt: return "read what is encrypted in the old style (NIP-04)"
        case .nip44Encrypt: return "encrypt (NIP-44)"
        case .nip44Decrypt: return "read what is encrypted to you (NIP-44)"
        case .decryptZapEvent: return "read private zaps"
        case .connect: return "connect"
        case .getPublicKey: return "know who you are"
        case .ping: return "ask whether the signer is there"
        case .describe: return "ask what the signer can do"
        case .switchRelays: return "ask for the signer's relays"
        case .logout: return "end its session"
        }
    }

    /// What becomes of a request for a permission now.
    static let allowed = "allowed", asked = "you are asked", refused = "refused"

    /// What events of a kind are called: "a note", "your follow list"; nil for one that is called nothing.
    static func kind(_ kind: Kind) -> String? { kinds[kind] }
    static func list(_ title: String) -> String { "the list “\(title)”" }
    static func numbered(_ kind: Kind) -> String { "an event of kind \(kind.rawValue)" }

    private static let kinds: [Kind: String] = [
        0: "your profile", 1: "a note", 3: "your follow list", 4: "a message in the old style", 5: "a deletion",
        6: "a repost", 7: "a reaction", 13: "a sealed message", 14: "a chat message", 16: "a repost", 20: "a picture",
        21: "a film", 22: "a short film", 40: "a public chat", 42: "a chat message",
        62: "a request to erase all of yours", 443: "a key that lets you into circles",
        10_051: "where your keys for circles are", 30_443: "a key that lets you into circles",
        1059: "a wrapped message",
        1068: "a poll", 1018: "a vote", 1063: "a file's description", 1111: "a comment", 1311: "a live chat message",
        1984: "a report", 7374: "a wallet's request", 7375: "money of your wallet", 7376: "your wallet's history",
        9734: "a zap request", 10_019: "where you take nutzaps", 13_194: "a wallet's abilities",
        17_375: "your wallet", 22_242: "a login at a relay", 23_194: "a payment by your wallet",
        23_195: "a wallet's answer", 24_242: "a permission for a file server", 24_133: "a signer's message",
        27_235: "a login at a web site", 30_023: "an article", 30_024: "a draft of an article",
        30_078: "data of an app",
        30_311: "a live event", 30_315: "your status", 30_402: "an offer for sale", 31_234: "a draft",
        31_922: "a calendar entry", 31_923: "a calendar entry", 31_989: "a recommendation of an app",
        31_990: "the description of an app", 34_550: "a community",
    ]
}

extension Rule {
    /// Why a request waits, or was decided as it was, in one sentence.
    var sentence: String {
        switch self {
        case .harmless: "It does not use your key."
        case .notPaired: "The app is not paired."
        case .trust: "By the app's trust level."
        case .protectedKind: "This kind is protected."
        case .grant: "By your choice for this app."
        case .grantExpired: "Your choice for this has run out."
        case .tooOften: "More often within the hour than you allowed."
        case .outsideHours: "Outside the hours you allowed."
        case .paused: "The signer is paused."
        case .person: "You decided."
        case .reachesServer: "The answer would reach a server, which can keep it."
        case .losesEntries: "It would drop many entries."
        case .locked: "Your key is locked."
        case .invalid: "Nobody could do what was asked."
        case .repeated: "It was asked again."
        case .unanswered: "Nobody decided in time."
        }
    }
}

extension TrustLevel {
    /// What it is called.
    var title: String {
        switch self {
        case .full: "Full"
        case .medium: "Medium"
        case .low: "Low"
        }
    }

    /// What a way in gives, in one sentence.
    var given: String { "It gives \(title.lowercased()) trust. \(lead)" }

    /// What it means, in one sentence.
    var lead: String {
        switch self {
        case .full: "Everything is done at once, protected kinds too."
        case .medium: "You are asked about protected kinds: profile, follows, deletions, relays, logins, money."
        case .low: "You are asked about everything that uses your key."
        }
    }
}

extension ActivityEntry.Outcome {
    /// What became of a request, in a word or two.
    var words: String {
        switch self {
        case .done: "Done"
        case .refused: "Refused"
        case .failed: "Failed"
        case .waiting: "Asked you"
        case .repeated: "Answered again"
        }
    }
}
