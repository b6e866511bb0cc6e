internal import NostrCore
public import NostrSigner

// What apps asked a signer for, in words: as it is asked, and as it was done.

extension ActivityEntry {
    /// What was done, in a few words; empty where nothing is to be said.
    public var summary: String { fact?.words ?? "" }
}

extension ActivityFact {
    /// What was done, in a few words.
    var words: String {
        switch self {
        case .signed(let summary): summary.done
        case .encrypted: "Encrypted a text"
        case .decrypted: "Decrypted a text"
        case .readPrivateZap: "Read a private zap"
        case .toldKey: "Gave out the public key"
        case .paired: "Paired"
        case .unpaired: "Unpaired"
        case .loggedOut: "Logged out"
        case .trustChanged(let before, let after): "Trust changed from \(before.rawValue) to \(after.rawValue)"
        case .words(let words): words
        }
    }
}

extension SigningSummary {
    /// What the event would do, for the person who is asked.
    var asked: String {
        switch self {
        case .event(let kind, _):
            Self.words[kind]?.asked ?? "Signs an event of kind \(kind.rawValue), which Linnet does not know."
        case .replacement(let change): change.sentence
        case .deletion(let events, let addresses): Self.deletion(events, addresses)
        }
    }

    /// What the event did, for the log.
    var done: String {
        switch self {
        case .event(1, .reply): "Wrote a reply"
        case .event(7, .dislike): "Disliked a note"
        case .event(let kind, _): Self.words[kind]?.done ?? "Signed an event of kind \(kind.rawValue)"
        case .replacement, .deletion: asked
        }
    }

    private static func deletion(_ events: Int, _ addresses: Int) -> String {
        let parts = [
            events > 0 ? "\(events) \(events == 1 ? "event" : "events")" : nil,
            addresses > 0
                ? "every version of \(addresses) \(addresses == 1 ? "list or article" : "lists or articles")" : nil,
        ].compactMap { $0 }
        return parts.isEmpty
            ? "Asks relays to delete nothing." : "Asks relays to delete \(parts.joined(separator: " and "))."
    }

    /// Events that replace nothing: what was done, and what would be done.
    private static let words: [Kind: (done: String, asked: String)] = [
        1: ("Wrote a note", "Publishes a note."),
        4: ("Sent a direct message (NIP-04)", "Sends a direct message in the old form (NIP-04)."),
        6: ("Reposted a note", "Reposts a note."),
        7: ("Liked a note", "Reacts to a note."),
        13: ("Sealed a private message", "Seals a private message."),
        14: ("Wrote a private message", "Writes a private message."),
        15: ("Wrote a private message", "Writes a private message."),
        16: ("Reposted a note", "Reposts a note."),
        20: ("Published a picture or film", "Publishes a picture or a film."),
        21: ("Published a picture or film", "Publishes a picture or a film."),
        22: ("Published a picture or film", "Publishes a picture or a film."),
        1059: ("Wrapped a private message", "Wraps a private message."),
        1063: ("Described a file", "Describes a file."),
        1111: ("Wrote a comment", "Publishes a comment."),
        1984: ("Reported something", "Reports something."),
        9734: ("Asked for a zap", "Asks for a zap."),
        9802: ("Highlighted a text", "Publishes a highlight."),
        22_242: ("Logged in at a relay", "Logs in at a relay."),
        24_242: ("Proved who uploads a file", "Proves to a file server who uploads."),
        27_235: ("Logged in at a website", "Logs in at a website."),
        30_023: ("Published an article", "Publishes an article."),
        30_024: ("Kept the draft of an article", "Keeps the draft of an article."),
        30_315: ("Set a status", "Sets a status."),
        31_234: ("Kept a draft", "Keeps a draft."),
    ]
}

extension ActivityReading {
    /// Lines of the log as `activity(_:)` gives them, except that a text is looked for in
    /// the words a person reads.
    public func activityInWords(_ query: ActivityQuery) async throws -> [ActivityEntry] {
        let sought = query.text.lowercased()
        if sought.isEmpty { return try await activity(query) }
        var page = query
        page.text = ""
        page.limit = 500
        var found: [ActivityEntry] = []
        while found.count < query.limit {
            let lines = try await activity(page)
            found += lines.filter { $0.isAbout(sought) }
            guard lines.count == page.limit, let last = lines.last else { break }
            page.before = last.id
        }
        return Array(found.prefix(query.limit))
    }
}

extension ActivityEntry {
    fileprivate func isAbout(_ sought: String) -> Bool {
        [title, method, summary, error ?? ""].contains { $0.lowercased().contains(sought) }
    }
}
