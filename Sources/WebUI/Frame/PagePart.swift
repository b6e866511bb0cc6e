/// A part of the face with scripts or style sheets of its own: a page loads those of its parts, and what all pages share.
enum PagePart: String, CaseIterable, Sendable {
    /// Notes, and what is done with them.
    case notes
    /// Sheets of paper: forms, tables, whatever is no note.
    case sheets
    /// A search.
    case search
    /// Long texts.
    case articles
    /// Where notes are written, and names suggested.
    case compose
    case messages
    /// Rows of things, menus on them.
    case lists
    case signer, circles
    /// Live streams and their chats.
    case streams
    /// What concerns the account.
    case notifications
    /// Files, and bringing them to servers.
    case files
    /// GIFs to choose from.
    case gifs
    /// A note that was just written and can still be undone.
    case held
    /// The key is elsewhere.
    case elsewhere

    /// The names of its style sheets, in their order.
    fileprivate var styles: [String] {
        switch self {
        case .notes: ["notes", "media", "reactions"]
        case .sheets: ["pages"]
        case .articles: ["articles"]
        case .search, .compose, .held, .elsewhere: []
        case .messages: ["messages"]
        case .lists: ["lists"]
        case .signer: ["signer"]
        case .circles: ["map", "circles"]
        case .streams: ["streams"]
        case .notifications: ["notifications"]
        case .files: ["files"]
        case .gifs: ["gifs"]
        }
    }

    /// The script it begins with.
    fileprivate var script: String? {
        switch self {
        case .sheets, .lists, .articles, .gifs: nil
        default: "start-\(rawValue)"
        }
    }
}

extension NavigationEntry {
    /// The parts of the pages that stand there.
    var parts: [PagePart] {
        switch self {
        case .home: [.notes]
        case .notifications: [.notes, .sheets, .lists, .notifications]
        case .search: [.notes, .sheets, .search]
        case .profile, .none: [.notes, .sheets, .lists]
        case .compose: [.notes, .sheets, .compose, .files]
        case .settings: [.sheets]
        case .relays: [.sheets, .lists]
        case .signer: [.sheets, .lists, .signer]
        case .messages: [.notes, .sheets, .lists, .messages]
        case .circles: [.notes, .sheets, .lists, .messages, .circles]
        case .more: [.notes, .sheets, .lists, .compose]
        }
    }
}

extension [PagePart] {
    /// The style sheets of a page with these parts.
    var styleSheets: [String] { ["linnet"] + PagePart.allCases.filter(contains).flatMap(\.styles) }

    /// The scripts that begin by themselves, in their order.
    ///
    /// What all pages share comes after the parts, so that those are there to be told what is live. Only what sends forms
    /// for a key elsewhere comes later: it takes the forms that no other script has taken.
    var scripts: [String] {
        let last: [PagePart] = contains(.elsewhere) ? [.elsewhere] : []
        let first = PagePart.allCases.filter { contains($0) && !last.contains($0) }
        return first.compactMap(\.script) + ["linnet"] + last.compactMap(\.script)
    }

    /// What those ask for, and what that asks for, so that a browser fetches all of it at once.
    var importedScripts: [String] {
        var found: [String] = []
        var waiting = scripts
        while !waiting.isEmpty {
            let imports = Assets.imports(of: waiting.removeFirst()).filter { !found.contains($0) }
            found += imports
            waiting += imports
        }
        return found
    }
}
