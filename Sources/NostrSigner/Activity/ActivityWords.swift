internal import NostrCore
internal import NostrNIPs

/// What is said of an event that is signed.
enum ActivityWords {
    /// A few words for the log; for what replaces something, what it changed.
    static func summary(of draft: EventDraft, _ report: ChangeReport?) -> String {
        if let report, ChangeReport.isNeeded(for: draft.kind) { return report.headline }
        if draft.kind == 1, draft.tags.contains(where: { $0.name == "e" }) { return "Wrote a reply" }
        if draft.kind == 7, draft.content == "-" { return "Disliked a note" }
        return known(draft.kind)?.done ?? "Signed an event of kind \(draft.kind.rawValue)"
    }

    /// One sentence for the person who is asked.
    static func sentence(of draft: EventDraft) -> String {
        known(draft.kind)?.asked ?? "Signs an event of kind \(draft.kind.rawValue), which Linnet does not know."
    }

    /// Events that replace nothing: what was done, and what would be done.
    static func known(_ kind: Kind) -> (done: String, asked: String)? {
        switch kind {
        case 1: ("Wrote a note", "Publishes a note.")
        case 4: ("Sent a direct message (NIP-04)", "Sends a direct message in the old form (NIP-04).")
        case 6, 16: ("Reposted a note", "Reposts a note.")
        case 7: ("Liked a note", "Reacts to a note.")
        case 13: ("Sealed a private message", "Seals a private message.")
        case 14, 15: ("Wrote a private message", "Writes a private message.")
        case 20, 21, 22: ("Published a picture or film", "Publishes a picture or a film.")
        case 1059: ("Wrapped a private message", "Wraps a private message.")
        case 1063: ("Described a file", "Describes a file.")
        case 1111: ("Wrote a comment", "Publishes a comment.")
        case 1984: ("Reported something", "Reports something.")
        case 9734: ("Asked for a zap", "Asks for a zap.")
        case 9802: ("Highlighted a text", "Publishes a highlight.")
        case 22_242: ("Logged in at a relay", "Logs in at a relay.")
        case 24_242: ("Proved who uploads a file", "Proves to a file server who uploads.")
        case 27_235: ("Logged in at a website", "Logs in at a website.")
        case 30_023: ("Published an article", "Publishes an article.")
        case 30_024: ("Kept the draft of an article", "Keeps the draft of an article.")
        case 30_315: ("Set a status", "Sets a status.")
        case 31_234: ("Kept a draft", "Keeps a draft.")
        default: nil
        }
    }
}
