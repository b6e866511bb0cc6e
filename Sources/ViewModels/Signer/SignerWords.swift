internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// What events of a kind are called: "a note", "your follow list"; one nobody knows by its number.
func kindWords(_ kind: Kind) -> String {
    let known: [Kind: String] = [
        0: "your profile", 1: "a note", 3: "your follow list", 4: "a message in the old style", 5: "a deletion",
        6: "a repost", 7: "a reaction", 13: "a sealed message", 14: "a chat message", 16: "a repost", 20: "a picture",
        21: "a film", 22: "a short film", 40: "a public chat", 42: "a chat message", 1059: "a wrapped message",
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
    if let words = known[kind] { return words }
    let list = ListSort.of(kind)
    if ListSort.all.contains(where: { $0.kind == kind }) { return "the list “\(list.title)”" }
    return "an event of kind \(kind.rawValue)"
}

extension RemotePermission {
    /// What it lets an app do, as the end of "may …": "sign a note (kind 1)".
    var words: String {
        switch method {
        case .signEvent: kind.map { "sign \(kindWords($0))" + Self.number($0) } ?? "sign any event"
        case .nip04Encrypt: "encrypt in the old style (NIP-04)"
        case .nip04Decrypt: "read what is encrypted in the old style (NIP-04)"
        case .nip44Encrypt: "encrypt (NIP-44)"
        case .nip44Decrypt: "read what is encrypted to you (NIP-44)"
        case .decryptZapEvent: "read private zaps"
        case .connect: "connect"
        case .getPublicKey: "know who you are"
        case .ping: "ask whether the signer is there"
        case .describe: "ask what the signer can do"
        case .switchRelays: "ask for the signer's relays"
        case .logout: "end its session"
        }
    }

    private static func number(_ kind: Kind) -> String {
        let words = kindWords(kind)
        return words.hasSuffix("kind \(kind.rawValue)") ? "" : " (kind \(kind.rawValue))"
    }
}

extension Rule {
    /// Why a request waits, or was decided as it was, in one sentence.
    var sentence: String {
        switch self {
        case .harmless: "It does not use your key."
        case .notPaired: "The app is not paired."
        case .trust: "By how far you trust the app."
        case .protectedKind: "This kind is protected."
        case .grant: "By your choice for this app."
        case .grantExpired: "Your choice for this has run out."
        case .tooOften: "More often within the hour than you allowed."
        case .outsideHours: "Outside the hours you allowed."
        case .paused: "The signer is paused."
        case .person: "You decided."
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

    /// What it means, in one sentence.
    var lead: String {
        switch self {
        case .full: "Everything is done at once, protected kinds too."
        case .medium: "You are asked about protected kinds: profile, follows, deletions, relays, money."
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
        case .waiting: "Waits for you"
        case .repeated: "Answered again"
        }
    }
}
