internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// What can be done with a note beyond answering it, on a page of its own.
func noteMenuPage(_ note: NoteItem, _ menu: HTML, _ style: NoteStyle) -> HTML {
    let path: Path = "/note/\(note.id)"
    return """
        <div class="head"><a class="back" href="\(path)" aria-label="Back to the note">\(icon(.back))</a><h1>More for this note</h1></div>
        <div class="sheet">\(NoteMarkup(note: note, style: style).card())\(menu)</div>
        """
}

/// Asks before a note is deleted, and says what deleting is.
func noteDeletionPage(_ note: NoteItem, back: String, _ token: FormToken, _ style: NoteStyle) -> HTML {
    let (path, action): (Path, Path) = ("/note/\(note.id)", "/note/\(note.id)/delete")
    return """
        <div class="head"><a class="back" href="\(path)" aria-label="Back to the note">\(icon(.back))</a><h1>Delete this note?</h1></div>
        <div class="sheet">\(NoteMarkup(note: note, style: style).card())
        <p>Linnet deletes it here and asks every relay that has it, as far as is known, to delete it too. Most relays do. People and relays that copied it may keep it, and others can see that you asked. This cannot be undone.</p>
        <form method="post" action="\(action)">\(token.field)\(hidden("back", back))<p class="sheet-end"><button class="button quiet danger-button">Delete note</button><a class="button quiet" href="\(path)">Cancel</a></p></form></div>
        """
}

/// Asks what is wrong with a note before it is reported.
func noteReportPage(
    _ note: NoteItem, problem: String?, _ token: FormToken, _ style: NoteStyle
) -> HTML {
    let (path, action): (Path, Path) = ("/note/\(note.id)", "/note/\(note.id)/report")
    return """
        <div class="head"><a class="back" href="\(path)" aria-label="Back to the note">\(icon(.back))</a><h1>Report this note</h1></div>
        <div class="sheet">\(NoteMarkup(note: note, style: style).card())
        \(reportForm(on: note.author.name, from: path, to: action, problem: problem, token))</div>
        """
}

/// What can be done with a note beyond answering it.
///
/// - Parameter isPage: whether it stands on a page of its own, where texts can be copied by hand.
func noteMenuView(_ menu: NoteMenu, back: String, _ token: FormToken, isPage: Bool) -> HTML {
    """
    <form method="post" action="/home" data-marks data-author="\(menu.note.author.key.hex)" data-note="\(menu.note.id.hex)">\(token.field)\(hidden("back", back))
    \(each: marks(menu), { markButton($0, on: menu.note) })
    <div class="menu-group">\(links(menu, back: back))</div>
    <div class="menu-group\(if: isPage, " menu-fields")">\(copies(menu.copies, isPage: isPage))</div>
    </form>
    """
}

/// What leads to a page that asks first.
private func links(_ menu: NoteMenu, back: String) -> HTML {
    let (report, delete): (Path, Path) = ("/note/\(menu.note.id)/report", "/note/\(menu.note.id)/delete?back=\(back)")
    let react: Path = "/note/\(menu.note.id)/react?back=\(back)"
    let reacting: HTML = """
        <a class="drawer-item" href="\(react)">\(icon(.heart))<span class="drawer-name">React with an emoji…</span></a>
        """
    let asking: HTML =
        menu.note.isOwn
        ? "<a class=\"drawer-item is-danger\" href=\"\(delete)\">\(icon(.trash))<span class=\"drawer-name\">Delete note…</span></a>"
        : "<a class=\"drawer-item\" href=\"\(report)\">\(icon(.alert))<span class=\"drawer-name\">Report…</span></a>"
    return "\(reacting)\(asking)"
}

/// Link, id and JSON: buttons that copy, for a script; on a page of its own also the texts.
private func copies(_ copies: NoteMenu.Copies, isPage: Bool) -> HTML {
    let texts: [(id: String, words: String, text: String)] = [
        ("copy-link", "link", copies.link), ("copy-id", "ID", copies.id), ("copy-json", "JSON", copies.json),
    ]
    return "\(each: texts, { copy($0.id, $0.words, $0.text, isPage: isPage) })"
}

private func copy(_ id: String, _ words: String, _ text: String, isPage: Bool) -> HTML {
    let button: HTML = """
        <button class="drawer-item" type="button" data-copy="\(id)" hidden>\(icon(.link))<span class="drawer-name" data-copy-words>Copy \(words)</span></button>
        """
    guard isPage else { return "<textarea id=\"\(id)\" hidden readonly>\(text)</textarea>\(button)" }
    return """
        <label>The note's \(words)<textarea id="\(id)" readonly rows="\(if: id == "copy-json", "5", else: "2")">\(text)</textarea></label>\(button)
        """
}

/// A mark that can be put on the note, or taken off.
private struct MarkChoice {
    let mark: NoteMark
    let icon: Icon
    let isOn: Bool
    let words: HTML
}

private func marks(_ menu: NoteMenu) -> [MarkChoice] {
    let name = menu.note.author.name
    let own =
        menu.note.isOwn
        ? MarkChoice(
            mark: .pin, icon: .pin, isOn: menu.isPinned,
            words: menu.isPinned ? "Unpin from your profile" : "Pin to your profile")
        : MarkChoice(
            mark: .mutePerson, icon: .mute, isOn: menu.isAuthorMuted,
            words: menu.isAuthorMuted ? "Unmute \(name)" : "Mute \(name)")
    let unfollow =
        menu.note.author.isFollowed && !menu.note.isOwn
        ? [MarkChoice(mark: .unfollow, icon: .person, isOn: false, words: "Unfollow \(name)")] : []
    return [
        MarkChoice(
            mark: .bookmark, icon: .bookmark, isOn: menu.isBookmarked,
            words: menu.isBookmarked ? "Remove the bookmark" : "Bookmark privately"),
        own,
        MarkChoice(
            mark: .muteConversation, icon: .mute, isOn: menu.isConversationMuted,
            words: menu.isConversationMuted ? "Unmute this conversation" : "Mute this conversation"),
    ] + unfollow
}

private func markButton(_ choice: MarkChoice, on note: NoteItem) -> HTML {
    let action: Path = "/note/\(note.id)/mark/\(choice.mark.rawValue)"
    return """
        <button class="drawer-item" formaction="\(action)" name="off" value="\(if: choice.isOn, "1")" data-mark="\(choice.mark.rawValue)">\(icon(choice.icon))<span class="drawer-name">\(choice.words)</span></button>
        """
}
